// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// One entry of Cues: where a block lies.
private struct CuePlace: Hashable {
  var track: UInt64
  var time: Int64
  var cluster: UInt64
  var relative: UInt64
}

extension MatroskaFile {
  /// The blocks of tracks as the Cues list them, in file order.
  ///
  /// - Returns: Nil if the Cues do not surely list all of them: if the file's own statistics do not
  ///   state the same count, or any entry leads elsewhere than to a block of its track and time.
  /// - Throws: `.unreadable` if the source fails.
  func blocksFromCues(
    _ numbers: Set<UInt64>
  ) throws(MatroskaFault) -> (blocks: [MatroskaBlock], bytesRead: Int64)? {
    guard !numbers.isEmpty, let cuesPlace = places[ElementID.cues],
      let tagsPlace = places[ElementID.tags]
    else { return nil }
    var window = Window(source, size: 512)
    do throws(MatroskaFault) {
      let counts = try frameCounts(at: tagsPlace, &window)
      var entries: [CuePlace] = []
      guard let head = try window.head(at: cuesPlace), head.id == ElementID.cues else { return nil }
      let reader = try data(of: head, limit: Limits.cuesBytes, &window)
      guard (try? Self.parseCues(reader, numbers, into: &entries)) == true else { return nil }
      let places = Set(entries)
      guard places.count == entries.count else { return nil }
      for number in numbers {
        guard let track = tracks.first(where: { $0.number == number }),
          let count = counts[track.uid], entries.count(where: { $0.track == number }) == count
        else { return nil }
      }
      entries.sort { ($0.cluster, $0.relative) < ($1.cluster, $1.relative) }
      return try follow(entries, &window).map { ($0, window.bytesRead) }
    } catch {
      if case .unreadable = error.kind { throw error }
      return nil
    }
  }

  /// Reads the entries of tracks; false if one has no relative position.
  private static func parseCues(
    _ reader: ByteReader, _ numbers: Set<UInt64>, into entries: inout [CuePlace]
  ) throws(ReadFault) -> Bool {
    var reader = reader
    while !reader.isAtEnd {
      var (id, point) = try reader.child()
      guard id == ElementID.cuePoint else { continue }
      var time: UInt64 = 0
      while !point.isAtEnd {
        var (id, value) = try point.child()
        if id == ElementID.cueTime { time = try value.unsignedValue() }
        guard id == ElementID.cueTrackPositions else { continue }
        var entry = (track: UInt64(0), cluster: UInt64?.none, relative: UInt64?.none)
        while !value.isAtEnd {
          var (id, number) = try value.child()
          switch id {
          case ElementID.cueTrack: entry.track = try number.unsignedValue()
          case ElementID.cueClusterPosition: entry.cluster = try number.unsignedValue()
          case ElementID.cueRelativePosition: entry.relative = try number.unsignedValue()
          default: break
          }
        }
        guard numbers.contains(entry.track) else { continue }
        guard let cluster = entry.cluster, let relative = entry.relative,
          let ticks = Int64(exactly: time)
        else { return false }
        entries.append(
          CuePlace(track: entry.track, time: ticks, cluster: cluster, relative: relative))
      }
    }
    return true
  }

  /// The count of frames of each track by its UID, from statistics that the writer of this very
  /// file made: copied ones of another file are told by another program's name.
  private func frameCounts(
    at place: Int64, _ window: inout Window
  ) throws(MatroskaFault) -> [UInt64: Int] {
    guard let writingApp, let head = try window.head(at: place), head.id == ElementID.tags else {
      return [:]
    }
    var reader = try data(of: head, limit: Limits.headerBytes, &window)
    var counts: [UInt64: Int] = [:]
    do throws(ReadFault) {
      while !reader.isAtEnd {
        var (id, tag) = try reader.child()
        guard id == ElementID.tag else { continue }
        var uid: UInt64?
        var texts: [String: String] = [:]
        while !tag.isAtEnd {
          var (id, part) = try tag.child()
          var name = ""
          var text = ""
          while id == ElementID.targets || id == ElementID.simpleTag, !part.isAtEnd {
            var (id, value) = try part.child()
            switch id {
            case ElementID.tagTrackUID: uid = try value.unsignedValue()
            case ElementID.tagName: name = value.textValue()
            case ElementID.tagString: text = value.textValue()
            default: break
            }
          }
          if !name.isEmpty { texts[name] = text }
        }
        if let uid, texts["_STATISTICS_WRITING_APP"] == writingApp {
          counts[uid] = texts["NUMBER_OF_FRAMES"].flatMap { Int($0) }
        }
      }
    } catch {
      throw MatroskaFault(.damaged(error), name: source.name)
    }
    return counts
  }

  /// Reads the block heads that entries lead to; nil if one leads elsewhere.
  private func follow(
    _ entries: [CuePlace], _ window: inout Window
  ) throws(MatroskaFault) -> [MatroskaBlock]? {
    var blocks: [MatroskaBlock] = []
    blocks.reserveCapacity(entries.count)
    var cluster: (place: UInt64, head: ElementHead, time: Int64)?
    for entry in entries {
      if cluster?.place != entry.cluster {
        guard let found = try clusterHead(entry.cluster, &window) else { return nil }
        cluster = (entry.cluster, found.head, found.time)
      }
      guard let (_, head, time) = cluster,
        entry.relative < UInt64(max(0, (head.end ?? segmentEnd) - head.dataOffset))
      else { return nil }
      var block = BlockPlace(offset: head.dataOffset + Int64(entry.relative))
      guard try block.read(self, &window), let blockHead = block.head,
        blockHead.track == entry.track,
        time.addingReportingOverflow(Int64(blockHead.relativeTime)) == (entry.time, false)
      else { return nil }
      let count = blocks.count
      try frames(
        of: blockHead, at: block.offset, end: block.end, time: timestamp(entry.time),
        duration: block.duration, &window, into: &blocks)
      guard blocks.count == count + 1 else { return nil }
    }
    return blocks
  }

  private func clusterHead(
    _ position: UInt64, _ window: inout Window
  ) throws(MatroskaFault) -> (head: ElementHead, time: Int64)? {
    guard position < UInt64(max(0, segmentEnd - segmentOffset)),
      let head = try window.head(at: segmentOffset + Int64(position)), head.id == ElementID.cluster
    else { return nil }
    // A checksum or padding may stand before the time.
    var place = head.dataOffset
    for _ in 0..<4 {
      guard let child = try window.head(at: place), let end = child.end, let size = child.size
      else { return nil }
      if child.id == ElementID.timestamp {
        guard size <= 8 else { return nil }
        let bytes = try window.bytes(at: child.dataOffset, count: Int(size))
        return Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }).map { (head, $0) }
      }
      place = end
    }
    return nil
  }
}

/// A block found by its place: a SimpleBlock, or a BlockGroup with its duration.
private struct BlockPlace {
  var offset: Int64
  var end: Int64 = 0
  var duration: Int64?
  var head: BlockHead?

  init(offset: Int64) { self.offset = offset }

  /// Reads the element; false if it is no block that lies within the file.
  mutating func read(
    _ file: MatroskaFile, _ window: inout Window
  ) throws(MatroskaFault) -> Bool {
    guard let element = try window.head(at: offset), let elementEnd = element.end,
      elementEnd <= file.segmentEnd
    else { return false }
    if element.id == ElementID.simpleBlock {
      offset = element.dataOffset
      end = elementEnd
      head = try window.blockHead(at: offset, size: end - offset)
      return true
    }
    guard element.id == ElementID.blockGroup else { return false }
    var place = element.dataOffset
    while place < elementEnd {
      guard let child = try window.head(at: place), let next = child.end, next <= elementEnd else {
        return false
      }
      if child.id == ElementID.block {
        offset = child.dataOffset
        end = next
        head = try window.blockHead(at: offset, size: end - offset)
      } else if child.id == ElementID.blockDuration {
        let bytes = try window.bytes(at: child.dataOffset, count: Int(clamping: child.size ?? 9))
        guard bytes.count <= 8 else { return false }
        duration = Int64(exactly: bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
      }
      place = next
    }
    return head != nil
  }
}
