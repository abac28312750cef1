// SPDX-License-Identifier: Apache-2.0
internal import HTTPTransport
internal import SubtitleModel

extension Playlist {
  /// Reads a playlist.
  ///
  /// Tags that are not needed are skipped. CR LF and LF are taken.
  ///
  /// - Parameters:
  ///   - bytes: The whole text.
  ///   - url: Where it came from, behind all redirects: references are resolved against it.
  /// - Returns: The playlist with absolute addresses.
  /// - Throws: One fault that names the line.
  public static func parse(_ bytes: [UInt8], url: String) throws(HLSFault) -> Playlist {
    var parser = PlaylistParser(url: url)
    return try parser.parse(bytes)
  }
}

/// Limits of what is read; each far beyond what servers send.
enum PlaylistLimits {
  /// A URL is some hundred bytes; a transcoding URL with its token about 1 kB.
  static let lineLength = 64 << 10
  /// 60 hours of segments of 1 s.
  static let segments = 216_000
  /// A ladder has a dozen.
  static let variants = 256
  /// Seconds; no server makes segments of an hour.
  static let segmentDuration: Int64 = 3600
}

/// The state of one reading.
struct PlaylistParser {
  private let url: String
  private let base: URLReference
  private var line = 0

  private var variants: [MasterPlaylist.Variant] = []
  private var pendingVariant: [String: String]?
  private var segments: [MediaPlaylist.Segment] = []
  private var pendingDuration: Timestamp?
  private var pendingRange: (count: Int64, offset: Int64?)?
  private var isDiscontinuous = false
  private var isGap = false
  private var initialization: MediaAddress?
  private var start = Timestamp.zero
  private var isEnded = false

  init(url: String) {
    self.url = url
    base = URLReference(url)
  }

  mutating func parse(_ bytes: [UInt8]) throws(HLSFault) -> Playlist {
    var rest = bytes[...]
    if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
    var isFirst = true
    while !rest.isEmpty {
      line += 1
      let end = rest.firstIndex(of: 10) ?? rest.endIndex
      let text = try text(of: rest[..<end])
      rest = end == rest.endIndex ? [] : rest[(end + 1)...]
      if isFirst {
        guard text == "#EXTM3U" else { throw notAPlaylist() }
        isFirst = false
      } else if !isEnded {
        try read(text)
      }
    }
    guard !isFirst else {
      throw HLSFault(.incomplete, "\(place): the playlist is empty (\(bytes.count) bytes)")
    }
    return try finished()
  }

  /// The place for messages, without the query.
  private var place: String { URLReference.redacted(url) }

  private func fault(_ kind: HLSFault.Kind, _ reason: String) -> HLSFault {
    HLSFault(kind, "\(place), line \(line): \(reason)")
  }

  private func notAPlaylist() -> HLSFault {
    fault(.malformed, "not a playlist: the first line is not #EXTM3U")
  }

  /// One line without its end and outer blanks.
  private func text(of bytes: ArraySlice<UInt8>) throws(HLSFault) -> String {
    guard bytes.count <= PlaylistLimits.lineLength else {
      throw fault(
        .tooLarge,
        "the line has \(bytes.count) bytes, more than the \(PlaylistLimits.lineLength) allowed")
    }
    var bytes = bytes
    func isBlank(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 13 }
    while let last = bytes.last, isBlank(last) { bytes = bytes.dropLast() }
    bytes = bytes.drop(while: isBlank)
    guard bytes.allSatisfy({ $0 >= 32 && $0 != 127 || $0 == 9 }) else {
      if line == 1 { throw notAPlaylist() }
      throw fault(.malformed, "the line holds a control character")
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private mutating func read(_ text: String) throws(HLSFault) {
    if text.isEmpty { return }
    guard text.hasPrefix("#") else { return try readAddress(text) }
    guard text.hasPrefix("#EXT") else { return }
    let colon = text.firstIndex(of: ":")
    let name = colon.map { text[..<$0] } ?? text[...]
    let value = colon.map { String(text[text.index(after: $0)...]) } ?? ""
    switch name {
    case "#EXTINF": pendingDuration = try duration(value)
    case "#EXT-X-STREAM-INF": pendingVariant = try attributes(value)
    case "#EXT-X-BYTERANGE": pendingRange = try byteRange(value)
    case "#EXT-X-MAP": try readMap(value)
    case "#EXT-X-KEY":
      let method = try attributes(value)["METHOD"] ?? "without a method"
      guard method == "NONE" else {
        throw fault(
          .encrypted, "the segments are encrypted (\(method)), which cannot be read here")
      }
    case "#EXT-X-DISCONTINUITY": isDiscontinuous = true
    case "#EXT-X-GAP": isGap = true
    case "#EXT-X-ENDLIST": isEnded = true
    default: break
    }
  }

  private mutating func readAddress(_ text: String) throws(HLSFault) {
    let address = try absolute(text)
    if let attributes = pendingVariant {
      pendingVariant = nil
      guard variants.count < PlaylistLimits.variants else {
        throw fault(.tooLarge, "more than \(PlaylistLimits.variants) variants")
      }
      variants.append(variant(address, attributes))
      return
    }
    guard let duration = pendingDuration else {
      throw fault(.malformed, "an address without #EXTINF or #EXT-X-STREAM-INF before it")
    }
    guard segments.count < PlaylistLimits.segments else {
      throw fault(.tooLarge, "more than \(PlaylistLimits.segments) segments")
    }
    var range: Range<Int64>?
    if let pendingRange { range = try self.range(pendingRange, of: address) }
    segments.append(
      .init(
        number: segments.count, address: MediaAddress(url: address, range: range), start: start,
        duration: duration, initialization: initialization, isDiscontinuous: isDiscontinuous,
        isGap: isGap))
    start = start + duration
    (pendingDuration, pendingRange, isDiscontinuous, isGap) = (nil, nil, false, false)
  }

  /// The reference as an absolute http or https URL, with illegal characters encoded.
  private func absolute(_ reference: String) throws(HLSFault) -> String {
    let encoded = URLReference.encodingIllegalCharacters(in: reference)
    var target = URLReference(encoded).resolved(against: base)
    target.fragment = nil
    guard target.isHTTP else {
      throw fault(
        .forbiddenAddress,
        "the address has the scheme \(target.scheme ?? "none") and host "
          + "\(target.host ?? "none"); only http and https are read")
    }
    return target.text
  }

  private func variant(
    _ address: String, _ attributes: [String: String]
  ) -> MasterPlaylist.Variant {
    var resolution: Canvas?
    if let sides = attributes["RESOLUTION"]?.split(separator: "x"), sides.count == 2,
      let width = Int(sides[0]), let height = Int(sides[1]), (1...65535).contains(width),
      (1...65535).contains(height)
    {
      resolution = Canvas(width: width, height: height)
    }
    let codecs = (attributes["CODECS"] ?? "").split(separator: ",").map { name in
      String(name.drop { $0 == " " })
    }
    return .init(
      address: MediaAddress(url: address),
      bandwidth: attributes["BANDWIDTH"].flatMap { Int($0) } ?? 0, codecs: codecs,
      resolution: resolution)
  }

  private mutating func readMap(_ value: String) throws(HLSFault) {
    let attributes = try attributes(value)
    guard let reference = attributes["URI"], !reference.isEmpty else {
      throw fault(.malformed, "#EXT-X-MAP names no URI")
    }
    let address = try absolute(reference)
    var range: Range<Int64>?
    if let text = attributes["BYTERANGE"] {
      let (count, offset) = try byteRange(text)
      range = try self.range((count, offset ?? 0), of: address)
    }
    initialization = MediaAddress(url: address, range: range)
  }

  private func finished() throws(HLSFault) -> Playlist {
    if !variants.isEmpty || pendingVariant != nil {
      guard segments.isEmpty else {
        throw HLSFault(.malformed, "\(place): the playlist lists both variants and segments")
      }
      guard pendingVariant == nil else {
        throw HLSFault(
          .incomplete,
          "\(place): the playlist is broken off behind line \(line): a variant has no "
            + "address")
      }
      return .master(MasterPlaylist(variants: variants))
    }
    guard isEnded else {
      throw HLSFault(
        .incomplete,
        "\(place): the playlist has no #EXT-X-ENDLIST behind its \(segments.count) segments: it is "
          + "broken off at line \(line), or of a live stream, which cannot be checked")
    }
    guard pendingDuration == nil else {
      throw HLSFault(.malformed, "\(place): the last #EXTINF has no address behind it")
    }
    guard !segments.isEmpty else {
      throw HLSFault(.incomplete, "\(place): the playlist lists neither segments nor variants")
    }
    return .media(MediaPlaylist(segments: segments))
  }
}

// The values of tags.
extension PlaylistParser {
  /// `3.003000, nodesc`: seconds in decimals, then anything.
  private func duration(_ value: String) throws(HLSFault) -> Timestamp {
    let number = value.prefix { $0 != "," }
    let parts = number.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let whole = parts.first.flatMap { digits($0.isEmpty ? "0" : $0, atMost: 9) }
    let decimals = parts.count == 2 ? String(parts[1].prefix(9)) : ""
    let padded = decimals + String(repeating: "0", count: 9 - decimals.count)
    guard let whole, let nanoseconds = digits(padded, atMost: 9), !number.isEmpty,
      parts.count < 2 || parts[1].utf8.allSatisfy({ (48...57).contains($0) })
    else { throw fault(.malformed, "#EXTINF has no duration in seconds") }
    guard whole <= PlaylistLimits.segmentDuration else {
      throw fault(
        .tooLarge,
        "a segment of \(whole) s is longer than the \(PlaylistLimits.segmentDuration) s allowed")
    }
    return Timestamp(nanoseconds: whole * 1_000_000_000 + nanoseconds)
  }

  private func digits(_ text: some StringProtocol, atMost count: Int) -> Int64? {
    guard !text.isEmpty, text.utf8.count <= count,
      text.utf8.allSatisfy({ (48...57).contains($0) })
    else { return nil }
    return Int64(text)
  }

  /// `count[@offset]`.
  private func byteRange(_ value: String) throws(HLSFault) -> (count: Int64, offset: Int64?) {
    let parts = value.split(separator: "@", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), let count = digits(parts[0], atMost: 18), count > 0,
      let offset = parts.count == 2 ? digits(parts[1], atMost: 18) : Int64(0)
    else { throw fault(.malformed, "a byte range is not of the form length@offset") }
    return (count, parts.count == 2 ? offset : nil)
  }

  /// The range meant: without an offset it continues the segment before, of the same address.
  private func range(
    _ given: (count: Int64, offset: Int64?), of address: String
  ) throws(HLSFault) -> Range<Int64> {
    if let offset = given.offset { return offset..<(offset + given.count) }
    guard let last = segments.last, last.address.url == address, let range = last.address.range
    else {
      throw fault(.malformed, "a byte range without offset follows no range of the same address")
    }
    let (end, overflow) = range.upperBound.addingReportingOverflow(given.count)
    guard !overflow else { throw fault(.tooLarge, "the byte ranges add up beyond all bounds") }
    return range.upperBound..<end
  }

  /// `NAME=value,NAME="quoted, value"`; a value that is not closed is a fault.
  private func attributes(_ value: String) throws(HLSFault) -> [String: String] {
    var result: [String: String] = [:]
    var rest = value[...]
    while !rest.isEmpty {
      guard let equals = rest.firstIndex(of: "=") else { break }
      let name = rest[..<equals].drop { $0 == " " || $0 == "," }
      rest = rest[rest.index(after: equals)...]
      if rest.first == "\"" {
        rest = rest.dropFirst()
        guard let quote = rest.firstIndex(of: "\"") else {
          throw fault(.malformed, "the quoted value of \(name.prefix(40)) is not closed")
        }
        result[String(name)] = String(rest[..<quote])
        rest = rest[rest.index(after: quote)...]
        rest = rest.drop { $0 != "," }.dropFirst()
      } else {
        let end = rest.firstIndex(of: ",") ?? rest.endIndex
        result[String(name)] = String(rest[..<end])
        rest = rest[end...].dropFirst()
      }
    }
    return result
  }
}
