// SPDX-License-Identifier: Apache-2.0
import Compositing
import SubtitleModel

/// A layout that is tried: its name and where it puts each canvas.
struct GeometryCandidate {
  var layout: Layout
  var placements: [Canvas: Placement]

  /// The layouts to try in a frame, the expected one first, each geometry once.
  ///
  /// Two layouts that put the corners of the claimed track's canvas within a pixel of each other
  /// count as one, under the earlier name.
  ///
  /// - Parameters:
  ///   - expected: The layout that comes first; nil for the usual order.
  ///   - canvas: The claimed track's canvas.
  ///   - canvases: Those of all tracks.
  ///   - frame: The size of the picture.
  ///   - tellsAll: Whether layouts that differ on any canvas are told apart, as a search for other
  ///     tracks needs it.
  /// - Returns: The candidates, each with the placement of every canvas.
  static func all(
    expected: Layout?, canvas: Canvas, canvases: Set<Canvas>, frame: Canvas, tellsAll: Bool = false
  ) -> [GeometryCandidate] {
    let order: [Layout] = [.jellyfin, .jellyfin109, .jellyfin108, .emby35, .plain]
    let layouts = (expected.map { [$0] } ?? []) + order.filter { $0 != expected }
    var result: [GeometryCandidate] = []
    for layout in layouts {
      let isKnown = result.contains { known in
        (tellsAll ? canvases : [canvas]).allSatisfy { each in
          guard let other = known.placements[each] else { return false }
          let placement = layout.placement(canvas: each, frame: frame)
          return placement.farthestCorner(from: other, on: each) <= 1
        }
      }
      if isKnown { continue }
      var placements: [Canvas: Placement] = [:]
      for each in canvases { placements[each] = layout.placement(canvas: each, frame: frame) }
      result.append(GeometryCandidate(layout: layout, placements: placements))
    }
    return result
  }

  /// Where the canvases of other tracks may lie besides where a candidate puts them.
  ///
  /// A server may lay out each canvas in a way of its own: with a size that it does not know, the
  /// filter chain of any version stretches a track to the frame.
  ///
  /// - Parameters:
  ///   - candidate: The layout in use.
  ///   - canvas: The claimed track's canvas, whose place is known.
  ///   - canvases: Those of all tracks.
  ///   - frame: The size of the picture.
  /// - Returns: For each other canvas its further places, each once.
  static func otherPlacements(
    than candidate: GeometryCandidate, canvas: Canvas, canvases: Set<Canvas>, frame: Canvas
  ) -> [Canvas: [Placement]] {
    var result: [Canvas: [Placement]] = [:]
    for each in canvases where each != canvas {
      let used = candidate.placements[each].map { [$0] } ?? []
      let places = Layout.allCases.map { $0.placement(canvas: each, frame: frame) }
      var distinct: [Placement] = []
      for place in places
      where (used + distinct).allSatisfy({ place.farthestCorner(from: $0, on: each) > 1 }) {
        distinct.append(place)
      }
      if !distinct.isEmpty { result[each] = distinct }
    }
    return result
  }
}

extension Placement {
  /// The largest distance, along an axis, between where two placements put a canvas's corners.
  func farthestCorner(from other: Placement, on canvas: Canvas) -> Double {
    var farthest = 0.0
    for x in [0, Double(canvas.width)] {
      farthest = max(
        farthest, abs((scaleX - other.scaleX) * x + offsetX - other.offsetX))
    }
    for y in [0, Double(canvas.height)] {
      farthest = max(
        farthest, abs((scaleY - other.scaleY) * y + offsetY - other.offsetY))
    }
    return farthest
  }
}
