// SPDX-License-Identifier: Apache-2.0

/// A film that the server offers.
package struct Film: Sendable, Equatable {
  /// The item's identifier, without dashes.
  package var id: String
  package var path: String
  package var name: String
  package var year: Int?
  /// The server's name of the container, such as `mkv`.
  package var container: String
  var byteCount: Int64
  /// Seconds since 1970.
  var modified: Int
  /// In ticks of 100 ns; nil where unknown.
  package var durationTicks: Int?
  var bitRate: Int?
  var streams: [FilmStream]

  var video: FilmStream? { streams.first { $0.kind == .video } }
  var audio: [FilmStream] { streams.filter { $0.kind == .audio } }
  var subtitles: [FilmStream] { streams.filter { $0.kind == .subtitle } }

  /// The stream of a server index.
  func stream(_ index: Int?) -> FilmStream? { streams.first { $0.index == index } }

  /// The audio stream that is taken when nobody asks for one.
  var defaultAudio: FilmStream? { audio.first { $0.isDefault } ?? audio.first }

  /// The track that is chosen when nobody asks for one: a default one, else a forced one.
  var defaultSubtitle: FilmStream? {
    subtitles.first { $0.isDefault } ?? subtitles.first { $0.isForced }
  }
}

/// One stream of a film.
package struct FilmStream: Sendable, Equatable {
  enum Kind: String, Sendable {
    case video = "Video"
    case audio = "Audio"
    case subtitle = "Subtitle"
    case image = "EmbeddedImage"
    case data = "Data"
  }

  var kind: Kind
  /// The server's index, which clients send.
  var index: Int
  /// The index in the file, which ffmpeg counts by.
  package var containerIndex: Int
  /// ffmpeg's name of the coding.
  var codec: String
  var language: String?
  var title: String?
  var isDefault = false
  var isForced = false
  var isHearingImpaired = false
  var timeBase: String?
  var profile: String?
  var level: Int?
  var bitRate: Int?
  var width: Int?
  var height: Int?
  var averageFrameRate: Float?
  var realFrameRate: Float?
  var displayAspect: String?
  var isAnamorphic = false
  var isInterlaced = false
  var pixelFormat: String?
  var bitDepth: Int?
  var isAVC: Bool?
  var nalLengthSize: String?
  var colorRange: String?
  var colorSpace: String?
  var colorTransfer: String?
  var colorPrimaries: String?
  var channels: Int?
  var channelLayout: String?
  var sampleRate: Int?

  /// The server's name of the coding.
  func codecName(of version: ServerVersion) -> String {
    switch codec {
    case "hdmv_pgs_subtitle": "PGSSUB"
    case "dvd_subtitle": "DVDSUB"
    case "dvb_subtitle": version.line == 8 ? "dvbsub" : "DVBSUB"
    case "dvb_teletext": version.line == 8 ? "dvb_teletext" : "DVBTXT"
    default: codec
    }
  }

  /// What the server takes for text: it looks at the name only, so that xsub passes for text.
  var isTextSubtitle: Bool {
    kind == .subtitle
      && !["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"].contains(codec)
  }

  /// Whether the server would hand the track out by itself.
  func isExtractable(by version: ServerVersion) -> Bool {
    guard kind == .subtitle else { return false }
    switch codec {
    case "hdmv_pgs_subtitle": return version.line >= 10
    case "dvd_subtitle": return version.line >= 12
    default: return isTextSubtitle
    }
  }
}
