// SPDX-License-Identifier: Apache-2.0
import BinaryReading
import SubtitleModel

/// Counts DVD sub-pictures from their control sequences.
///
/// A sub-picture that is started and whose contrast is not zero all along is a cue. Where its colours
/// change by date there is a cue for each set of colours; opacities that change are one cue.
struct VobSubCounting: CountingFormat {
  private(set) var canvas: Canvas?
  private(set) var events: [CountingEvent] = []
  private(set) var survey = TrackSurvey()

  private let index: VobSubIndex
  /// The first part of a sub-picture that goes on in the next packet.
  private var pending: (packet: CountingPacket, bytes: [UInt8])?
  /// How many of the last events are later steps of the last unit.
  private var stepCount = 0
  /// What the last event shows.
  private var lastLook: Look?

  /// Makes the counting.
  ///
  /// - Parameters:
  ///   - privateData: The head of an .idx file, with `size: 720x576`, or the palette of an MP4 file.
  ///   - place: What kind of file they come from.
  init(privateData: [UInt8], place: PrivateDataPlace) {
    index = VobSubIndex.read(privateData: privateData)
    canvas = index.canvas
    survey.forcedObjectCount = 0
    survey.colors = .vobsub(VobSubPaletteSource(index, place: place))
  }

  mutating func add(_ packet: CountingPacket) throws {
    var first = packet
    var bytes = try packet.read(.max)
    var fault: ReadFault?
    if let (start, head) = pending {
      pending = nil
      if packet.time == nil || packet.time == start.time {
        first = start
        bytes = head + bytes
      } else {
        do throws(ReadFault) { try count(start, head) } catch { fault = error }
      }
    }
    let size = bytes.count < 2 ? 2 : Int(bytes[0]) << 8 | Int(bytes[1])
    if bytes.count < size {
      if !bytes.isEmpty { pending = (first, bytes) }
    } else {
      try count(first, bytes)
    }
    if let fault { throw fault }
  }

  mutating func finish() throws {
    guard let (packet, bytes) = pending else { return }
    pending = nil
    try count(packet, bytes)
  }

  private mutating func count(_ packet: CountingPacket, _ bytes: [UInt8]) throws(ReadFault) {
    guard let time = packet.time else {
      throw ReadFault(
        .invalid(field: "time", value: -1, reason: "missing in the container"), offset: 0,
        structure: "sub-picture")
    }
    // Steps of the unit before are void from here on.
    while stepCount > 0, let last = events.last, last.start >= time {
      events.removeLast()
      stepCount -= 1
    }
    stepCount = 0
    var reader = ByteReader(bytes, structure: "sub-picture")
    let unit: SubpictureUnit
    let fault: ReadFault?
    do throws(ReadFault) {
      (unit, fault) = try SubpictureUnit.salvage(&reader)
    } catch {
      events.append(CountingEvent(start: time, isPicture: false))
      lastLook = nil
      throw error
    }
    add(unit, time, packet.containerEnd)
    if let fault { throw fault }
  }

  private mutating func add(_ unit: SubpictureUnit, _ time: Timestamp, _ containerEnd: Timestamp?) {
    let schedule = SubpictureSchedule(unit) { Look($0, unit) }
    let stop = schedule.stop.map { time + ControlSequence.delay($0) }
    var isShown = false
    for (place, step) in schedule.changes({ $0.isFade(to: $1) }).enumerated() {
      let start = time + ControlSequence.delay(step.date)
      // What the container ends does not come back.
      if isShown, let containerEnd, start >= containerEnd { break }
      let isPicture = step.look != nil
      let repeatsLast = step.look.map { lastLook?.isFade(to: $0) ?? false } ?? false
      events.append(
        CountingEvent(
          start: start, streamEnd: isPicture ? stop : nil,
          containerEnd: isPicture ? containerEnd : nil, isPicture: isPicture,
          isForced: step.look?.isForced ?? false, continuesLast: repeatsLast, canvas: canvas,
          objectCount: isPicture ? 1 : 0, forcedObjectCount: step.look?.isForced ?? false ? 1 : 0))
      if let look = step.look { extendReach(to: index.place(of: look.area)) }
      lastLook = step.look
      isShown = isShown || isPicture
      if place > 0 { stepCount += 1 }
    }
  }

  private mutating func extendReach(to place: PixelRect) {
    survey.reach = Canvas(
      width: max(survey.reach?.width ?? 0, place.x + place.width),
      height: max(survey.reach?.height ?? 0, place.y + place.height))
  }

  /// What is seen of a sub-picture, as far as the commands alone tell.
  private struct Look {
    var colors: PixelCodes
    var contrasts: PixelCodes
    var changes: [LineControl]
    var area: PixelRect
    var isForced: Bool
    /// The pixels' codes and where each field's begin.
    var pixels: [UInt8]
    var addresses: [Int]

    init?(_ state: SubpictureState, _ unit: SubpictureUnit) {
      guard let area = state.area, !area.isEmpty, !state.isBlank else { return nil }
      colors = state.colors
      contrasts = state.effectiveContrasts
      changes = state.changes
      self.area = area
      isForced = state.isForced
      pixels = unit.pixelData
      addresses = state.addresses.map { [$0.top, $0.bottom] } ?? []
    }

    /// Whether another look differs in opacity alone.
    func isFade(to other: Look) -> Bool {
      guard area == other.area, isForced == other.isForced, changes == other.changes,
        addresses == other.addresses, pixels == other.pixels
      else { return false }
      return (0..<4).allSatisfy {
        colors.values[$0] == other.colors.values[$0] || contrasts.values[$0] == 0
          || other.contrasts.values[$0] == 0
      }
    }
  }
}

extension VobSubPaletteSource {
  /// Finds the source of the colours that the painter takes.
  fileprivate init(_ index: VobSubIndex, place: PrivateDataPlace) {
    if index.customColors?.isOn == true {
      self = .customColors
    } else if index.palette == nil {
      self = .guessed
    } else {
      switch place {
      case .indexFile: self = .indexFile
      case .movie: self = .movie
      case .container: self = .codecPrivate
      }
    }
  }
}
