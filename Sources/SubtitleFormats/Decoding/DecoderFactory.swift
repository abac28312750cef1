// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// What is known of a track before its first packet.
package struct DecoderSetup: Sendable, Hashable {
  /// The codec's private data, as Matroska and libavformat have it; empty where there is none.
  package var privateData: [UInt8] = []
  /// The container's tag of the coding, such as `DXSA`.
  package var codecTag: String?
  /// The size of the film, for codings whose packets do not state a canvas.
  package var videoSize: Canvas?
  /// How Y'CbCr palettes are converted; nil takes each format's custom.
  package var conversion: PaletteConversion?
  /// Whether the first error is thrown.
  package var strictness = Strictness.lenient

  /// Makes a setup that knows nothing.
  package init() {}
}

extension SubtitleCodec {
  /// Makes the native decoder of a coding; nil if it is none of bitmaps.
  package func nativeDecoder(_ setup: DecoderSetup) -> (any SubtitleDecoder)? {
    switch self {
    case .pgs:
      var options = PGSDecoder.Options()
      options.conversion = setup.conversion
      options.strictness = setup.strictness
      return PGSDecoder(options: options)
    case .vobsub:
      var options = VobSubDecoder.Options()
      options.canvas = setup.videoSize
      options.strictness = setup.strictness
      return VobSubDecoder(privateData: setup.privateData, options: options)
    case .dvb:
      var options = DVBDecoder.Options()
      if let conversion = setup.conversion { options.conversion = conversion }
      options.strictness = setup.strictness
      return DVBDecoder(privateData: setup.privateData, options: options)
    case .xsub:
      var options = XSUBDecoder.Options()
      options.hasAlpha = XSUBDecoder.hasAlpha(setup.codecTag)
      options.canvas = setup.videoSize
      options.strictness = setup.strictness
      return XSUBDecoder(options: options)
    case .teletext, .text, .unknown: return nil
    }
  }
}
