// SPDX-License-Identifier: Apache-2.0

/// The filter graph by which a server draws a bitmap track into the picture.
package struct FilterGraph {
  let plan: StreamPlan

  /// What the encoded video goes through when no track is drawn.
  var plain: String { (scaling + ["format=yuv420p"]).joined(separator: ",") }

  /// The graph of the main picture and a track; a track of a file of its own is the second input.
  func burning(_ track: FilmStream) -> String {
    if track.isText { return "[0:\(plan.video.containerIndex)]" + textual(track) }
    let input = track.isExternal ? 1 : 0
    let subtitle = "[\(input):\(track.containerIndex)]\(self.subtitle(track))[sub]"
    if plan.version.isEmby { return burningBeforeScaling(subtitle) }
    let main = "[0:\(plan.video.containerIndex)]\(plain)[main]"
    if plan.faults.contains(.double) {
      return "\(subtitle);\(main);[sub]split[sub1][sub2];[main][sub1]\(overlay())[once];"
        + "[once][sub2]\(overlay(raisedBy: plan.height / 8))"
    }
    return "\(subtitle);\(main);[main][sub]\(overlay())"
  }

  /// Emby's order: the track is drawn on the stored picture, which is scaled afterwards.
  private func burningBeforeScaling(_ subtitle: String) -> String {
    let main = "[0:\(plan.video.containerIndex)]"
    let finish = scaling.isEmpty ? "" : "," + scaling.joined(separator: ",")
    if plan.faults.contains(.double) {
      return "\(subtitle);[sub]split[sub1][sub2];\(main)[sub1]\(overlay())[once];"
        + "[once][sub2]\(overlay(raisedBy: plan.height / 8))\(finish)"
    }
    return "\(subtitle);\(main)[sub]\(overlay())\(finish)"
  }

  /// A text track is drawn by libass.
  private func textual(_ track: FilmStream) -> String {
    let place = plan.film.subtitles.filter {
      $0.path == track.path && $0.containerIndex < track.containerIndex
    }.count
    let path = Self.escaped(track.path ?? plan.film.path)
    return (scaling + ["subtitles=f=\(path):si=\(place)", "format=yuv420p"])
      .joined(separator: ",")
  }

  /// A path as an option of a filter in a graph: escaped once for the option, once for the graph.
  package static func escaped(_ path: String) -> String {
    var text = ""
    for character in path {
      if "\\':".contains(character) { text += "\\" }
      text.append(character)
    }
    var twice = ""
    for character in text {
      if "\\'[],;".contains(character) { twice += "\\" }
      twice.append(character)
    }
    return twice
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
    if plan.version.isEmby {
      let (width, height) = (plan.video.width ?? width, plan.video.height ?? height)
      return "scale=\(width):\(height):force_original_aspect_ratio=decrease"
    }
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
    case _ where plan.version.isEmby: options = []
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
    if plan.version.isEmby {
      // Places are those of the output, and this picture is still the stored one.
      x = Self.scaled(x, plan.video.width ?? plan.width, plan.width)
      y = Self.scaled(y, plan.video.height ?? plan.height, plan.height)
    }
    if x != 0 || y != 0 { options += ["x=\(x)", "y=\(y)"] }
    return options.isEmpty ? "overlay" : "overlay=" + options.joined(separator: ":")
  }

  /// A place in a picture scaled from `to` to `from` points; what no picture holds is cut.
  private static func scaled(_ value: Int, _ from: Int, _ to: Int) -> Int {
    let result = Double(value) * Double(from) / Double(max(to, 1))
    return Int(min(max(result, -1e6), 1e6).rounded())
  }
}
