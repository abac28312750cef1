// SPDX-License-Identifier: Apache-2.0

/// What one frame says about one cue being on screen in it.
public struct Measurement: Sendable, Hashable {
  /// The decision number, `min(eta / 0.5, z / 4.5)`.
  ///
  /// At 1 and above both parts say yes; -1 if the layer lies outside the frame.
  public var u: Double
  /// The share of the expected edge energy that is found.
  public var eta: Double
  /// The score's margin over decoys made of the same bitmap, in their spread.
  public var z: Double
  /// The score: soft-normalised gradient of the frame along the template's, at most 1.
  public var g: Double
  /// The score that the bitmap, drawn on the estimated ground, would have; also the measure of
  /// contrast.
  public var gStar: Double
  /// Frame pixels to the right at which the best score was found.
  public var dx: Int
  /// Frame pixels down at which the best score was found.
  public var dy: Int
  /// How the frame's luma rises with the layer's on opaque pixels, 1 as authored; nil if the layer
  /// has one luma or hardly an opaque pixel.
  public var slope: Double?
  /// The frame's luma on the bright fill over the layer's, medians, 1 as authored; nil without one.
  public var fill: Double?
  /// The energy share of text cells that are found by themselves.
  public var coverage: Double
  /// Number of text cells.
  public var blocks: Int
  /// Strength of the edges, not normalised: 1 is full strength, a codec's ghost has 0.25 or less.
  public var gain: Double
  /// Number of decoys.
  public var decoyCount: Int
  /// Whether the layer lies outside the frame.
  public var isOff: Bool

  /// Makes a measurement of its numbers.
  public init(
    u: Double, eta: Double, z: Double, g: Double, gStar: Double, dx: Int, dy: Int, slope: Double?,
    fill: Double?, coverage: Double, blocks: Int, gain: Double, decoyCount: Int, isOff: Bool
  ) {
    self.u = u
    self.eta = eta
    self.z = z
    self.g = g
    self.gStar = gStar
    self.dx = dx
    self.dy = dy
    self.slope = slope
    self.fill = fill
    self.coverage = coverage
    self.blocks = blocks
    self.gain = gain
    self.decoyCount = decoyCount
    self.isOff = isOff
  }

  /// The measurement of a layer that lies outside the frame, which counts as void.
  public static let off = Measurement(
    u: -1, eta: 0, z: 0, g: 0, gStar: 0, dx: 0, dy: 0, slope: nil, fill: nil, coverage: 0,
    blocks: 0, gain: 0, decoyCount: 0, isOff: true)

  /// The constants of the statistic, as measured on encoded film.
  public enum Threshold {
    /// eta that makes u = 1.
    public static let eta = 0.50
    /// z that makes u = 1.
    public static let z = 4.5
    /// The least expected score; below it the text has too little contrast to its ground.
    public static let gStar = 0.35
    /// The least share of text cells found by themselves.
    public static let coverage = 0.75
    /// The least strength of the edges.
    public static let gain = 0.15
    /// u of a probe of the reference frame from which on the source itself shows the text.
    public static let referenceU = 0.5
    /// The share of the gain seen while the cue was on screen from which on it is still there.
    public static let stillGain = 0.35
  }

  /// Whether the probe says nothing: off the frame, or text without contrast to its ground.
  public var isVoid: Bool { gStar < Threshold.gStar }

  /// Whether the bitmap is on screen.
  public var passes: Bool {
    !isVoid && u >= 1 && coverage >= Threshold.coverage && gain >= Threshold.gain
  }

  /// Natural log of the evidence that the bitmap is on screen, capped: 5 for a pass to -4; 0 if
  /// void.
  public var evidence: Double {
    if isVoid { return 0 }
    if passes { return 5 }
    if u >= 0.85 && coverage >= 0.6 { return 1 }
    return u >= 0.7 ? 0 : u >= 0.5 ? -1.5 : -4
  }

  /// Whether the reference, of which this is a probe, shows the text itself: then the probe of the
  /// frame counts as void.
  public var isAlreadyInSource: Bool { u >= Threshold.referenceU }
}
