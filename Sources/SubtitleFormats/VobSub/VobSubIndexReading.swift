// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

extension VobSubIndex {
  /// Tracks read of one file; a disc has 32 streams.
  package static let trackLimit = 64
  /// Sub-pictures read of one file; a film has some thousands in each of its tracks.
  package static let entryLimit = 1_000_000
  /// What `scale:` may be, in percent: a picture of a DVD fills 8K at ten times its size.
  package static let scaleRange = 1...1000
  /// What each number of `org:` may be, in pixels.
  package static let originRange = -65_535...65_535

  /// Reads a file, or the head of one.
  ///
  /// Lines that make no sense are passed over and named; offsets in findings count bytes of the text.
  ///
  /// - Returns: What the file says, and what was noticed.
  package static func read(_ text: String) -> (index: VobSubIndex, findings: [StreamFinding]) {
    var reader = Reader()
    var offset: Int64 = 0
    for line in text.utf8.split(separator: 10, omittingEmptySubsequences: false) {
      reader.take(Substring(line), at: offset)
      offset += Int64(line.count) + 1
    }
    if reader.index.defaultTrack == nil, !reader.index.tracks.isEmpty {
      reader.note(.idxNoLanguage, 0, "no line names the default track")
    }
    return (reader.index, reader.log.findings)
  }

  /// Private data of a container: the head of an .idx file, or 64 bytes of an MP4's palette.
  ///
  /// - Returns: What the data say; nothing for data of neither kind.
  package static func read(privateData: [UInt8]) -> VobSubIndex {
    guard privateData.count == 64, privateData.contains(where: { $0 == 0 || $0 > 127 }) else {
      return read(String(decoding: privateData, as: UTF8.self)).index
    }
    var index = VobSubIndex()
    // 16 colours of 4 bytes: 0, Y, Cr, Cb, as the DVD's own table (PGC_CLUT).
    let conversion = PaletteConversion(matrix: .bt601)
    index.palette = stride(from: 0, to: 64, by: 4).map { at in
      conversion.color(
        luma: privateData[at + 1], cb: privateData[at + 3], cr: privateData[at + 2], alpha: 255)
    }
    return index
  }

  /// Reads lines one by one.
  private struct Reader {
    var index = VobSubIndex()
    var log = FindingLog()
    private var delay = Timestamp.zero
    private var entryCount = 0

    init() {}

    mutating func note(_ rule: FindingRule, _ offset: Int64, _ sentence: String) {
      try? log.note(StreamFinding(rule, time: nil, offset: offset, sentence))
    }

    mutating func take(_ line: Substring, at offset: Int64) {
      let text = Self.trimmed(line)
      guard !text.isEmpty, text.first != "#", let colon = text.firstIndex(of: ":") else { return }
      let key = text[..<colon].lowercased()
      let value = Self.trimmed(text[text.index(after: colon)...])
      let isRead: Bool
      switch key {
      case "timestamp": isRead = timestamp(value, at: offset)
      case "delay": isRead = addDelay(value)
      case "id": isRead = track(value)
      case "alt": isRead = title(value)
      case "langidx":
        index.defaultTrack = Int(value)
        isRead = index.defaultTrack != nil
      default: isRead = setting(key, value)
      }
      if !isRead {
        note(.idxLine, offset, "the line \"\(text.prefix(60))\" is not understood and passed over")
      }
    }

    private mutating func setting(_ key: String, _ value: Substring) -> Bool {
      let numbers = Self.numbers(value)
      switch key {
      case "size":
        guard numbers.count == 2, numbers.allSatisfy({ (1...65_535).contains($0) }) else {
          return false
        }
        index.canvas = Canvas(width: numbers[0], height: numbers[1])
      case "org":
        guard numbers.count == 2, numbers.allSatisfy(VobSubIndex.originRange.contains) else {
          return false
        }
        index.origin = (numbers[0], numbers[1])
      case "scale":
        guard numbers.count == 2, numbers.allSatisfy(VobSubIndex.scaleRange.contains) else {
          return false
        }
        index.scale = (numbers[0], numbers[1])
      case "alpha":
        guard let first = numbers.first, (0...100).contains(first) else { return false }
        index.alpha = first
      case "smooth": index.smooth = value.uppercased()
      case "fadein/out":
        guard numbers.count == 2 else { return false }
        index.fade = (numbers[0], numbers[1])
      case "align":
        let words = value.uppercased().split(separator: " ").map(String.init)
        guard words.count == 4, words[1] == "AT",
          ["LEFT", "CENTER", "RIGHT"].contains(words[2]),
          ["TOP", "CENTER", "BOTTOM"].contains(words[3])
        else { return false }
        index.alignment = Alignment(
          isOn: words[0] == "ON", horizontal: words[2], vertical: words[3])
      case "time offset":
        guard let offset = Self.time(value) else { return false }
        index.timeOffset = offset
      case "forced subs": index.showsOnlyForced = value.uppercased() == "ON"
      case "palette":
        let colors = Self.colors(value)
        guard colors.count == 16 else { return false }
        index.palette = colors
      case "custom colors": return customColors(value)
      default: return false
      }
      return true
    }

    /// `ON, tridx: 0010, colors: 000000, ffffff, 808080, 404040`.
    private mutating func customColors(_ value: Substring) -> Bool {
      let parts = value.split(separator: ":", maxSplits: 2).map { Self.trimmed($0) }
      guard parts.count == 3 else { return false }
      let bits = Self.trimmed(parts[1].prefix { $0 != "," })
      let colors = Self.colors(parts[2])
      guard bits.count == 4, bits.allSatisfy({ $0 == "0" || $0 == "1" }), colors.count == 4 else {
        return false
      }
      index.customColors = CustomColors(
        isOn: parts[0].uppercased().hasPrefix("ON"), transparent: bits.map { $0 == "1" },
        colors: colors)
      return true
    }

    /// `en, index: 0`.
    private mutating func track(_ value: Substring) -> Bool {
      let parts = value.split(separator: ",", maxSplits: 1)
      guard let language = parts.first, index.tracks.count < VobSubIndex.trackLimit else {
        return false
      }
      let number =
        parts.count == 2
        ? Int(Self.trimmed(parts[1].drop { $0 != ":" }.dropFirst())) : index.tracks.count
      guard let number, (0..<32).contains(number) else { return false }
      index.tracks.append(Track(language: String(Self.trimmed(language)), index: number))
      delay = .zero
      return true
    }

    private mutating func title(_ value: Substring) -> Bool {
      guard !index.tracks.isEmpty else { return false }
      index.tracks[index.tracks.count - 1].title = String(value)
      return true
    }

    /// Delays add up, and hold for all times below them in the track.
    private mutating func addDelay(_ value: Substring) -> Bool {
      guard let time = Self.time(value) else { return false }
      delay = delay + time
      return true
    }

    /// `00:00:01:300, filepos: 000001800`.
    private mutating func timestamp(_ value: Substring, at offset: Int64) -> Bool {
      guard entryCount < VobSubIndex.entryLimit else { return false }
      let parts = value.split(separator: ",", maxSplits: 1)
      guard parts.count == 2, let colon = parts[1].firstIndex(of: ":"),
        let position = Int64(
          Self.trimmed(parts[1][parts[1].index(after: colon)...]), radix: 16), position >= 0
      else { return false }
      // Files of a single stream may lack its id.
      if index.tracks.isEmpty { index.tracks.append(Track(language: "--", index: 0)) }
      var time: Timestamp?
      if let read = Self.time(parts[0]) {
        let shifted = read + delay + index.timeOffset
        if shifted < .zero {
          note(.idxNegative, offset, "the time is \(shifted), before the film begins")
        }
        time = shifted
      } else {
        note(.idxTime, offset, "the time \"\(parts[0].prefix(20))\" is that of the packet instead")
      }
      index.tracks[index.tracks.count - 1].entries.append(Entry(time: time, position: position))
      entryCount += 1
      return true
    }

    private static func trimmed(_ text: Substring) -> Substring {
      var text = text
      while let first = text.first, first.isWhitespace || first == "\u{FEFF}" { text.removeFirst() }
      while let last = text.last, last.isWhitespace { text.removeLast() }
      return text
    }

    /// Whole numbers between anything else; a minus before a digit counts.
    private static func numbers(_ text: Substring) -> [Int] {
      text.split { !$0.isWholeNumber && $0 != "-" }.compactMap { Int($0) }
    }

    private static func colors(_ text: Substring) -> [PaletteColor] {
      text.split(separator: ",").compactMap { field -> PaletteColor? in
        let digits = trimmed(field)
        guard (1...8).contains(digits.count), let value = UInt32(digits, radix: 16) else {
          return nil
        }
        return PaletteColor(
          red: UInt8(value >> 16 & 255), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255),
          alpha: 255)
      }
    }

    /// `-01:02:03:456` or whole milliseconds.
    private static func time(_ text: Substring) -> Timestamp? {
      var rest = trimmed(text)
      let isNegative = rest.first == "-"
      if isNegative || rest.first == "+" { rest = rest.dropFirst() }
      let fields = rest.split(separator: ":", omittingEmptySubsequences: false).map { field in
        field.utf8.count <= 9 && field.utf8.allSatisfy { (48...57).contains($0) }
          ? Int64(field) : nil
      }
      var milliseconds: Int64
      if fields.count == 1, let only = fields[0] {
        milliseconds = only
      } else if fields.count == 4, let hours = fields[0], let minutes = fields[1],
        let seconds = fields[2], let rest = fields[3]
      {
        milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000 + rest
      } else {
        return nil
      }
      if isNegative { milliseconds = -milliseconds }
      return Timestamp(milliseconds: milliseconds)
    }
  }
}
