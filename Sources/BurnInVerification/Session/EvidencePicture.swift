// SPDX-License-Identifier: Apache-2.0
public import SubtitleModel

/// What should be on screen at a look, and what is.
public struct EvidencePicture: Sendable, Hashable {
  /// The look.
  public var look: EvidenceLook
  /// The source's frame, or flat grey in a blind session, with the cue drawn on it.
  public var expected: SamplePlane
  /// The transcode's frame.
  public var frame: SamplePlane
}

extension VerificationSession {
  /// The ground that cues are drawn on where there is no source: a dark grey of luma 60.
  private static let flatGround: UInt8 = 60

  /// Pictures of the last run's looks, in order of time; looks whose frame is gone are left out.
  public func evidencePictures() -> [EvidencePicture] {
    evidence.compactMap { look in
      guard let frame = frames.transcode(frame: look.frame),
        let cue = film.tracks[task.asked]?.first(where: { $0.index == look.cueIndex })
      else { return nil }
      var expected = SamplePlane(
        width: frame.width, height: frame.height,
        samples: [UInt8](repeating: Self.flatGround, count: frame.samples.count))
      if !task.isBlind {
        // A transcode's times play by two frames; the picture tells which frame it shows.
        let sources = frames.reference(frame: look.frame, neighbours: 2).filter {
          $0.width == frame.width && $0.height == frame.height
        }
        let nearest = sources.min { distance($0, frame) < distance($1, frame) }
        expected = nearest ?? expected
      }
      if let layer = eyes.layer(cue.key) { layer.draw(on: &expected) }
      return EvidencePicture(look: look, expected: expected, frame: frame)
    }
  }
}

/// How far two planes of one size differ, from every seventh sample.
private func distance(_ first: SamplePlane, _ second: SamplePlane) -> Int {
  stride(from: 0, to: first.samples.count, by: 7).reduce(0) { sum, place in
    sum + abs(Int(first.samples[place]) - Int(second.samples[place]))
  }
}

extension CueLayer {
  /// Draws the layer on a plane of luma, clipped to it.
  func draw(on plane: inout SamplePlane) {
    for row in 0..<height where (0..<plane.height).contains(y + row) {
      for column in 0..<width where (0..<plane.width).contains(x + column) {
        let place = row * width + column
        let strength = alpha[place]
        guard strength > 0 else { continue }
        let target = (y + row) * plane.width + x + column
        let mixed = Float(plane.samples[target]) * (1 - strength) + luma[place] * strength
        plane.samples[target] = UInt8(max(0, min(255, mixed.rounded())))
      }
    }
  }
}
