// SPDX-License-Identifier: Apache-2.0

/// A film that the server offers.
package struct Film: Sendable, Equatable {
  /// The item's identifier, without dashes.
  package var id: String
  /// The media source's identifier; Jellyfin's is the item's.
  package var sourceID: String
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

  /// Numbers subtitle streams of files beside the film, before or behind its own.
  package mutating func add(_ files: [FilmStream], first: Bool) {
    let next = first ? 0 : (streams.map(\.index).max() ?? -1) + 1
    let numbered = files.enumerated().map { number, stream in
      var stream = stream
      stream.index = next + number
      return stream
    }
    if first {
      for index in streams.indices { streams[index].index += files.count }
      streams = numbered + streams
    } else {
      streams += numbered
    }
  }

  /// The stream of a server index.
  func stream(_ index: Int?) -> FilmStream? { streams.first { $0.index == index } }

  /// Whether a text names this film's media source; names of other forms are compared as they are.
  func isSource(_ text: String, of version: ServerVersion) -> Bool {
    if version.isEmby { return text == sourceID || text == id }
    return Identifier.parse(text) == id
  }

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
    case attachment = "Attachment"
  }

  var kind: Kind
  /// The server's index, which clients send.
  var index: Int
  /// The index in the file, which ffmpeg counts by.
  package var containerIndex: Int
  /// The subtitle file beside the film that holds the stream; nil for one of the film itself.
  package var path: String?
  /// ffmpeg's name of the coding.
  var codec: String
  /// The server's name of the coding where it does not follow from the coding; nil where it does.
  var givenName: String?
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
    if let givenName { return givenName }
    switch codec {
    case "hdmv_pgs_subtitle": return "PGSSUB"
    case "dvd_subtitle": return "DVDSUB"
    case "dvb_subtitle": return version.line == 8 ? "dvbsub" : "DVBSUB"
    case "dvb_teletext": return version.line == 8 || version.isEmby ? "dvb_teletext" : "DVBTXT"
    default: return codec
    }
  }

  /// What the server takes for text: it looks at the name only, so that xsub and teletext pass for
  /// text, and a file called .sub never does where its extension is its coding.
  var isTextSubtitle: Bool {
    kind == .subtitle && isText && givenName != "sub"
  }

  /// Whether the stream's subtitles really are text, or are taken for it.
  var isText: Bool { !["hdmv_pgs_subtitle", "dvd_subtitle", "dvb_subtitle"].contains(codec) }

  /// Whether the stream lies in a file of its own beside the film.
  var isExternal: Bool { path != nil }

  /// Whether the server says that it would hand the track out by itself.
  func isExtractable(by version: ServerVersion) -> Bool {
    guard kind == .subtitle else { return false }
    if version.isEmby { return isTextSubtitle }
    switch codec {
    case _ where isExternal: return true
    case "hdmv_pgs_subtitle": return version.givesPGS
    case "dvd_subtitle": return version.givesVobSub
    default: return isTextSubtitle
    }
  }
}
