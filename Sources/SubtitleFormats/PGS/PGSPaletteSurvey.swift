// SPDX-License-Identifier: Apache-2.0

/// What the palettes of a track say of the colours that they were made for.
///
/// A guess, and marked as one: the stream itself states neither range nor transfer function.
public struct PGSPaletteSurvey: Sendable, Hashable {
  /// What palettes were made for.
  public enum Kind: String, Sendable, Hashable, Codable {
    /// Standard dynamic range, limited codes: 235 is white.
    case limited
    /// Standard dynamic range with codes above 235 or below 16.
    case full
    /// The PQ curve of SMPTE ST 2084, where white of 203 nit has a code near 143.
    case pq
    /// Too little to tell.
    case unknown
  }

  /// The code of 203 nit, diffuse white of ITU-R BT.2408, on the PQ curve in the limited range.
  ///
  /// The signal is 0.5806; 16 + 219 * 0.5806 is 143.
  public static let diffuseWhite = 143
  /// The brightest code of a palette made for PQ: 0.70, which is about 650 nit.
  private static let brightestPQ = 169
  /// The least of a brightest code that can be a white at all: 0.45 of PQ, about 58 nit.
  private static let dimmestWhite = 115

  /// The brightest luma of any opaque colour of small chroma; nil without one.
  public private(set) var brightestNeutral: UInt8?
  /// The brightest luma of any visible colour.
  public private(set) var brightest: UInt8 = 0
  /// The darkest luma of any visible colour; 255 without one.
  public private(set) var darkest: UInt8 = 255
  /// Visible colours seen.
  public private(set) var colorCount = 0

  /// Makes a survey of nothing.
  public init() {}

  /// Takes a palette definition.
  package mutating func add(_ palette: PaletteDefinitionSegment) {
    for (_, entry) in palette.entries where entry.alpha > 0 {
      colorCount += 1
      brightest = max(brightest, entry.luma)
      darkest = min(darkest, entry.luma)
      let isNeutral = (120...136).contains(entry.cb) && (120...136).contains(entry.cr)
      if isNeutral, entry.alpha >= 128 { brightestNeutral = max(brightestNeutral ?? 0, entry.luma) }
    }
  }

  /// The guess.
  public var kind: Kind {
    guard colorCount > 0, let white = brightestNeutral else { return .unknown }
    if brightest > 235 || darkest < 16 && brightest > 200 { return .full }
    if Int(brightest) <= Self.brightestPQ {
      return Int(white) >= Self.dimmestWhite ? .pq : .unknown
    }
    return .limited
  }

  /// Whether the palettes look as if made for high dynamic range; nil if there is too little to tell.
  public var looksHDR: Bool? {
    switch kind {
    case .pq: true
    case .limited, .full: false
    case .unknown: nil
    }
  }
}
