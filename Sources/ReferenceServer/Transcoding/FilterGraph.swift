// SPDX-License-Identifier: Apache-2.0

/// The filter graph by which a server draws a bitmap track into the picture.
struct FilterGraph {
  let plan: StreamPlan

  /// What the encoded video goes through when no track is drawn.
  var plain: String { (scaling + ["format=yuv420p"]).joined(separator: ",") }

  /// The graph of the main picture and a track.
  func burning(_ track: FilmStream) -> String {
    let subtitle = "[0:\(track.containerIndex)]\(self.subtitle(track))[sub]"
    let main = "[0:\(plan.video.containerIndex)]\(plain)[main]"
    if plan.faults.contains(.double) {
      return "\(subtitle);\(main);[sub]split[sub1][sub2];[main][sub1]\(overlay())[once];"
        + "[once][sub2]\(overlay(raisedBy: plan.height / 8))"
    }
    return "\(subtitle);\(main);[main][sub]\(overlay())"
  }

  private var scaling: [String] {
    plan.width == plan.video.width && plan.height == plan.video.height
      ? [] : ["scale=\(plan.width):\(plan.height)"]
  }

  private func subtitle(_ track: FilmStream) -> String {
    var chain = [placement(of: track)]
    for fault in plan.faults {
      switch fault {
      case .dim(let part): chain.append("format=yuva420p,lutyuv=a=val*\(part)")
      case .neverClear where !DoctoredFilms.dropsClears(in: plan):
        // The brightest of each pixel so far.
        chain.append("format=yuva420p,lagfun=decay=1")
      default: break
      }
    }
    return chain.joined(separator: ",")
  }

  /// From the track's canvas to the size of the output; differs between versions.
  private func placement(of track: FilmStream) -> String {
    let (width, height) = (plan.width, plan.height)
    if plan.version.line == 8 { return "scale=\(width):\(height):fast_bilinear" }
    if plan.version.line >= 10, let canvasWidth = track.width, let canvasHeight = track.height,
      canvasWidth > 0, canvasHeight > 0
    {
      let difference =
        Double(width) / Double(height) - Double(canvasWidth) / Double(canvasHeight)
      if abs(difference) < 0.01 { return "scale,scale=\(width):\(height):fast_bilinear" }
    }
    return "scale,scale=-1:\(height):fast_bilinear,crop,"
      + "pad=max(\(width)\\,iw):max(\(height)\\,ih):(ow-iw)/2:(oh-ih)/2:black@0,"
      + "crop=\(width):\(height)"
  }

  private func overlay(raisedBy rows: Int = 0) -> String {
    var options: [String]
    switch plan.version.line {
    case 8: options = ["eof_action=endall", "shortest=1", "repeatlast=0"]
    case 9: options = ["eof_action=pass"]
    default: options = ["eof_action=pass", "repeatlast=0"]
    }
    var (x, y) = (0, -rows)
    for fault in plan.faults {
      switch fault {
      case .shift(let right, let below):
        x += right
        y += below
      case .partial(let seconds): options.append("enable=lt(t\\,\(seconds))")
      default: break
      }
    }
    if x != 0 || y != 0 { options += ["x=\(x)", "y=\(y)"] }
    return "overlay=" + options.joined(separator: ":")
  }
}
