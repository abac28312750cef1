// SPDX-License-Identifier: Apache-2.0

/// What a session knows beside its decision: geometry, colours, and what a search found where the
/// asked track is not to be seen.
public struct SessionFacts: Sendable, Hashable {
  /// Which geometry the picture has.
  public enum Geometry: Sendable, Hashable {
    /// That of the layout named here: the expected one, or any known one if none is expected.
    case layout(String)
    /// That of another known layout than the stated one.
    case otherLayout(found: String, expected: String)
    /// None that a known layout explains; scale against the expected one, offsets in frame pixels.
    case unexplained(expected: String, scale: Double, dx: Double, dy: Double)
    /// Not found, since no cue passed.
    case unknown(expected: String?)
  }

  /// What a search found after no cue of the asked track had passed.
  public enum Diagnosis: Sendable, Hashable {
    /// Cues of another track pass at the expected place.
    case anotherTrack(String)
    /// The cues appear at other times, later by that many seconds.
    case displacedInTime(Double)
    /// The cues appear elsewhere; scale against the expected one, offsets in frame pixels.
    case displaced(scale: Double, dx: Double, dy: Double)
  }

  /// How strong and how bright the text is against what the track says.
  public struct Colour: Sendable, Hashable {
    /// Brightness of the fill over that of the track; `nil` without a large enough fill.
    public var fillRatio: Double?
    /// Strength of the text over the expected one.
    public var slope: Double?
    /// Share of the ground that is covered, over the expected one; known with the source only.
    public var occlusion: Double?

    /// Makes a colour finding.
    public init(fillRatio: Double? = nil, slope: Double? = nil, occlusion: Double? = nil) {
      self.fillRatio = fillRatio
      self.slope = slope
      self.occlusion = occlusion
    }
  }

  /// What the picture was compared with.
  public var mode: VerificationResult.Mode
  /// Which geometry the picture has.
  public var geometry: Geometry
  /// Width of the frames, in pixels.
  public var frameWidth: Int
  /// Height of the frames, in pixels.
  public var frameHeight: Int
  /// Length of a frame of the decision, in seconds.
  public var secondsPerFrame: Double
  /// How the picture lies against the layout.
  public var calibration: VerificationResult.Calibration?
  /// Strength and brightness, medians over the passed cues.
  public var colour: Colour?
  /// Whether a second copy of the asked track was found.
  public var isDouble = false
  /// What a search found; counts only where no cue of the asked track passed.
  public var diagnosis: Diagnosis?
  /// Why no decision could be taken, a clause such as "2 of 5 segments came".
  public var obstacle: String?
  /// What was fetched.
  public var fetch: VerificationResult.Fetch?
  /// What else a reader should know.
  public var notes: [String] = []

  /// Makes facts with the least they need; the rest is set afterwards.
  public init(
    mode: VerificationResult.Mode, geometry: Geometry, frameWidth: Int, frameHeight: Int,
    secondsPerFrame: Double
  ) {
    self.mode = mode
    self.geometry = geometry
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    self.secondsPerFrame = secondsPerFrame
  }
}

extension SessionFacts.Colour {
  /// Part by which the fill may be off.
  static let fillTolerance = 0.12
  /// Frames up to this height blur text so far that its slope falls by itself.
  static let smallHeight = 300

  /// The least slope of text at full strength.
  static func leastSlope(frameHeight: Int) -> Double { frameHeight > smallHeight ? 0.75 : 0.6 }

  /// What is wrong with the text in frames of a height.
  ///
  /// Where the source shows how far the ground is covered, transparent text is faint and not also
  /// off-colour: its brightness is then that of the ground.
  func flags(frameHeight: Int) -> [VerificationFlag] {
    let least = Self.leastSlope(frameHeight: frameHeight)
    let isOff = fillRatio.map { abs($0 - 1) > Self.fillTolerance } ?? false
    if let occlusion {
      if occlusion < least { return [.faint] }
      return isOff ? [.offColour] : []
    }
    let isFaint = slope.map { $0 < least } ?? false
    return (isFaint ? [.faint] : []) + (isOff ? [.offColour] : [])
  }
}
