// SPDX-License-Identifier: Apache-2.0
internal import Compositing
internal import PNGCoding
internal import SubtitleModel

extension Renderer {
  /// Writes a contact sheet of all cues: thumbnails in rows, each with its number and start.
  ///
  /// Each thumbnail is the cue's part of the frame, or on a video background the whole frame, at
  /// most in its own size. Forced cues are marked with F. More cues than a page holds go to further
  /// files, `name-2.png` and so on.
  ///
  /// - Parameters:
  ///   - path: The first page's file.
  ///   - options: How to render; thumbnails without a background lie on dark grey.
  ///   - output: How files are written.
  ///   - progress: Called before each cue with the number of cues done.
  /// - Returns: The files written.
  /// - Throws: As ``picture(of:options:)``; `MediaError` of kind `.unwritable`; `PNGFault`.
  public func writeSheet(
    to path: String, options: RenderOptions, output: RenderOutput,
    progress: ((Int) -> Void)? = nil
  ) throws -> [String] {
    let pages = stride(from: 0, to: max(1, track.cues.count), by: SheetPage.capacity).map { start in
      Array(track.cues[min(start, track.cues.count)...].prefix(SheetPage.capacity))
    }
    let names = pages.indices.map { Self.pageName(path, number: $0 + 1) }
    for name in names { try output.check(name) }
    var done = 0
    for (cues, name) in zip(pages, names) {
      var page = SheetPage(count: cues.count, options: options)
      for (position, cue) in cues.enumerated() {
        progress?(done)
        let picture = try picture(of: cue, options: options)
        let thumbnail =
          options.background == .video
          ? picture.bitmap : picture.bitmap.cropped(to: picture.touched)
        page.add(thumbnail, of: cue, at: position)
        done += 1
      }
      try output.write(try PNG.encode(page.bitmap), to: name)
    }
    return names
  }

  /// The file of a page: `name.png`, then `name-2.png` and so on.
  static func pageName(_ path: String, number: Int) -> String {
    guard number > 1 else { return path }
    let nameStart = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    guard let dot = path[nameStart...].lastIndex(of: "."), dot != nameStart else {
      return "\(path)-\(number)"
    }
    return "\(path[..<dot])-\(number)\(path[dot...])"
  }
}

/// One page of a contact sheet.
struct SheetPage {
  /// Thumbnails side by side.
  static let columns = 4
  /// Rows of thumbnails on a full page.
  static let rows = 20
  /// Thumbnails of a page: a page has at most 1664 by 3860 pixels.
  static let capacity = columns * rows

  private static let labelScale = 2
  private static let labelHeight = RenderFont.height * labelScale + 10
  private static let gap = 8

  private let thumbnail: Canvas
  private let background: PaletteColor
  private let columns: Int
  /// The page as it is so far.
  private(set) var bitmap: RGBABitmap

  init(count: Int, options: RenderOptions) {
    thumbnail =
      options.background == .video
      ? Canvas(width: 408, height: 230) : Canvas(width: 408, height: 160)
    if case .color(let color) = options.background {
      background = color
    } else {
      background = PaletteColor(red: 48, green: 48, blue: 52, alpha: 255)
    }
    columns = max(1, min(count, Self.columns))
    let rows = max(1, (count + Self.columns - 1) / Self.columns)
    bitmap = RGBABitmap(
      width: columns * (thumbnail.width + Self.gap) + Self.gap,
      height: rows * (thumbnail.height + Self.labelHeight + Self.gap) + Self.gap,
      filledWith: PaletteColor(red: 20, green: 20, blue: 22, alpha: 255))
  }

  /// Puts a picture into a place, scaled down to fit, with its label above.
  mutating func add(_ picture: RGBABitmap, of cue: Cue, at position: Int) {
    let left = Self.gap + position % columns * (thumbnail.width + Self.gap)
    let top = Self.gap + position / columns * (thumbnail.height + Self.labelHeight + Self.gap)
    RenderFont.draw(
      "#\(cue.index + 1) \(cue.start)" + (cue.isForced ? " F" : ""), on: &bitmap, x: left,
      y: top + 2, scale: Self.labelScale,
      color: PaletteColor(red: 255, green: 255, blue: 255, alpha: 255))
    let field = RGBABitmap(
      width: thumbnail.width, height: thumbnail.height, filledWith: background)
    bitmap.composite(field, x: left, y: top + Self.labelHeight)
    guard picture.width > 0, picture.height > 0 else { return }
    let small = picture.shrunk(toFit: thumbnail)
    bitmap.composite(
      small, x: left + (thumbnail.width - small.width) / 2,
      y: top + Self.labelHeight + (thumbnail.height - small.height) / 2)
  }
}
