// SPDX-License-Identifier: Apache-2.0
import SubtitleAuthoring
import SubtitleModel
import Testing

@Suite struct Quantizing {
  private func bitmap(_ colors: [[UInt8]], width: Int) -> RGBABitmap {
    RGBABitmap(width: width, height: colors.count / width, bytes: colors.flatMap { $0 })
  }

  @Test func `few colours are kept exactly, most used first`() {
    let red: [UInt8] = [255, 0, 0, 255]
    let blue: [UInt8] = [0, 0, 255, 128]
    let clear: [UInt8] = [9, 9, 9, 0]
    let result = Quantizer.quantize(
      [bitmap([blue, red, red, clear], width: 2), bitmap([clear, blue, red], width: 3)],
      maximumColors: 3)
    #expect(result.isExact)
    #expect(
      result.palette.colors == [
        .transparent, PaletteColor(red: 255, green: 0, blue: 0, alpha: 255),
        PaletteColor(red: 0, green: 0, blue: 255, alpha: 128),
      ])
    #expect(result.bitmaps.map(\.indices) == [[2, 1, 1, 0], [0, 2, 1]])
  }

  @Test(arguments: [2, 4, 16, 255, 256])
  func `many colours become as many as allowed, and transparent stays transparent`(count: Int) {
    let colors = (0..<1024).map { index -> [UInt8] in
      let components: [Int] = [index & 0xFF, index >> 2, index * 7 & 0xFF, index % 3 * 127]
      return components.map { UInt8($0) }
    }
    let source = bitmap(colors, width: 64)
    let result = Quantizer.quantize([source], maximumColors: count)
    #expect(!result.isExact)
    #expect(result.palette.colors.count <= count && result.palette.colors.count > count / 2)
    #expect(result.palette.colors[0] == PaletteColor.transparent)
    for (color, index) in zip(colors, result.bitmaps[0].indices) {
      #expect((color[3] == 0) == (index == 0))
    }
    if count == 16 {
      #expect(result == Quantizer.quantize([source], maximumColors: count), "the result is fixed")
    }
  }

  @Test func `a text's fill and outline stay what they are in four colours`() {
    var colors = [[UInt8]](repeating: [0, 0, 0, 0], count: 1000)
    colors += [[UInt8]](repeating: [235, 235, 235, 255], count: 300)
    colors += [[UInt8]](repeating: [0, 0, 0, 255], count: 300)
    for step in 1..<30 {
      let grey = UInt8(step * 7)
      colors.append([0, 0, 0, grey])
      colors.append([grey, grey, grey, 255])
    }
    let palette = Quantizer.quantize([bitmap(colors, width: 2)], maximumColors: 4).palette.colors
    #expect(palette.count == 4)
    #expect(palette.contains(PaletteColor(red: 235, green: 235, blue: 235, alpha: 255)))
    #expect(palette.contains(PaletteColor(red: 0, green: 0, blue: 0, alpha: 255)))
  }

  @Test func `the error of a smooth ramp is small`() {
    let colors = (0..<1024).map { index -> [UInt8] in
      let components: [Int] = [index / 4, index / 4, index % 4 * 2, 255]
      return components.map { UInt8($0) }
    }
    let result = Quantizer.quantize([bitmap(colors, width: 32)], maximumColors: 255)
    for (color, index) in zip(colors, result.bitmaps[0].indices) {
      let entry = result.palette[index]
      #expect(abs(Int(entry.red) - Int(color[0])) <= 3)
      #expect(abs(Int(entry.blue) - Int(color[2])) <= 6)
    }
  }

  @Test func `nothing at all is transparent`() {
    let result = Quantizer.quantize(
      [RGBABitmap(width: 2, height: 1, filledWith: .transparent)], maximumColors: 4)
    #expect(result.palette.colors == [.transparent])
    #expect(result.bitmaps[0].indices == [0, 0])
    #expect(Quantizer.quantize([], maximumColors: 4).bitmaps.isEmpty)
  }
}
