// SPDX-License-Identifier: Apache-2.0
import CLibPNG
public import SubtitleModel

/// Writing and reading PNG images, through libpng's simplified interface.
///
/// Only that interface is used: libpng's other one leaves by `longjmp`, which must never cross a
/// Swift frame. Alpha is straight on both sides. Sample values are taken as they stand: no gamma
/// or colour profile is applied on reading; writing marks the file as sRGB.
public enum PNG {
  /// The most pixels that ``decodeRGBA(_:maximumPixels:)`` accepts unless told otherwise.
  ///
  /// 8192 by 8192, 256 MiB as RGBA: twice an 8K frame, and far above any subtitle canvas.
  public static let defaultMaximumPixels = 8192 * 8192

  /// The most columns or rows written: libpng's own default limit (`PNG_USER_WIDTH_MAX`).
  static let maximumSide = 1_000_000

  /// Encodes a bitmap as RGBA PNG with 8 bits a component.
  ///
  /// - Parameters:
  ///   - bitmap: The pixels, straight alpha; at least one.
  ///   - isFast: Whether to spend less time on compression: about 7 times faster and a third larger.
  /// - Returns: The bytes of the PNG file.
  /// - Throws: `.unencodable` for an empty bitmap, `.writing` if libpng fails.
  public static func encode(
    _ bitmap: RGBABitmap, isFast: Bool = false
  ) throws(PNGFault) -> [UInt8] {
    try write(
      width: bitmap.width, height: bitmap.height, format: Format.rgba, bytesPerPixel: 4,
      pixels: bitmap.bytes, colors: [], isFast: isFast)
  }

  /// Encodes a bitmap as indexed PNG, palette and pixels kept as they are.
  ///
  /// - Parameters:
  ///   - bitmap: The indices; at least one pixel.
  ///   - palette: The colours, straight alpha. An index past its end is written as transparent.
  /// - Returns: The bytes of the PNG file.
  /// - Throws: `.unencodable` for an empty bitmap, `.writing` if libpng fails.
  public static func encode(
    _ bitmap: IndexedBitmap, palette: Palette
  ) throws(PNGFault) -> [UInt8] {
    let used = Int(bitmap.indices.max() ?? 0) + 1
    let colors = (0..<max(used, palette.colors.count)).flatMap { index -> [UInt8] in
      let color = palette[UInt8(index)]
      return [color.red, color.green, color.blue, color.alpha]
    }
    return try write(
      width: bitmap.width, height: bitmap.height, format: Format.rgbaColormap, bytesPerPixel: 1,
      pixels: bitmap.indices, colors: colors, isFast: false)
  }

  /// Decodes any PNG to 8-bit RGBA with straight alpha.
  ///
  /// Grey, indexed and deeper images are converted; values are taken as stored, whatever gamma,
  /// profile or chromaticities the file names.
  ///
  /// - Parameters:
  ///   - bytes: The whole file.
  ///   - maximumPixels: The most pixels accepted, checked before anything is allocated.
  /// - Returns: The bitmap.
  /// - Throws: `.notPNG`, `.tooLarge`, or `.damaged` with libpng's reason.
  public static func decodeRGBA(
    _ bytes: [UInt8], maximumPixels: Int = defaultMaximumPixels
  ) throws(PNGFault) -> RGBABitmap {
    guard bytes.starts(with: PNGChunks.signature) else { throw .notPNG }
    let bare = PNGChunks.withoutColorManagement(bytes)
    var image = newImage()
    defer { png_image_free(&image) }
    let result: Result<RGBABitmap, PNGFault> = bare.withUnsafeBytes { file in
      guard png_image_begin_read_from_memory(&image, file.baseAddress, file.count) != 0 else {
        return .failure(.damaged(message(of: image)))
      }
      let (width, height) = (Int(image.width), Int(image.height))
      let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
      guard !overflow, pixels <= maximumPixels, pixels <= Int(Int32.max) / 4 else {
        return .failure(.tooLarge(width: width, height: height, maximumPixels: maximumPixels))
      }
      image.format = Format.rgba
      // Without this flag 16-bit samples would be taken as linear light and gamma-coded.
      image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB)
      var isRead = false
      let samples = [UInt8](unsafeUninitializedCapacity: 4 * pixels) { buffer, count in
        buffer.initialize(repeating: 0)
        isRead = png_image_finish_read(&image, nil, buffer.baseAddress, 0, nil) != 0
        count = 4 * pixels
      }
      guard isRead else { return .failure(.damaged(message(of: image))) }
      return .success(RGBABitmap(width: width, height: height, bytes: samples))
    }
    return try result.get()
  }
}

extension PNG {
  /// libpng's format numbers; its composed macros are not visible in Swift, its flags are.
  private enum Format {
    static let rgba = UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA)
    static let rgbaColormap = rgba | UInt32(PNG_FORMAT_FLAG_COLORMAP)
  }

  private static func newImage() -> png_image {
    var image = png_image()
    image.version = UInt32(PNG_IMAGE_VERSION)
    return image
  }

  /// The text libpng left in the image.
  private static func message(of image: png_image) -> String {
    withUnsafeBytes(of: image.message) { bytes in
      String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    }
  }

  private static func write(
    width: Int, height: Int, format: UInt32, bytesPerPixel: Int, pixels: [UInt8], colors: [UInt8],
    isFast: Bool
  ) throws(PNGFault) -> [UInt8] {
    guard (1...maximumSide).contains(width), (1...maximumSide).contains(height) else {
      throw .unencodable(width: width, height: height)
    }
    var image = newImage()
    defer { png_image_free(&image) }
    image.width = UInt32(width)
    image.height = UInt32(height)
    image.format = format
    image.colormap_entries = UInt32(colors.count / 4)
    image.flags = isFast ? UInt32(PNG_IMAGE_FLAG_FAST) : 0
    // Above what deflate can grow to (stored blocks, chunk frames of 8 kB, header, palette).
    let rows = height * (width * bytesPerPixel + 1)
    var size = rows + rows / 8 + rows / 64 + 4096
    var isWritten = false
    let file = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      isWritten =
        png_image_write_to_memory(
          &image, buffer.baseAddress, &size, 0, pixels, 0, colors.isEmpty ? nil : colors) != 0
      count = isWritten ? size : 0
    }
    guard isWritten else { throw .writing(message(of: image)) }
    return Array(file[...])
  }
}
