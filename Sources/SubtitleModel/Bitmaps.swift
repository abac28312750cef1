// SPDX-License-Identifier: Apache-2.0

/// One colour: full-range RGB of 8 bits a component with straight alpha, 255 is opaque.
public struct PaletteColor: Sendable, Hashable {
  /// Red, 0 to 255.
  public var red: UInt8
  /// Green, 0 to 255.
  public var green: UInt8
  /// Blue, 0 to 255.
  public var blue: UInt8
  /// Straight alpha: 0 is transparent, 255 opaque.
  public var alpha: UInt8

  /// Makes a colour of its components.
  public init(red: UInt8, green: UInt8, blue: UInt8, alpha: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Black with alpha 0.
  public static let transparent = PaletteColor(red: 0, green: 0, blue: 0, alpha: 0)
}

/// A colour table of 1 to 256 entries.
///
/// An index past its end is transparent.
public struct Palette: Sendable, Hashable {
  /// The colours, by index.
  public var colors: [PaletteColor]

  /// Makes a palette; entries past 256 are dropped.
  public init(colors: [PaletteColor]) { self.colors = Array(colors.prefix(256)) }

  /// The colour of an index, transparent where the table has none.
  public subscript(index: UInt8) -> PaletteColor {
    Int(index) < colors.count ? colors[Int(index)] : .transparent
  }
}

/// Pixels as palette indices, one byte a pixel.
///
/// Row major without padding: `width * height` bytes, origin top left.
public struct IndexedBitmap: Sendable, Hashable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Palette indices, row major, `width * height` of them.
  public let indices: [UInt8]

  /// Makes a bitmap.
  ///
  /// - Parameters:
  ///   - width: Columns, 0 or more.
  ///   - height: Rows, 0 or more.
  ///   - indices: Exactly `width * height` indices, row major.
  public init(width: Int, height: Int, indices: [UInt8]) {
    precondition(width >= 0 && height >= 0 && indices.count == width * height)
    self.width = width
    self.height = height
    self.indices = indices
  }
}

/// Pixels as 8-bit RGBA with straight alpha, full-range RGB.
///
/// Row major without padding: `4 * width * height` bytes in the order R, G, B, A, origin top left.
public struct RGBABitmap: Sendable, Hashable {
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int
  /// Components, row major, `4 * width * height` of them.
  public var bytes: [UInt8]

  /// Makes a bitmap of its bytes.
  ///
  /// - Parameters:
  ///   - width: Columns, 0 or more.
  ///   - height: Rows, 0 or more.
  ///   - bytes: Exactly `4 * width * height` bytes.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    precondition(width >= 0 && height >= 0 && bytes.count == 4 * width * height)
    self.width = width
    self.height = height
    self.bytes = bytes
  }

  /// Makes a bitmap of one colour.
  public init(width: Int, height: Int, filledWith color: PaletteColor) {
    precondition(width >= 0 && height >= 0)
    var bytes = [UInt8](repeating: 0, count: 4 * width * height)
    if color != .transparent {
      for pixel in 0..<(width * height) {
        bytes[4 * pixel] = color.red
        bytes[4 * pixel + 1] = color.green
        bytes[4 * pixel + 2] = color.blue
        bytes[4 * pixel + 3] = color.alpha
      }
    }
    self.init(width: width, height: height, bytes: bytes)
  }
}
