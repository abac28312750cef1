// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

extension MatroskaTrack {
  /// The tracks of a Tracks element, with the stream indices that FFmpeg gives them.
  ///
  /// FFmpeg makes no stream of a track without a codec or of a kind that it does not know, so those
  /// are left out here and take no index.
  ///
  /// - Parameters:
  ///   - reader: The element's data.
  ///   - faults: Faults of single tracks, whose other fields are kept.
  /// - Returns: The tracks, in file order.
  static func parseAll(_ reader: ByteReader, faults: inout [ReadFault]) -> [MatroskaTrack] {
    var reader = reader
    var tracks: [MatroskaTrack] = []
    while !reader.isAtEnd {
      do throws(ReadFault) {
        var (id, data) = try reader.child()
        guard id == ElementID.trackEntry else { continue }
        guard tracks.count < Limits.tracks else {
          throw data.fault(
            .limitExceeded(
              limit: "count of tracks", value: Int64(tracks.count) + 1,
              maximum: Int64(Limits.tracks)))
        }
        var parser = TrackEntryParser()
        do throws(ReadFault) { try parser.parse(&data) } catch { faults.append(error) }
        guard var track = parser.finished() else { continue }
        track.streamIndex = tracks.count
        tracks.append(track)
      } catch {
        faults.append(error)
        break
      }
    }
    return tracks
  }
}

/// Gathers one TrackEntry.
private struct TrackEntryParser {
  private var track = MatroskaTrack()
  private var type: UInt64 = 0
  private var encodings: [ContentEncoding] = []

  /// One packing step of a track (RFC 9559, 5.1.4.1.31).
  private struct ContentEncoding {
    /// Bit 1: frames, bit 2: the codec's private data.
    var scope: UInt64 = 1
    /// 0 is compression, 1 encryption.
    var type: UInt64 = 0
    /// 0 zlib, 1 bzlib, 2 lzo1x, 3 header stripping.
    var algorithm: UInt64 = 0
    var settings: [UInt8] = []

    var packing: MatroskaTrack.Packing {
      guard type == 0 else { return .needsDecoder("the track is encrypted") }
      switch algorithm {
      case 0: return .zlib
      case 1: return .needsDecoder("the track is compressed with bzlib")
      case 2: return .needsDecoder("the track is compressed with LZO")
      case 3: return .strippedHeader(settings)
      default: return .needsDecoder("the track is compressed with unknown method \(algorithm)")
      }
    }
  }

  mutating func parse(_ reader: inout ByteReader) throws(ReadFault) {
    while !reader.isAtEnd {
      var (id, data) = try reader.child()
      switch id {
      case ElementID.trackNumber: track.number = try data.unsignedValue()
      case ElementID.trackUID: track.uid = try data.unsignedValue()
      case ElementID.trackType: type = try data.unsignedValue()
      case ElementID.codecID: track.codecID = data.textValue()
      case ElementID.codecPrivate: track.codecPrivate = data.rest()
      case ElementID.name: track.name = data.textValue()
      case ElementID.language:
        let text = data.textValue()
        track.language = text == "und" || text.isEmpty ? nil : text
      case ElementID.languageBCP47:
        let text = data.textValue()
        track.languageTag = text == "und" || text.isEmpty ? nil : text
      case ElementID.defaultDuration: track.defaultDuration = try data.unsignedValue()
      case ElementID.codecDelay: track.codecDelay = try data.unsignedValue()
      case ElementID.video: try parseVideo(&data)
      case ElementID.contentEncodings: try parseEncodings(&data)
      default: try parseFlag(id, &data)
      }
    }
  }

  private mutating func parseFlag(_ id: UInt32, _ data: inout ByteReader) throws(ReadFault) {
    let flag: TrackFlags
    switch id {
    case ElementID.flagDefault: flag = .default
    case ElementID.flagForced: flag = .forced
    case ElementID.flagHearingImpaired: flag = .hearingImpaired
    case ElementID.flagVisualImpaired: flag = .visualImpaired
    case ElementID.flagTextDescriptions: flag = .descriptions
    case ElementID.flagCommentary: flag = .commentary
    case ElementID.flagOriginal:
      // Said to be not the original is said to be a translation.
      let isOriginal = try data.unsignedValue() != 0
      track.flags.insert(isOriginal ? .original : .dub)
      return
    default: return
    }
    if try data.unsignedValue() != 0 { track.flags.insert(flag) } else { track.flags.remove(flag) }
  }

  private mutating func parseVideo(_ reader: inout ByteReader) throws(ReadFault) {
    while !reader.isAtEnd {
      var (id, data) = try reader.child()
      switch id {
      case ElementID.pixelWidth: track.pixelWidth = Int(clamping: try data.unsignedValue())
      case ElementID.pixelHeight: track.pixelHeight = Int(clamping: try data.unsignedValue())
      case ElementID.displayWidth: track.displayWidth = Int(clamping: try data.unsignedValue())
      case ElementID.displayHeight: track.displayHeight = Int(clamping: try data.unsignedValue())
      case ElementID.displayUnit: track.displayUnit = Int(clamping: try data.unsignedValue())
      case ElementID.colour:
        while !data.isAtEnd {
          var (id, value) = try data.child()
          if id == ElementID.matrixCoefficients {
            track.matrixCoefficients = Int(clamping: try value.unsignedValue())
          }
        }
      default: break
      }
    }
  }

  private mutating func parseEncodings(_ reader: inout ByteReader) throws(ReadFault) {
    while !reader.isAtEnd {
      var (id, data) = try reader.child()
      guard id == ElementID.contentEncoding else { continue }
      guard encodings.count < Limits.contentEncodings else {
        throw data.fault(
          .limitExceeded(
            limit: "count of content encodings", value: Int64(encodings.count) + 1,
            maximum: Int64(Limits.contentEncodings)))
      }
      var encoding = ContentEncoding()
      while !data.isAtEnd {
        var (id, value) = try data.child()
        switch id {
        case ElementID.contentEncodingScope: encoding.scope = try value.unsignedValue()
        case ElementID.contentEncodingType: encoding.type = try value.unsignedValue()
        case ElementID.contentCompression:
          while !value.isAtEnd {
            var (id, setting) = try value.child()
            switch id {
            case ElementID.contentCompAlgo: encoding.algorithm = try setting.unsignedValue()
            case ElementID.contentCompSettings: encoding.settings = setting.rest()
            default: break
            }
          }
        default: break
        }
      }
      encodings.append(encoding)
    }
  }

  /// The track, or nil if FFmpeg makes no stream of it.
  func finished() -> MatroskaTrack? {
    var track = track
    switch type {
    case 1: track.kind = .video
    case 2: track.kind = .audio
    case 0x11: track.kind = .subtitle
    case 0x21: track.kind = .metadata
    default: return nil
    }
    guard !track.codecID.isEmpty else { return nil }
    if encodings.count > 1 {
      track.packing = .needsDecoder("the track is packed in \(encodings.count) steps")
    } else if let encoding = encodings.first {
      if encoding.scope & 1 != 0 { track.packing = encoding.packing }
      if encoding.scope & 2 != 0 {
        switch encoding.packing {
        case .zlib:
          // Data that cannot be unpacked are kept as they are: only their canvas would be missed.
          if let plain = try? Inflate.zlib(track.codecPrivate) { track.codecPrivate = plain }
        case .strippedHeader(let header): track.codecPrivate = header + track.codecPrivate
        case .plain, .needsDecoder: break
        }
      }
    }
    return track
  }
}
