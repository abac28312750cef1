// SPDX-License-Identifier: Apache-2.0
public import PNGCoding
public import SubtitleModel

/// Luma planes as grey PNG pictures.
public enum LumaPicture {
  /// Limited-range luma as grey: 16 becomes black, 235 white.
  private static let greys = Palette(
    colors: (0..<256).map { luma in
      let level = UInt8(max(0, min(255, ((Double(luma) - 16) * 255 / 219).rounded())))
      return PaletteColor(red: level, green: level, blue: level, alpha: 255)
    })

  /// Differences as grey: none is black, 64 steps of luma and more are white.
  private static let differences = Palette(
    colors: (0..<256).map { difference in
      let level = UInt8(min(255, difference * 4))
      return PaletteColor(red: level, green: level, blue: level, alpha: 255)
    })

  /// A plane of limited-range luma as a PNG.
  ///
  /// - Parameter plane: The samples.
  /// - Returns: The file's bytes.
  /// - Throws: ``PNGFault`` if the picture is too large.
  public static func png(_ plane: SamplePlane) throws(PNGFault) -> [UInt8] {
    try PNG.encode(
      IndexedBitmap(width: plane.width, height: plane.height, indices: plane.samples),
      palette: greys)
  }

  /// The distance of two planes of one size, four times as strong, as a PNG.
  ///
  /// - Parameters:
  ///   - first: The samples.
  ///   - second: As many others.
  /// - Returns: The file's bytes.
  /// - Throws: ``PNGFault`` if the picture is too large.
  public static func differencePNG(
    _ first: SamplePlane, _ second: SamplePlane
  ) throws(PNGFault) -> [UInt8] {
    precondition(first.width == second.width && first.height == second.height)
    let indices = zip(first.samples, second.samples).map { $0 > $1 ? $0 - $1 : $1 - $0 }
    return try PNG.encode(
      IndexedBitmap(width: first.width, height: first.height, indices: indices),
      palette: differences)
  }
}
