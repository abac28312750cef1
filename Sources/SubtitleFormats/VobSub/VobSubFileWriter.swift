// SPDX-License-Identifier: Apache-2.0
import BinaryReading
package import SubtitleModel

/// Writes the pair of files that VobSub is kept in: `.idx`, a text, and `.sub`, an MPEG-2 program stream.
///
/// Each sub-picture unit begins a pack of its own; the index holds the time and the byte offset of
/// that pack.
package struct VobSubFileWriter {
  /// Bytes of a pack, as on discs.
  package static let packSize = 2048
  /// The longest time that 33 bits of 90 kHz ticks hold.
  package static let maximumTicks: Int64 = 1 << 33 - 1

  /// A pair of files.
  package struct Files: Sendable, Hashable {
    /// The text of the `.idx` file.
    package var index: String
    /// The bytes of the `.sub` file.
    package var packs: [UInt8]
  }

  /// A sub-picture unit with its time.
  package struct Unit: Sendable, Hashable {
    /// When it is shown.
    package var time: Timestamp
    /// The unit, from its size field on.
    package var bytes: [UInt8]

    /// Makes a unit.
    package init(time: Timestamp, bytes: [UInt8]) {
      self.time = time
      self.bytes = bytes
    }
  }

  private var writer = ByteWriter()

  private init() {}

  /// Writes a track.
  ///
  /// - Parameters:
  ///   - units: The units, in order of time.
  ///   - canvas: The canvas.
  ///   - palette: 16 colours; their alpha is not written.
  ///   - language: The track's language by ISO 639-1 or 639-2, or nil.
  ///   - title: The track's title, or nil.
  /// - Returns: Both files.
  /// - Throws: `.outOfRange` for a time that 33 bits of 90 kHz ticks cannot hold.
  package static func files(
    of units: [Unit], canvas: Canvas, palette: [PaletteColor], language: String?, title: String?
  ) throws(PGSWritingFault) -> Files {
    var writer = VobSubFileWriter()
    var lines = head(canvas: canvas, palette: palette)
    let identifier = language.map { LanguageCode.short($0) } ?? "--"
    lines += ["langidx: 0", "", "id: \(identifier), index: 0"]
    if let title, !title.contains(where: \.isNewline) { lines.append("alt: \(title)") }
    for unit in units {
      let ticks = unit.time.ticks90k
      guard (0...maximumTicks).contains(ticks) else {
        throw .outOfRange(
          structure: "sub-picture unit", field: "PTS", value: Int(ticks),
          range: 0...Int(maximumTicks))
      }
      let position = String(writer.writer.count, radix: 16)
      let padded = String(repeating: "0", count: max(0, 9 - position.count)) + position
      lines.append("timestamp: \(colons(unit.time)), filepos: \(padded)")
      writer.append(unit.bytes, pts: ticks)
    }
    return Files(index: lines.joined(separator: "\n") + "\n", packs: writer.writer.bytes)
  }

  private static func head(canvas: Canvas, palette: [PaletteColor]) -> [String] {
    let colors = (0..<16).map { index -> String in
      guard index < palette.count else { return "000000" }
      let color = palette[index]
      let value = Int(color.red) << 16 | Int(color.green) << 8 | Int(color.blue)
      let text = String(value, radix: 16)
      return String(repeating: "0", count: 6 - text.count) + text
    }
    return [
      "# VobSub index file, v7 (do not modify this line!)", "#", "size: \(canvas)", "org: 0, 0",
      "scale: 100%, 100%", "alpha: 100%", "smooth: OFF", "fadein/out: 0, 0",
      "align: OFF at LEFT TOP", "time offset: 0", "forced subs: OFF",
      "palette: \(colors.joined(separator: ", "))",
      "custom colors: OFF, tridx: 0000, colors: 000000, 000000, 000000, 000000",
    ]
  }

  /// The time as the index has it, a colon before the milliseconds: `00:00:01:300`.
  private static func colons(_ time: Timestamp) -> String {
    String(time.description.map { $0 == "." ? ":" : $0 })
  }

  /// Appends the packs of one unit; only the first carries its time.
  private mutating func append(_ unit: [UInt8], pts: Int64) {
    var position = 0
    repeat {
      let isFirst = position == 0
      let timeSize = isFirst ? 5 : 0
      // Pack header 14, PES head 9, time, stream number 1.
      let room = Self.packSize - 14 - 9 - timeSize - 1
      let count = min(room, unit.count - position)
      let spare = room - count
      // A padding packet has 6 bytes at least: a smaller gap is stuffed into the PES header.
      let stuffing = spare < 6 ? spare : 0
      appendPackHeader(clock: pts)
      writer.u32(0x0000_01BD)  // private stream 1
      writer.u16(UInt16(3 + timeSize + stuffing + 1 + count))
      writer.u8(0x81)
      writer.u8(isFirst ? 0x80 : 0x00)  // PTS, or none
      writer.u8(UInt8(timeSize + stuffing))
      if isFirst { appendTime(pts) }
      writer.fill(0xFF, count: stuffing)
      writer.u8(0x20)  // the first sub-picture stream
      writer.bytes(unit[position..<position + count])
      if spare > 0, stuffing == 0 {
        writer.u32(0x0000_01BE)  // padding stream
        writer.u16(UInt16(spare - 6))
        writer.fill(0xFF, count: spare - 6)
      }
      position += count
    } while position < unit.count
  }

  /// A pack header of MPEG-2 (ISO 13818-1, 2.5.3.3): clock reference, rate, no stuffing.
  private mutating func appendPackHeader(clock: Int64) {
    writer.u32(0x0000_01BA)
    let base = UInt64(clock)
    let marked =
      0b01 << 46 | (base >> 30 & 0x7) << 43 | 1 << 42 | (base >> 15 & 0x7FFF) << 27 | 1 << 26
      | (base & 0x7FFF) << 11 | 1 << 10 | 1
    writer.unsigned(marked, count: 6)
    writer.u24(25_200 << 2 | 3)  // 10.08 Mbit/s in steps of 50 bytes a second, a DVD's rate
    writer.u8(0xF8)
  }

  /// A presentation time of a PES header (ISO 13818-1, 2.4.3.7).
  private mutating func appendTime(_ pts: Int64) {
    let value = UInt64(pts)
    writer.unsigned(
      0x2 << 36 | (value >> 30 & 0x7) << 33 | 1 << 32 | (value >> 15 & 0x7FFF) << 17 | 1 << 16
        | (value & 0x7FFF) << 1 | 1, count: 5)
  }
}

extension Timestamp {
  /// The time in 90 kHz ticks, rounded to the nearest; saturates beyond what 64 bits hold.
  package var ticks90k: Int64 {
    // 90 kHz is 9 ticks in 100000 ns; whole and rest apart, so that nothing overflows.
    let (whole, rest) = nanoseconds.quotientAndRemainder(dividingBy: 100_000)
    let (product, overflow) = whole.multipliedReportingOverflow(by: 9)
    if overflow { return nanoseconds < 0 ? .min : .max }
    return product + (rest * 9 + (rest < 0 ? -50_000 : 50_000)) / 100_000
  }
}

/// Language codes of two letters for those of three, where the index wants the former.
enum LanguageCode {
  /// ISO 639-2 (both forms) to ISO 639-1, the languages that discs mostly have.
  private static let codes: [String: String] = [
    "ara": "ar", "bul": "bg", "ces": "cs", "cze": "cs", "chi": "zh", "zho": "zh", "dan": "da",
    "deu": "de", "ger": "de", "dut": "nl", "nld": "nl", "ell": "el", "gre": "el", "eng": "en",
    "est": "et", "fin": "fi", "fra": "fr", "fre": "fr", "heb": "he", "hin": "hi", "hrv": "hr",
    "hun": "hu", "ice": "is", "isl": "is", "ind": "id", "ita": "it", "jpn": "ja", "kor": "ko",
    "lav": "lv", "lit": "lt", "may": "ms", "msa": "ms", "nob": "nb", "nor": "no", "pol": "pl",
    "por": "pt", "ron": "ro", "rum": "ro", "rus": "ru", "slk": "sk", "slo": "sk", "slv": "sl",
    "spa": "es", "srp": "sr", "swe": "sv", "tha": "th", "tur": "tr", "ukr": "uk", "vie": "vi",
  ]

  /// The short code, or the code itself where none is known.
  static func short(_ code: String) -> String { codes[code.lowercased()] ?? code }
}
