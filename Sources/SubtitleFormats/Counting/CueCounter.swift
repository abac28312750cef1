// SPDX-License-Identifier: Apache-2.0
import BinaryReading
public import SubtitleModel

/// A packet of a track, read no further than is needed.
public struct CountingPacket {
  /// When it is shown; nil where the container does not say.
  public var time: Timestamp?
  /// How long, as the container states it.
  public var duration: Timestamp?
  /// Bytes of the packet as the file has it, perhaps compressed.
  public var storedSize: Int
  /// Whether the bytes are at hand, so that reading fewer of them saves nothing.
  public var isAtHand = false
  /// Reads its first bytes: as many as asked for, or all if it has fewer.
  public var read: (_ limit: Int) throws -> [UInt8]

  /// Makes a packet whose bytes are read on demand.
  public init(
    time: Timestamp?, duration: Timestamp?, storedSize: Int,
    read: @escaping (_ limit: Int) throws -> [UInt8]
  ) {
    self.time = time
    self.duration = duration
    self.storedSize = storedSize
    self.read = read
  }

  /// Makes a packet whose bytes are at hand.
  public init(time: Timestamp?, duration: Timestamp?, bytes: [UInt8]) {
    self.init(time: time, duration: duration, storedSize: bytes.count) { limit in
      limit >= bytes.count ? bytes : Array(bytes.prefix(limit))
    }
    isAtHand = true
  }

  /// The end that the container states.
  var containerEnd: Timestamp? {
    guard let time, let duration, duration > .zero else { return nil }
    return time + duration
  }
}

/// Counts the cues of one bitmap track from its packets, without decoding pictures.
///
/// Packets go in in the file's order, one call each; state persists between them. Use a new counter
/// for each track.
public struct CueCounter {
  private var format: any CountingFormat
  private let codec: SubtitleCodec
  private var faults: [String] = []
  private var unlistedFaults = 0
  private var isFull = false
  /// How many events are held.
  var mostEvents = CueCounter.eventLimit

  /// Events held of one track: a change each frame at 60 Hz for four hours.
  ///
  /// Later ones are not counted.
  package static let eventLimit = 1_000_000
  /// Faults listed of one track.
  static let listedFaults = 20

  /// Makes a counter; nil if the coding is none of bitmaps.
  ///
  /// - Parameters:
  ///   - codec: The track's coding.
  ///   - privateData: The codec's private data, as Matroska has it; empty where there is none.
  ///   - place: What kind of file the private data come from.
  ///   - codecTag: The container's tag of the coding, such as `DXSA`.
  ///   - languages: The languages of DVB services with commas between, in their order.
  public init?(
    codec: SubtitleCodec, privateData: [UInt8] = [], place: PrivateDataPlace = .container,
    codecTag: String? = nil, languages: String? = nil
  ) {
    self.codec = codec
    switch codec {
    case .pgs: format = PGSCounting()
    case .vobsub: format = VobSubCounting(privateData: privateData, place: place)
    case .dvb: format = DVBCounting(privateData: privateData, languages: languages)
    case .xsub: format = XSUBCounting(codecTag: codecTag)
    case .teletext, .text, .unknown: return nil
    }
  }

  /// Takes one packet.
  ///
  /// A packet that is damaged is noted and passed over.
  ///
  /// - Throws: What the packet's `read` throws.
  public mutating func add(_ packet: CountingPacket) throws {
    guard format.events.count < mostEvents else {
      isFull = true
      return
    }
    do {
      try format.add(packet)
    } catch let fault as ReadFault {
      note("\(packet.time.map { "at \($0)" } ?? "without time"): \(fault)")
    }
  }

  /// Notes a packet that could not be read.
  public mutating func note(_ fault: String) {
    if faults.count < Self.listedFaults { faults.append(fault) } else { unlistedFaults += 1 }
  }

  /// Ends the track.
  ///
  /// - Parameters:
  ///   - fileEnd: When the file ends; nil if unknown.
  ///   - filmLength: How long the film is from time zero on, for the cues' coverage; nil if unknown.
  /// - Returns: The count.
  /// - Throws: What the `read` of a packet that must be compared throws.
  public mutating func finish(
    fileEnd: Timestamp?, filmLength: Timestamp? = nil
  ) throws -> CueCount {
    do { try format.finish() } catch let fault as ReadFault { note("at the end: \(fault)") }
    var count = CueCount()
    count.canvas = format.canvas
    count.survey = format.survey
    count.notes = count.survey.pages?.notes ?? []
    count.take(format.events, codec: codec, fileEnd: fileEnd, filmLength: filmLength)
    count.faults = faults
    if isFull { count.faults.append("cues behind \(mostEvents) changes are not counted") }
    if unlistedFaults > 0 { count.faults.append("\(unlistedFaults) further faults are not listed") }
    return count
  }
}

/// What a format's counting offers.
protocol CountingFormat {
  /// The canvas that the stream states.
  var canvas: Canvas? { get }
  /// The changes so far, in the stream's order.
  var events: [CountingEvent] { get }
  /// What the headers say beyond the events; canvases and objects are taken from these.
  var survey: TrackSurvey { get }
  /// Takes one packet.
  mutating func add(_ packet: CountingPacket) throws
  /// Takes the end of the track.
  mutating func finish() throws
}

extension CountingFormat {
  mutating func finish() throws {}
}
