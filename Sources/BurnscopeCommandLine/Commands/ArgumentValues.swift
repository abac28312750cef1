// SPDX-License-Identifier: Apache-2.0
public import BurnInNegotiation
public import Burnscope
public import CommandArguments
public import Compositing
public import MediaServer
public import SubtitleModel

extension TrackSelector: ExpressibleByArgument {}
extension RenderBackground: ExpressibleByArgument {}
extension DumpFormat: ExpressibleByArgument {}
extension DecoderChoice: ExpressibleByArgument {}
extension RenderColors: ExpressibleByArgument {}
extension Layout: ExpressibleByArgument {}
extension SegmentContainer: ExpressibleByArgument {}
extension AutoPreferences.Mode: ExpressibleByArgument {}
extension Timestamp: ExpressibleByArgument {}

/// A frame size on the command line: `1920x800`.
struct FrameSize: ExpressibleByArgument {
  let canvas: Canvas

  init?(argument: String) {
    let sides = argument.split(separator: "x", omittingEmptySubsequences: false).map(Self.side)
    guard sides.count == 2, let width = sides[0], let height = sides[1] else { return nil }
    canvas = Canvas(width: width, height: height)
  }

  private static func side(_ digits: Substring) -> Int? {
    guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let value = Int(digits),
      (2...RenderOptions.maximumSide).contains(value)
    else { return nil }
    return value
  }
}
