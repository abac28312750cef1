// SPDX-License-Identifier: Apache-2.0
import BinaryReading
package import SubtitleModel

/// Decodes DivX subtitles: every packet is a picture of its own.
package struct XSUBDecoder: SubtitleDecoder {
  /// Choices that the stream leaves open.
  package struct Options: Sendable, Hashable {
    /// Whether packets carry alpha (the container's tag DXSA); nil finds out from each packet.
    package var hasAlpha: Bool?
    /// The canvas, which is the film's.
    package var canvas: Canvas?
    /// What a breach of the rules does.
    package var strictness = Strictness.lenient

    /// Makes the customary options.
    package init() {}
  }

  /// Pixels of one picture.
  package static let pixelLimit = 4096 * 4096
  /// Nothing is kept.
  package static let heldByteLimit = 0
  /// How far the text's time may be from the container's to be believed.
  private static let plausible = Timestamp(milliseconds: 10_000)

  package var log: FindingLog
  /// Every packet stands for itself.
  package let isSelfContained = true
  /// Nothing is kept between packets.
  package let heldBytes = 0
  private let options: Options

  /// Makes a decoder.
  package init(options: Options = Options()) {
    self.options = options
    log = FindingLog(options.strictness)
  }

  package var canvas: Canvas? { options.canvas }

  package mutating func reset() {}

  package mutating func finish() throws(StreamFinding) -> [SubtitleEvent] { [] }

  package func entryPoint(of packet: TrackPacket) -> EntryPoint { .reset }

  package mutating func decode(_ packet: TrackPacket) throws(StreamFinding) -> [SubtitleEvent] {
    let picture: XSUBPacket
    do {
      picture = try Self.read(packet, hasAlpha: options.hasAlpha ?? Self.findsAlpha(packet))
    } catch {
      try log.note(
        StreamFinding(.xsubDamaged, time: packet.time, offset: error.offset, "\(error)"))
      return []
    }
    guard let times = try times(of: picture, packet) else { return [] }
    let objects = try draw(picture, packet, times.start)
    return [
      SubtitleEvent(
        time: times.start, objects: objects, streamEnd: times.end,
        containerEnd: packet.containerEnd, canvas: canvas, offset: packet.offset)
    ]
  }

  /// Whether packets carry alpha by the container's tag; nil for a tag that does not say it.
  static func hasAlpha(_ codecTag: String?) -> Bool? {
    switch codecTag?.uppercased() {
    case "DXSA": true
    case "DXSB": false
    default: nil
    }
  }

  private static func read(
    _ packet: TrackPacket, hasAlpha: Bool
  ) throws(ReadFault) -> XSUBPacket {
    var reader = ByteReader(packet.bytes, base: packet.offset)
    return try XSUBPacket(parsing: &reader, hasAlpha: hasAlpha)
  }

  /// Whether the first field ends where the packet says only if four bytes of alpha come before it.
  private static func findsAlpha(_ packet: TrackPacket) -> Bool {
    guard let plain = try? read(packet, hasAlpha: false),
      let other = try? read(packet, hasAlpha: true), plain.width * plain.height <= pixelLimit
    else { return false }
    return fieldLength(plain) != plain.firstFieldLength
      && fieldLength(other) == other.firstFieldLength
  }

  private static func fieldLength(_ picture: XSUBPacket) -> Int {
    var pixels = [UInt8](repeating: 0, count: picture.width * picture.height)
    return SubpictureRunLength.decode(
      picture.data[...], first: 0, width: picture.width, height: picture.height, into: &pixels
    ).used
  }

  /// The text's times, moved to the container's where they are far from it.
  private mutating func times(
    of picture: XSUBPacket, _ packet: TrackPacket
  ) throws(StreamFinding) -> (start: Timestamp, end: Timestamp)? {
    let first = Timestamp(milliseconds: picture.start)
    let last = Timestamp(milliseconds: picture.end)
    guard last >= first else {
      try log.note(
        StreamFinding(
          .xsubTimes, time: packet.time, offset: packet.offset,
          "the picture ends at \(last), before it begins at \(first)"))
      return nil
    }
    guard let time = packet.time, max(time - first, first - time) > Self.plausible else {
      return (first, last)
    }
    try log.note(
      StreamFinding(
        .xsubTimesDiffer, time: time, offset: packet.offset,
        "the text says \(first) and the container \(time), which is believed"))
    return (time, time + (last - first))
  }

  private mutating func draw(
    _ picture: XSUBPacket, _ packet: TrackPacket, _ time: Timestamp
  ) throws(StreamFinding) -> [ShownObject] {
    let (width, height) = (picture.width, picture.height)
    guard width > 0, height > 0, width * height <= Self.pixelLimit else {
      try log.note(
        StreamFinding(
          .xsubSize, time: time, offset: packet.offset,
          "the picture is \(width)x\(height), which is empty or passes \(Self.pixelLimit) pixels"))
      return []
    }
    var pixels = [UInt8](repeating: 0, count: width * height)
    let top = SubpictureRunLength.decode(
      picture.data[...], first: 0, width: width, height: height, into: &pixels)
    // The second field begins behind the first, whatever the header says.
    let bottom = SubpictureRunLength.decode(
      picture.data[top.used...], first: 1, width: width, height: height, into: &pixels)
    if top.used != picture.firstFieldLength {
      try log.note(
        StreamFinding(
          .xsubFieldLength, time: time, offset: packet.offset,
          "the first field has \(top.used) bytes and not \(picture.firstFieldLength)"))
    }
    if top.missing + bottom.missing > 0 {
      try log.note(
        StreamFinding(
          .xsubRows, time: time, offset: packet.offset,
          "the codes end before the last \(top.missing + bottom.missing) rows"))
    }
    let bitmap = IndexedBitmap(width: width, height: height, indices: pixels)
    let palette = Palette(colors: picture.colors)
    guard bitmap.isVisible(in: palette) else { return [] }
    return [
      ShownObject(
        id: 0,
        object: CueObject(
          x: picture.left, y: picture.top, bitmap: bitmap, palette: palette, isForced: false))
    ]
  }
}
