// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import CommandArguments

/// How properties are named on the command line.
@Suite struct OptionNameTests {
  @Test(arguments: [
    ("output", "output"), ("maxHeight", "max-height"), ("deviceID", "device-id"),
    ("hlsURL", "hls-url"), ("urlPath", "url-path"), ("URLPath", "url-path"),
    ("serverHTTPPort", "server-http-port"), ("aB", "a-b"), ("x1Y", "x1-y"),
  ])
  func `a property's words are joined by hyphens`(property: String, name: String) {
    #expect(kebabCase(property) == name)
  }
}
