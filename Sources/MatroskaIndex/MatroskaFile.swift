// SPDX-License-Identifier: Apache-2.0
import BinaryReading
public import SubtitleModel

/// The headers of a Matroska or WebM file, and the way to the blocks of its tracks.
///
/// Only headers are read to make it. ``walk(tracks:usingCues:progress:visit:)`` then steps from
/// block to block without reading what the blocks of other tracks hold. All offsets count from the
/// start of the file. Damage in one header element is noted in ``faults`` and does not hide others.
public struct MatroskaFile: Sendable {
  /// Where the bytes come from.
  public let source: any RandomAccessBytes
  /// The tracks that FFmpeg makes streams of, in file order.
  public internal(set) var tracks: [MatroskaTrack] = []
  /// Nanoseconds of a tick of block times.
  public internal(set) var timestampScale: Int64 = 1_000_000
  /// The length that the file states.
  public internal(set) var duration: Timestamp?
  /// The program that wrote the file, as it names itself.
  public internal(set) var writingApp: String?
  /// What was wrong with the headers.
  public internal(set) var faults: [MatroskaFault] = []

  /// Absolute offset of the segment's data, which positions in the file count from.
  var segmentOffset: Int64 = 0
  /// Absolute offset behind the segment, the file's end if that is nearer or the size is unknown.
  var segmentEnd: Int64 = 0
  /// Absolute offset of the first cluster; nil if there is none.
  var firstCluster: Int64?
  /// Absolute offsets of header elements by ID, as the SeekHead states or the walk found them.
  var places: [UInt32: Int64] = [:]

  /// Bytes of one read while heads are visited: two audio blocks and the head behind them fit.
  static let windowSize = 4096

  /// Reads the headers of a file.
  ///
  /// - Parameter source: The file.
  /// - Throws: `.notMatroska` if there is no EBML header or no segment, `.unreadable` if the source
  ///   fails. Damage behind the segment's head is not thrown but noted.
  public init(_ source: any RandomAccessBytes) throws(MatroskaFault) {
    self.source = source
    var window = Window(source, size: Self.windowSize)
    try findSegment(&window)
    var parsed: Set<UInt32> = []
    do throws(MatroskaFault) {
      try readLeadingElements(&window, &parsed)
    } catch {
      if case .unreadable = error.kind { throw error }
      faults.append(error)
    }
    for id in [ElementID.info, ElementID.tracks] where !parsed.contains(id) {
      guard let place = places[id] else { continue }
      do throws(MatroskaFault) {
        guard let head = try window.head(at: place), head.id == id else {
          throw window.damaged(
            .invalid(field: "position in SeekHead", value: place, reason: "no such element there"),
            at: place, in: ElementID.name(of: id))
        }
        try parse(head, &window)
      } catch {
        if case .unreadable = error.kind { throw error }
        faults.append(error)
      }
    }
  }

  private mutating func findSegment(_ window: inout Window) throws(MatroskaFault) {
    let notMatroska = MatroskaFault(.notMatroska, name: source.name)
    var position: Int64 = 0
    var sawHeader = false
    while true {
      let found: ElementHead?
      do throws(MatroskaFault) { found = try window.head(at: position) } catch {
        if case .unreadable = error.kind { throw error }
        throw notMatroska
      }
      guard let head = found else { throw notMatroska }
      if head.id == ElementID.ebml {
        sawHeader = true
      } else if !sawHeader {
        throw notMatroska
      }
      if head.id == ElementID.segment {
        segmentOffset = head.dataOffset
        segmentEnd = min(head.end ?? .max, window.byteCount)
        if let end = head.end, end > window.byteCount {
          faults.append(
            window.damaged(
              .truncated(
                needed: Int(clamping: head.size ?? 0),
                available: Int(clamping: window.byteCount - head.dataOffset)),
              at: head.dataOffset, in: "Segment element"))
        }
        return
      }
      guard let end = head.end, end <= window.byteCount, end > position else { throw notMatroska }
      position = end
    }
  }

  /// Reads the segment's children up to the first cluster, or further if no tracks came before it.
  private mutating func readLeadingElements(
    _ window: inout Window, _ parsed: inout Set<UInt32>
  ) throws(MatroskaFault) {
    var position = segmentOffset
    while position < segmentEnd, let head = try window.head(at: position) {
      if head.id == ElementID.cluster {
        if firstCluster == nil { firstCluster = head.offset }
        if parsed.contains(ElementID.tracks) || places[ElementID.tracks] != nil { return }
      }
      guard let end = head.end, end <= segmentEnd else {
        // An open cluster has no known end, and nothing but clusters follows it as a rule.
        if head.id == ElementID.cluster { return }
        throw window.damaged(
          .truncated(
            needed: Int(clamping: head.size ?? -1),
            available: Int(clamping: segmentEnd - head.dataOffset)),
          at: head.dataOffset, in: ElementID.name(of: head.id))
      }
      if ElementID.isTopLevel(head.id) { places[head.id] = head.offset }
      switch head.id {
      case ElementID.seekHead, ElementID.info, ElementID.tracks:
        do throws(MatroskaFault) { try parse(head, &window) } catch {
          if case .unreadable = error.kind { throw error }
          faults.append(error)
        }
        parsed.insert(head.id)
      default: break
      }
      position = end
    }
  }

  /// The data of a header element in memory.
  func data(
    of head: ElementHead, limit: Int64, _ window: inout Window
  ) throws(MatroskaFault) -> ByteReader {
    let name = ElementID.name(of: head.id)
    guard let size = head.size else {
      throw window.damaged(
        .invalid(
          field: "size", value: -1, reason: "unknown, which only segment and cluster may be"),
        at: head.offset, in: name)
    }
    guard size <= limit else {
      throw window.damaged(
        .limitExceeded(limit: "size", value: size, maximum: limit), at: head.offset, in: name)
    }
    let bytes = try window.bytes(at: head.dataOffset, count: Int(size))
    guard bytes.count == Int(size) else {
      throw window.damaged(
        .truncated(needed: Int(size), available: bytes.count), at: head.dataOffset, in: name)
    }
    return ByteReader(bytes, base: head.dataOffset, structure: name)
  }

  private mutating func parse(
    _ head: ElementHead, _ window: inout Window
  ) throws(MatroskaFault) {
    let reader = try data(of: head, limit: Limits.headerBytes, &window)
    do throws(ReadFault) {
      switch head.id {
      case ElementID.seekHead: try parseSeekHead(reader)
      case ElementID.info: try parseInfo(reader)
      case ElementID.tracks where tracks.isEmpty:
        var found: [ReadFault] = []
        tracks = MatroskaTrack.parseAll(reader, faults: &found)
        faults += found.map { MatroskaFault(.damaged($0), name: source.name) }
      default: break
      }
    } catch {
      throw MatroskaFault(.damaged(error), name: source.name)
    }
  }

  private mutating func parseSeekHead(_ reader: ByteReader) throws(ReadFault) {
    var reader = reader
    while !reader.isAtEnd {
      var (id, entry) = try reader.child()
      guard id == ElementID.seek else { continue }
      var target: UInt64 = 0
      var position: UInt64?
      while !entry.isAtEnd {
        var (id, value) = try entry.child()
        switch id {
        case ElementID.seekID: target = try value.unsignedValue()
        case ElementID.seekPosition: position = try value.unsignedValue()
        default: break
        }
      }
      guard let position, let id = UInt32(exactly: target), ElementID.isTopLevel(id) else {
        continue
      }
      // A position behind the file is of no use; the element is then looked for by walking.
      guard position < UInt64(max(0, segmentEnd - segmentOffset)) else { continue }
      if places[id] == nil { places[id] = segmentOffset + Int64(position) }
    }
  }

  private mutating func parseInfo(_ reader: ByteReader) throws(ReadFault) {
    var reader = reader
    var ticks: Double?
    while !reader.isAtEnd {
      var (id, value) = try reader.child()
      switch id {
      case ElementID.timestampScale:
        let scale = try value.unsignedValue()
        guard scale > 0, scale <= UInt64(Int64.max) else {
          throw value.fault(
            .invalid(
              field: "TimestampScale", value: Int64(clamping: scale),
              reason: "which is no length of a tick"))
        }
        timestampScale = Int64(scale)
      case ElementID.duration: ticks = try value.floatValue()
      case ElementID.writingApp: writingApp = value.textValue()
      default: break
      }
    }
    if let ticks, ticks > 0 {
      duration = Timestamp(seconds: ticks * Double(timestampScale) / 1e9)
    }
  }
}
