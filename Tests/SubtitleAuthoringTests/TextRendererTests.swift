// SPDX-License-Identifier: Apache-2.0
import SubtitleAuthoring
import SubtitleModel
import TestSupport
import Testing

/// DejaVu Sans, of the package fonts-dejavu-core.
let fontFile = "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"
let hasFont = (try? readBytes(fontFile)) != nil

@Suite(.enabled(if: hasFont, "fonts-dejavu-core is not installed")) struct TextDrawing {
  private let canvas = Canvas(width: 640, height: 360)

  private func draw(_ markup: String) throws -> TextRenderer.Picture {
    let renderer = try TextRenderer(canvas: canvas, fontFile: fontFile)
    return try renderer.draw(StyledText(markup: markup), place: "cue 1")
  }

  private func fault(_ body: () throws -> Void) -> String {
    do {
      try body()
      return ""
    } catch { return "\(error)" }
  }

  private func count(_ picture: TextRenderer.Picture, _ color: [UInt8]) -> Int {
    stride(from: 0, to: picture.bitmap.bytes.count, by: 4).count {
      Array(picture.bitmap.bytes[$0..<$0 + 4]) == color
    }
  }

  @Test func `a canvas larger than any film is refused`() {
    let huge = Canvas(width: 8193, height: 8)
    #expect(
      fault { _ = try TextRenderer(canvas: huge, fontFile: fontFile) }.contains("at most 8192"))
  }

  @Test func `a text is light with a black outline, at the bottom in the middle`() throws {
    let picture = try draw("Good evening")
    #expect(count(picture, [235, 235, 235, 255]) > 100)
    #expect(count(picture, [0, 0, 0, 255]) > 200)
    let middle = picture.x + picture.bitmap.width / 2
    #expect(abs(middle - 320) <= 2)
    let bottom = picture.y + picture.bitmap.height
    #expect((330...350).contains(bottom))
    #expect(picture.bitmap.height < 30)
    // Cut to what is drawn: something in the first and last row and column.
    let (width, height, bytes) = (
      picture.bitmap.width, picture.bitmap.height, picture.bitmap.bytes
    )
    #expect((0..<width).contains { bytes[4 * $0 + 3] > 0 })
    #expect((0..<width).contains { bytes[4 * ((height - 1) * width + $0) + 3] > 0 })
    #expect((0..<height).contains { bytes[4 * $0 * width + 3] > 0 })
    #expect((0..<height).contains { bytes[4 * ($0 * width + width - 1) + 3] > 0 })
  }

  @Test func `the palette of a text is small`() throws {
    let result = Quantizer.quantize(
      [try draw("Quite a <i>long</i> one").bitmap], maximumColors: 256)
    #expect(result.isExact && result.palette.colors.count < 120)
  }

  @Test func `the place and line breaks are kept`() throws {
    let bottom = try draw("One")
    let top = try draw("{\\an8}One")
    #expect(top.bitmap == bottom.bitmap && top.x == bottom.x && top.y < 40)
    let two = try draw("One\nOne")
    #expect(two.bitmap.height > 18 + bottom.bitmap.height)
  }

  @Test func `italics lean`() throws {
    #expect(try draw("<i>lll</i>").bitmap != (try draw("lll").bitmap))
  }

  @Test func `nothing that the user writes acts as an override`() throws {
    // Were `{\b1}` or `\N` to act, the pictures would be narrower or of two lines.
    let plain = try draw("abc")
    let braces = try draw("a{b}c")
    #expect(braces.bitmap.width > plain.bitmap.width + 4)
    let backslash = try draw("a\\Nc")
    #expect(backslash.bitmap.height < 2 * plain.bitmap.height)
    #expect(backslash.bitmap.width > (try draw("ac")).bitmap.width + 8)
  }

  @Test func `the same text gives the same picture`() throws {
    let renderer = try TextRenderer(canvas: canvas, fontFile: fontFile)
    let first = try renderer.draw(StyledText(markup: "Twice"), place: "")
    _ = try renderer.draw(StyledText(markup: "<i>between</i>"), place: "")
    let second = try renderer.draw(StyledText(markup: "Twice"), place: "")
    #expect(first == second)
    #expect(renderer.fonts.first?.hasPrefix("DejaVuSans") == true)
  }

  @Test func `a character that the font lacks is an error that names it`() {
    #expect(
      fault { _ = try draw("Hi 日本") }
        == "cue 1: no font has the character '日' (U+65E5); give one that has it with --font")
    #expect(fault { _ = try draw("Ünïcode Кириллица ελ") } == "")
  }

  @Test func `what is no font is refused`() throws {
    let folder = try TemporaryFolder()
    let text = try folder.write(Array("no font".utf8), to: "a.ttf")
    #expect(
      fault { _ = try TextRenderer(canvas: canvas, fontFile: text) }
        == "\(text): is no TrueType or OpenType font with a name")
    #expect(
      fault { _ = try TextRenderer(canvas: canvas, fontFile: folder.file("b.ttf")) }
        == "\(folder.file("b.ttf")): cannot be read: No such file or directory")
    let bytes = try readBytes(fontFile)
    for count in [3, 11, 40, 300, 5000] {
      let short = try folder.write(Array(bytes.prefix(count)), to: "\(count).ttf")
      #expect(
        fault { _ = try TextRenderer(canvas: canvas, fontFile: short) }
          == "\(short): is no TrueType or OpenType font with a name")
    }
  }
}
