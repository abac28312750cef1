// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Steps from element to element through the clusters of a segment.
///
/// The walk is flat: element IDs say by themselves whether they belong to the segment or to a
/// cluster, so that clusters of unknown size need no special care. Every step moves forward, so the
/// walk ends whatever the file holds.
struct ClusterWalker {
  private let file: MatroskaFile
  private let wanted: Set<UInt64>
  /// Of the tracks with a number below 128 (all, as a rule): bit 0 wanted, bit 1 seen.
  private var states = [UInt8](repeating: 0, count: 128)
  private var window: Window
  private var position: Int64
  private var clusterEnd: Int64?
  private var clusterTime: Int64?
  private var pending: [MatroskaBlock] = []

  /// What was found so far.
  private(set) var walk = MatroskaWalk()
  /// Tracks whose first block ends the walk when none is left; empty if that is not asked.
  var missing: Set<UInt64> = []
  /// Where a search for missing tracks gives up.
  var searchEnd = Int64.max

  init(_ file: MatroskaFile, wanted: Set<UInt64>) {
    self.file = file
    self.wanted = wanted
    for number in wanted where number < 128 { states[Int(number)] = 1 }
    window = Window(file.source, size: MatroskaFile.windowSize)
    position = file.firstCluster ?? file.segmentEnd
  }

  mutating func run(
    progress: ((Double) throws -> Void)?, visit: (MatroskaBlock) throws -> Void
  ) throws {
    let isSearch = !missing.isEmpty
    let start = position
    let total = Double(max(1, file.segmentEnd - start))
    var nextReport = start
    while position < file.segmentEnd, position < searchEnd, !isSearch || !missing.isEmpty {
      if position >= nextReport {
        try progress?(Double(position - start) / total)
        nextReport = position + (4 << 20)
      }
      do throws(MatroskaFault) { try step() } catch {
        if case .unreadable = error.kind { throw error }
        walk.faults.append(error)
        guard walk.faults.count < Limits.faults, try resynchronize() else { break }
      }
      if !pending.isEmpty {
        for block in pending { try visit(block) }
        pending.removeAll(keepingCapacity: true)
      }
    }
    walk.bytesRead = window.bytesRead
  }

  /// Reads one element's head and what it takes to pass it.
  private mutating func step() throws(MatroskaFault) {
    if position == clusterEnd { leaveCluster() }
    guard let head = try window.head(at: position) else {
      position = file.segmentEnd
      return
    }
    switch head.id {
    case ElementID.simpleBlock:
      let end = try checkedEnd(head)
      try enterBlock(at: head.dataOffset, end: end, duration: nil)
      position = end
    case ElementID.blockGroup:
      let end = try checkedEnd(head)
      try enterGroup(at: head.dataOffset, end: end)
      position = end
    case ElementID.timestamp:
      let end = try checkedEnd(head)
      clusterTime = try number(head)
      position = end
    case ElementID.cluster:
      clusterEnd = head.end
      clusterTime = nil
      if let end = head.end, end > file.segmentEnd {
        // What is there of the last cluster is read all the same.
        clusterEnd = file.segmentEnd
        walk.faults.append(tooLong(head))
      }
      position = head.dataOffset
    default:
      try pass(head)
    }
  }

  private mutating func leaveCluster() {
    clusterEnd = nil
    clusterTime = nil
  }

  /// Passes over an element that holds no block.
  private mutating func pass(_ head: ElementHead) throws(MatroskaFault) {
    let isKnown: Bool
    switch head.id {
    case ElementID.void, ElementID.crc32, ElementID.position, ElementID.prevSize,
      ElementID.silentTracks, ElementID.encryptedBlock:
      isKnown = true
    case ElementID.ebml, ElementID.segment:
      // Another file behind this one: FFmpeg does not show it either.
      position = file.segmentEnd
      return
    default:
      isKnown = ElementID.isTopLevel(head.id)
      if isKnown { leaveCluster() }
    }
    let end = try checkedEnd(head)
    if !isKnown, clusterEnd == nil, end < file.segmentEnd {
      // An unknown element is believed if a known one follows it; else these are not elements.
      let next = try window.head(at: end)
      guard let next, ElementID.isTopLevel(next.id) || next.id == ElementID.void else {
        throw window.damaged(
          .invalid(field: "element ID", value: Int64(head.id), reason: "unknown here"),
          at: head.offset)
      }
    }
    position = end
  }

  /// The element's end, which must lie within cluster and file.
  private func checkedEnd(_ head: ElementHead) throws(MatroskaFault) -> Int64 {
    guard let end = head.end else {
      throw window.damaged(
        .invalid(
          field: "size", value: -1, reason: "unknown, which only segment and cluster may be"),
        at: head.offset, in: ElementID.name(of: head.id))
    }
    guard end <= clusterEnd ?? file.segmentEnd else { throw tooLong(head) }
    return end
  }

  private func tooLong(_ head: ElementHead) -> MatroskaFault {
    window.damaged(
      .truncated(
        needed: Int(clamping: head.size ?? 0),
        available: Int(clamping: (clusterEnd ?? file.segmentEnd) - head.dataOffset)),
      at: head.dataOffset, in: ElementID.name(of: head.id))
  }

  /// The value of an unsigned element of up to 8 bytes, at most that of a signed number.
  private mutating func number(_ head: ElementHead) throws(MatroskaFault) -> Int64 {
    let name = ElementID.name(of: head.id)
    guard let size = head.size, size <= 8 else {
      throw window.damaged(
        .invalid(field: "length of a number", value: head.size ?? -1, reason: "not 0 to 8"),
        at: head.offset, in: name)
    }
    let bytes = try window.bytes(at: head.dataOffset, count: Int(size))
    let value = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard let result = Int64(exactly: value) else {
      throw window.damaged(
        .invalid(field: "value", value: .max, reason: "or more, which is no time"),
        at: head.dataOffset, in: name)
    }
    return result
  }

  /// Reads a block group: its block's head, and all of it if the track is wanted.
  private mutating func enterGroup(at offset: Int64, end: Int64) throws(MatroskaFault) {
    var place = offset
    var block: (offset: Int64, end: Int64)?
    var duration: Int64?
    while place < end, let head = try window.head(at: place) {
      guard let next = head.end, next <= end else {
        throw window.damaged(
          .truncated(
            needed: Int(clamping: head.size ?? -1), available: Int(clamping: end - head.dataOffset)),
          at: head.dataOffset, in: ElementID.name(of: head.id))
      }
      if head.id == ElementID.block {
        let blockHead = try window.blockHead(at: head.dataOffset, size: next - head.dataOffset)
        if !isWanted(blockHead.track) {
          try note(blockHead, at: head.dataOffset)
          return
        }
        block = (head.dataOffset, next)
      } else if head.id == ElementID.blockDuration {
        duration = try number(head)
      }
      place = next
    }
    if let block { try enterBlock(at: block.offset, end: block.end, duration: duration) }
  }

  private func isWanted(_ track: UInt64) -> Bool {
    track < 128 ? states[Int(track)] & 1 != 0 : wanted.contains(track)
  }

  /// Notes the first time of a track.
  private mutating func note(_ head: BlockHead, at offset: Int64) throws(MatroskaFault) {
    if head.track < 128 {
      if states[Int(head.track)] & 2 != 0 { return }
      states[Int(head.track)] |= 2
    }
    if walk.firstTimes[head.track] == nil {
      walk.firstTimes[head.track] = try time(head, at: offset)
      missing.remove(head.track)
    }
  }

  private func time(_ head: BlockHead, at offset: Int64) throws(MatroskaFault) -> Timestamp {
    guard let clusterTime else {
      throw window.damaged(
        .invalid(field: "cluster time", value: -1, reason: "missing before the block"), at: offset,
        in: "block")
    }
    let (ticks, overflow) = clusterTime.addingReportingOverflow(Int64(head.relativeTime))
    guard !overflow else {
      throw window.damaged(
        .invalid(field: "cluster time", value: clusterTime, reason: "too large"), at: offset,
        in: "block")
    }
    return file.timestamp(ticks)
  }

  /// Puts a block's frames aside for the visitor if its track is wanted.
  private mutating func enterBlock(
    at offset: Int64, end: Int64, duration: Int64?
  ) throws(MatroskaFault) {
    let head = try window.blockHead(at: offset, size: end - offset)
    try note(head, at: offset)
    guard isWanted(head.track) else { return }
    try file.frames(
      of: head, at: offset, end: end, time: try time(head, at: offset), duration: duration,
      &window, into: &pending)
  }

  /// Moves to the next place behind a fault where a cluster or another segment child begins.
  ///
  /// - Returns: False if there is none.
  private mutating func resynchronize() throws(MatroskaFault) -> Bool {
    let damaged = position
    if let end = clusterEnd, end > damaged, end < file.segmentEnd,
      let head = try? window.head(at: end), ElementID.isTopLevel(head.id)
    {
      leaveCluster()
      position = end
      return true
    }
    leaveCluster()
    var place = damaged + 1
    let chunkSize = 1 << 16
    while place < file.segmentEnd {
      let bytes = try window.bytes(
        at: place, count: Int(min(Int64(chunkSize), file.segmentEnd - place)))
      guard bytes.count >= 4 else { return false }
      for index in 0..<(bytes.count - 3) where bytes[index] == 0x1F {
        guard bytes[index + 1] == 0x43, bytes[index + 2] == 0xB6, bytes[index + 3] == 0x75,
          try beginsCluster(place + Int64(index))
        else { continue }
        position = place + Int64(index)
        return true
      }
      place += Int64(bytes.count - 3)
    }
    return false
  }

  /// Whether the bytes of a cluster's ID are followed by what a cluster holds first.
  private mutating func beginsCluster(_ offset: Int64) throws(MatroskaFault) -> Bool {
    guard let head = try? window.head(at: offset), let child = try? window.head(at: head.dataOffset)
    else { return false }
    switch child.id {
    case ElementID.timestamp, ElementID.crc32, ElementID.void, ElementID.position,
      ElementID.prevSize, ElementID.silentTracks:
      return true
    default: return false
    }
  }
}

extension MatroskaFile {
  /// Ticks of the file as a time; saturates.
  func timestamp(_ ticks: Int64) -> Timestamp {
    Timestamp(ticks: ticks, numerator: timestampScale, denominator: 1_000_000_000)
  }
}
