// SPDX-License-Identifier: Apache-2.0
internal import Compositing
internal import Glibc
internal import MediaContainer
internal import PNGCoding
internal import SubtitleModel

extension Renderer {
  /// Writes each cue as a PNG file, and `manifest.json` that lists them.
  ///
  /// Files are named by number and start, `0001-00_00_01.300.png`. A cue whose picture is empty has
  /// an entry and no file. Nothing is written if one of the files exists and may not be replaced;
  /// where the work is ended early or fails, the pictures that it added are removed again.
  ///
  /// - Parameters:
  ///   - folder: Where the files go; made if absent.
  ///   - options: How to render.
  ///   - wholeCanvas: Whether the whole frame is written, and not only the cue's part of it.
  ///   - output: How files are written.
  ///   - progress: Called before each cue with the number of cues done.
  /// - Returns: The number of pictures written.
  /// - Throws: As ``picture(of:options:)``; `MediaError` of kind `.unwritable`; `PNGFault`.
  public func writeCues(
    to folder: String, options: RenderOptions, wholeCanvas: Bool, output: RenderOutput,
    progress: ((Int) -> Void)? = nil
  ) throws -> Int {
    try output.makeFolder(folder)
    let manifestPath = "\(folder)/manifest.json"
    try output.check(manifestPath)
    for cue in track.cues { try output.check("\(folder)/\(Self.fileName(of: cue))") }
    var entries: [RenderManifest.Entry] = []
    var written = 0
    // Pictures without their manifest are of no use: those that this run added go again.
    var added: [String] = []
    var isWhole = false
    defer { if !isWhole { for path in added { unlink(path) } } }
    for (position, cue) in track.cues.enumerated() {
      if cancellation?.isCancelled == true { throw CancellationError() }
      progress?(position)
      let picture = try picture(of: cue, options: options)
      let part =
        wholeCanvas
        ? PixelRect(x: 0, y: 0, width: picture.bitmap.width, height: picture.bitmap.height)
        : picture.touched
      var entry = RenderManifest.Entry(picture: picture, cue: cue, part: part)
      if !part.isEmpty {
        let name = Self.fileName(of: cue)
        let path = "\(folder)/\(name)"
        if access(path, F_OK) != 0 { added.append(path) }
        try output.write(try Self.png(picture, part: part, options: options), to: path)
        entry.file = name
        written += 1
      }
      entries.append(entry)
    }
    let manifest = RenderManifest(renderer: self, options: options, entries: entries)
    try output.write(Array(manifest.text.utf8), to: manifestPath)
    isWhole = true
    return written
  }

  /// The name of a cue's file.
  static func fileName(of cue: Cue) -> String {
    let number = String(cue.index + 1)
    let padded = String(repeating: "0", count: max(0, 4 - number.count)) + number
    let time = cue.start.description.map { $0 == ":" ? "_" : $0 }
    return "\(padded)-\(String(time)).png"
  }

  /// A part of a picture as PNG: with the cue's own palette where its pixels came unchanged.
  private static func png(
    _ picture: RenderedPicture, part: PixelRect, options: RenderOptions
  ) throws -> [UInt8] {
    if options.background == .transparent, picture.layout == .plain,
      let objects = picture.cue?.objects,
      objects.count == 1, let object = objects.first, object.rect == part,
      (1...256).contains(object.palette.colors.count),
      object.bitmap.indices.allSatisfy({ Int($0) < object.palette.colors.count })
    {
      return try PNG.encode(object.bitmap, palette: object.palette)
    }
    return try PNG.encode(picture.bitmap.cropped(to: part))
  }
}
