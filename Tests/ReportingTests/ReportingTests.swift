// SPDX-License-Identifier: Apache-2.0
import BurnInVerification
import PNGCoding
import Reporting
import SubtitleModel
import Testing

struct ReportingTests {
  /// Test vectors of RFC 4648, section 10.
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="),
    ("fooba", "Zm9vYmE="), ("foobar", "Zm9vYmFy"),
  ])
  func `base 64 as in the standard`(text: String, expected: String) {
    #expect(HTMLReport.base64(Array(text.utf8)) == expected)
  }

  @Test func `luma becomes grey by the limited range`() throws {
    let plane = SamplePlane(width: 5, height: 1, samples: [0, 16, 126, 235, 255])
    let picture = try PNG.decodeRGBA(LumaPicture.png(plane))
    // (126 - 16) * 255 / 219 = 128.08
    #expect(stride(from: 0, to: 20, by: 4).map { picture.bytes[$0] } == [0, 0, 128, 255, 255])
  }

  @Test func `differences have no sign and are four times as strong`() throws {
    let first = SamplePlane(width: 4, height: 1, samples: [10, 10, 200, 0])
    let second = SamplePlane(width: 4, height: 1, samples: [10, 13, 190, 255])
    let picture = try PNG.decodeRGBA(LumaPicture.differencePNG(first, second))
    #expect(stride(from: 0, to: 16, by: 4).map { picture.bytes[$0] } == [0, 12, 40, 255])
  }

  @Test func `a title of a track cannot write into the page`() {
    let result = VerificationResult(
      verdict: .burnedIn, asked: "0:s:0", mode: .source, reason: "it is <there> & \"whole\"")
    let page = HTMLReport.page(
      result, tracks: [("0:s:0", "<script>alert('x')</script>")], cues: [])
    #expect(!page.contains("<script>"))
    #expect(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"))
    #expect(page.contains("it is &lt;there&gt; &amp; &quot;whole&quot;"))
    #expect(page.contains("<h1>burned in</h1>"))
  }
}
