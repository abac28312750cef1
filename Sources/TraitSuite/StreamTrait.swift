// SPDX-License-Identifier: Apache-2.0
package import SubtitleFormats
package import SubtitleModel

/// One trait of real streams, made small, with what is to be seen.
package struct StreamTrait: Sendable {
  /// What is visible at a time: rows from the top; `.` at the ends and empty rows below left out.
  package struct Look: Sendable {
    /// The time.
    package var seconds: Double
    /// A letter a pixel, as ``Sketch`` reads them.
    package var rows: [String]

    /// The time.
    package var time: Timestamp { Timestamp(seconds: seconds) }
  }

  /// How the packets are kept in a file.
  package enum Storage: Sendable {
    /// As the coding's own raw file.
    case raw
    /// In a Matroska file, which states durations.
    case matroska
    /// In a transport stream, whose packets need not state a time.
    case transportStream
    /// The coding's own raw file with another clock: ticks of 90 kHz to add to each time.
    case shifted(ticks: Int64)
    /// In no file, for a reason that is one sentence.
    case none(reason: String)
  }

  /// When the file ends.
  package static let fileEnd = Timestamp(milliseconds: 20_000)

  /// Until when a cue without an end is surely shown in a file.
  private static let openEnd = Timestamp(milliseconds: 10_000)

  /// What the trait is, in a few words, unique among those of its coding.
  package var name: String
  /// The coding.
  package var codec: SubtitleCodec
  /// The stream.
  package var packets: [TrackPacket]
  /// A fresh decoder with what the container says.
  package var make: @Sendable () -> any SubtitleDecoder
  /// What is to be seen.
  package var looks: [Look]
  /// Codes of the findings expected, each at least once; no others of severity error.
  package var codes: Set<String>
  /// Codes of findings about the file, which a decoder of its packets does not make.
  package var fileCodes: Set<String> = []
  /// How many cues there are.
  package var cueCount: Int
  /// The canvas that the pictures are drawn on.
  package var size = Canvas(width: 16, height: 8)
  /// Colours of letters that are not as usual.
  package var legend: [Character: PaletteColor] = [:]
  /// Whether nothing in the stream ends its last cue, so that a file does not say what late looks show.
  package var isOpenEnded = false
  /// How the packets are kept in a file.
  package var storage = Storage.raw
  /// Ticks of 90 kHz by which a .sup file's decoding times come before its presentation times.
  package var decodingLead: Int64 = 0
  /// What of a Matroska file is compressed by zlib.
  package var compression = MatroskaCompression.none
  /// Whether an .idx file says which of its tracks is on by default.
  package var statesDefaultTrack = true
  /// What an .idx file says.
  package var index: VobSubIndex?
  /// A `delay:` of the .idx file, which its times leave out.
  package var indexDelay = Timestamp.zero
  /// Whether XSUB packets carry alpha.
  package var hasAlpha = false
  /// The pages of the stream as its descriptor states them; nil states none.
  package var pages: (composition: Int, ancillary: Int)?
  /// The pages of a second service that its descriptor states.
  package var otherPages: (composition: Int, ancillary: Int)?
  /// Packets of a stream that comes before this one in the same file.
  package var otherPackets: [TrackPacket] = []

  /// Makes a trait.
  package init(
    _ name: String, _ codec: SubtitleCodec, _ packets: [TrackPacket],
    _ looks: [(Double, [String])], codes: Set<String> = [], cues: Int,
    _ make: @escaping @Sendable () -> any SubtitleDecoder
  ) {
    self.name = name
    self.codec = codec
    self.packets = packets
    self.looks = looks.map { Look(seconds: $0.0, rows: $0.1) }
    self.codes = codes
    cueCount = cues
    self.make = make
  }

  /// The same trait with something changed.
  package func with(_ change: (inout StreamTrait) -> Void) -> StreamTrait {
    var copy = self
    change(&copy)
    return copy
  }

  /// The same trait with letters in lower case for the colours of the upper case, at an alpha.
  func faint(_ alpha: UInt8) -> StreamTrait {
    with { trait in
      for (letter, color) in Sketch.legend(codec) {
        trait.legend[Character(letter.lowercased())] = PaletteColor(
          red: color.red, green: color.green, blue: color.blue, alpha: alpha)
      }
    }
  }

  /// The same trait, kept in no file.
  func unstored(_ reason: String) -> StreamTrait { with { $0.storage = .none(reason: reason) } }

  /// A name for files and commands: the coding, then letters, digits and hyphens.
  package var id: String {
    var slug = codec.rawValue
    var isOpen = true
    for character in name.lowercased() {
      if character.isASCII, character.isLetter || character.isNumber {
        if isOpen { slug += "-" }
        slug.append(character)
        isOpen = false
      } else if character != "'" {
        isOpen = true
      }
    }
    return slug
  }

  /// What is to be seen at a look, painted from its letters alone: straight alpha.
  package func picture(_ look: Look) -> RGBABitmap {
    Sketch.paint(look.rows, on: size, legend: Sketch.legend(codec).merging(legend) { $1 })
  }

  /// The looks that a file can answer, which does not have the end that tests make up.
  package var fileLooks: [Look] {
    looks.filter { $0.time < (isOpenEnded ? Self.openEnd : Self.fileEnd) }
  }
}
