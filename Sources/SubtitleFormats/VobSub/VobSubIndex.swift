// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// What an .idx file says, or the head of one that a container keeps as private data.
package struct VobSubIndex: Sendable, Hashable {
  /// One sub-picture of a track.
  package struct Entry: Sendable, Hashable {
    /// Its time with delays added; nil where the line could not be read.
    package var time: Timestamp?
    /// Where its pack begins in the .sub file, in bytes.
    package var position: Int64

    /// Makes an entry.
    package init(time: Timestamp?, position: Int64) {
      self.time = time
      self.position = position
    }
  }

  /// One stream of the .sub file.
  package struct Track: Sendable, Hashable {
    /// `id:` the language, two letters as a rule; `--` where unknown.
    package var language: String
    /// `index:` the stream's number: its packets have the id 0x20 and this.
    package var index: Int
    /// `alt:` the title.
    package var title: String?
    /// The sub-pictures, in the file's order.
    package var entries: [Entry] = []

    /// Makes a track without sub-pictures.
    package init(language: String, index: Int) {
      self.language = language
      self.index = index
    }
  }

  /// Colours that the file sets in place of the stream's.
  package struct CustomColors: Sendable, Hashable {
    /// Whether they are used.
    package var isOn: Bool
    /// `tridx:` which pixel codes are transparent.
    package var transparent: [Bool]
    /// The colours of the four pixel codes.
    package var colors: [PaletteColor]

    /// Makes colours; four of each.
    package init(isOn: Bool, transparent: [Bool], colors: [PaletteColor]) {
      self.isOn = isOn
      self.transparent = (0..<4).map { $0 < transparent.count && transparent[$0] }
      self.colors = (0..<4).map { $0 < colors.count ? colors[$0] : .transparent }
    }
  }

  /// `align:` where pictures are moved to.
  package struct Alignment: Sendable, Hashable {
    /// Whether they are moved at all.
    package var isOn: Bool
    /// `LEFT`, `CENTER` or `RIGHT`.
    package var horizontal: String
    /// `TOP`, `CENTER` or `BOTTOM`.
    package var vertical: String

    /// Makes an alignment.
    package init(isOn: Bool, horizontal: String, vertical: String) {
      self.isOn = isOn
      self.horizontal = horizontal
      self.vertical = vertical
    }
  }

  /// `size:` the canvas.
  package var canvas: Canvas?
  /// `org:` added to every place, in pixels.
  package var origin: (x: Int, y: Int) = (0, 0)
  /// `scale:` in percent, horizontally and vertically.
  package var scale: (x: Int, y: Int) = (100, 100)
  /// `alpha:` opacity of everything, in percent.
  package var alpha = 100
  /// `smooth:` `OFF`, `ON` or `OLD`.
  package var smooth = "OFF"
  /// `fadein/out:` in milliseconds.
  package var fade: (fadeIn: Int, fadeOut: Int) = (0, 0)
  /// `align:`.
  package var alignment = Alignment(isOn: false, horizontal: "LEFT", vertical: "TOP")
  /// `time offset:` added to every time.
  package var timeOffset = Timestamp.zero
  /// `forced subs:` whether only forced sub-pictures are meant to be shown.
  package var showsOnlyForced = false
  /// `palette:` 16 colours; nil where the file has none.
  package var palette: [PaletteColor]?
  /// `custom colors:`.
  package var customColors: CustomColors?
  /// `langidx:` the track that is on by default.
  package var defaultTrack: Int?
  /// The tracks.
  package var tracks: [Track] = []

  /// Makes an index without tracks.
  package init() {}

  package static func == (left: Self, right: Self) -> Bool {
    left.canvas == right.canvas && left.origin == right.origin && left.scale == right.scale
      && left.alpha == right.alpha && left.smooth == right.smooth && left.fade == right.fade
      && left.alignment == right.alignment && left.timeOffset == right.timeOffset
      && left.showsOnlyForced == right.showsOnlyForced && left.palette == right.palette
      && left.customColors == right.customColors && left.defaultTrack == right.defaultTrack
      && left.tracks == right.tracks
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(canvas)
    hasher.combine(palette)
    hasher.combine(tracks)
  }
}

extension VobSubIndex {
  /// The text of an .idx file that says the same.
  package var text: String {
    var lines = ["# VobSub index file, v7 (do not modify this line!)", "#"]
    if let canvas { lines.append("size: \(canvas)") }
    lines += [
      "org: \(origin.x), \(origin.y)", "scale: \(scale.x)%, \(scale.y)%", "alpha: \(alpha)%",
      "smooth: \(smooth)", "fadein/out: \(fade.fadeIn), \(fade.fadeOut)",
      "align: \(alignment.isOn ? "ON" : "OFF") at \(alignment.horizontal) \(alignment.vertical)",
      "time offset: \(timeOffset.milliseconds)", "forced subs: \(showsOnlyForced ? "ON" : "OFF")",
    ]
    if let palette { lines.append("palette: \(palette.map(Self.hex).joined(separator: ", "))") }
    if let custom = customColors {
      let transparent = custom.transparent.map { $0 ? "1" : "0" }.joined()
      lines.append(
        "custom colors: \(custom.isOn ? "ON" : "OFF"), tridx: \(transparent), colors: "
          + custom.colors.map(Self.hex).joined(separator: ", "))
    }
    if let defaultTrack { lines.append("langidx: \(defaultTrack)") }
    for track in tracks {
      lines += ["", "id: \(track.language), index: \(track.index)"]
      if let title = track.title { lines.append("alt: \(title)") }
      for entry in track.entries {
        let time = (entry.time ?? .zero) - timeOffset
        let clock = String(time.description.map { $0 == "." ? ":" : $0 })
        lines.append(
          "timestamp: \(clock), filepos: \(Self.padded(String(entry.position, radix: 16), 9))")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }

  private static func hex(_ color: PaletteColor) -> String {
    let value = Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
    return padded(String(value, radix: 16), 6)
  }
}
