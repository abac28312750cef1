// SPDX-License-Identifier: Apache-2.0
public import Compositing
public import SubtitleModel

/// What a rendered cue is drawn on.
public enum RenderBackground: Sendable, Hashable, LosslessStringConvertible {
  /// Nothing: the picture keeps its alpha.
  case transparent
  /// One opaque colour.
  case color(PaletteColor)
  /// The film's own frame.
  case video

  /// Reads `transparent`, `video` or `#RRGGBB`; nil for anything else.
  public init?(_ text: String) {
    switch text {
    case "transparent": self = .transparent
    case "video": self = .video
    default:
      let digits = text.dropFirst()
      guard text.first == "#", digits.utf8.count == 6, digits.allSatisfy(\.isHexDigit),
        let value = UInt32(digits, radix: 16)
      else { return nil }
      self = .color(
        PaletteColor(
          red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255),
          alpha: 255))
    }
  }

  /// The form that is read.
  public var description: String {
    switch self {
    case .transparent: return "transparent"
    case .video: return "video"
    case .color(let color):
      let digits = [color.red, color.green, color.blue].map { component in
        let text = String(component, radix: 16, uppercase: true)
        return text.count < 2 ? "0" + text : text
      }
      return "#" + digits.joined()
    }
  }
}

/// By whose habits colours are converted and objects are drawn.
public enum RenderColors: String, Sendable, Hashable, CaseIterable {
  /// As the servers' FFmpeg does: BT.601 for every video, objects copied, none past the canvas.
  case server
  /// As authored: the video's own matrix, objects composited and clipped.
  case authored
}

/// How cues are rendered.
public struct RenderOptions: Sendable, Hashable {
  /// What the cue is drawn on.
  public var background: RenderBackground
  /// The frame's size; nil for the video's, or the canvas's without one.
  public var size: Canvas?
  /// How the canvas is laid out in the frame; nil for ``defaultLayout(on:)``.
  public var layout: Layout?
  /// By whose habits colours are converted and objects drawn.
  public var colors: RenderColors

  /// The largest width and height of a frame.
  public static let maximumSide = 16384

  /// Makes options; by default the bare canvas as a server decodes it.
  public init(
    background: RenderBackground = .transparent, size: Canvas? = nil, layout: Layout? = nil,
    colors: RenderColors = .server
  ) {
    self.background = background
    self.size = size
    self.layout = layout
    self.colors = colors
  }

  /// The layout where none is stated: `jellyfin` on video, else `plain`.
  public static func defaultLayout(on background: RenderBackground) -> Layout {
    background == .video ? .jellyfin : .plain
  }

  /// The layout that is used.
  public var effectiveLayout: Layout { layout ?? Self.defaultLayout(on: background) }

  /// How objects come onto the canvas.
  var habit: DrawingHabit { colors == .server ? .server : .authored }
}

/// A rendered picture and what is in it.
public struct RenderedPicture: Sendable {
  /// The pixels, of the frame's size, RGBA with straight alpha.
  public var bitmap: RGBABitmap
  /// The same in the video's own Y'CbCr; nil without a video background.
  public var planes: PlanarFrame?
  /// The cue that is drawn; nil where none is on screen.
  public var cue: Cue?
  /// When it is: the video frame's own time, or the time asked for without video.
  public var time: Timestamp
  /// Where the canvas lies in the frame.
  public var placement: Placement
  /// How the canvas is laid out in the frame.
  public var layout: Layout
  /// Positions of the cue's objects that FFmpeg leaves out, and so this picture does.
  public var leftOut: [Int]

  /// The part of the frame that the cue can have touched, two pixels of a scaler's blur included.
  public var touched: PixelRect {
    let whole = PixelRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height)
    guard let cue else { return PixelRect(x: 0, y: 0, width: 0, height: 0) }
    var rect = placement.frameRect(of: cue.bounds)
    if layout != .plain && !rect.isEmpty {
      rect = PixelRect(
        x: rect.x - 2, y: rect.y - 2, width: rect.width + 4, height: rect.height + 4)
    }
    return rect.intersection(whole)
  }
}
