// SPDX-License-Identifier: Apache-2.0
package import SubtitleModel

/// Bytes of one subtitle track as a container holds them together.
package struct TrackPacket: Sendable, Hashable {
  /// The presentation time; nil where the container does not say.
  package var time: Timestamp?
  /// How long the container says it is shown; nil or zero says nothing.
  package var duration: Timestamp?
  /// Absolute offset of the first byte, for findings.
  package var offset: Int64
  /// The payload, decompressed.
  package var bytes: [UInt8]

  /// Makes a packet.
  package init(
    time: Timestamp?, duration: Timestamp? = nil, offset: Int64 = 0, bytes: [UInt8]
  ) {
    self.time = time
    self.duration = duration
    self.offset = offset
    self.bytes = bytes
  }

  /// The end that the container states.
  package var containerEnd: Timestamp? {
    guard let time, let duration, duration > .zero else { return nil }
    return time + duration
  }
}

/// One bitmap on the canvas with the number that the stream gives it.
package struct ShownObject: Sendable, Hashable {
  /// The stream's number: object id (PGS), region id (DVB), 0 elsewhere.
  package var id: Int
  /// Bitmap, place, colours and forced flag.
  package var object: CueObject

  /// Makes an object.
  package init(id: Int, object: CueObject) {
    self.id = id
    self.object = object
  }
}

/// A change of what a track shows, at one time.
package struct SubtitleEvent: Sendable, Hashable {
  /// When it takes effect.
  package var time: Timestamp
  /// All that is visible from then on, in drawing order; none clears the screen.
  package var objects: [ShownObject]
  /// The end that the stream states (VobSub stop command, DVB page time-out, XSUB times).
  package var streamEnd: Timestamp?
  /// The end that the container states.
  package var containerEnd: Timestamp?
  /// The canvas that the objects are placed in; nil where the stream does not say.
  package var canvas: Canvas?
  /// Absolute offset of the structure that made the change.
  package var offset: Int64
  /// Whether it is a later step of a unit that began before, void once the next unit begins.
  package var isContinuation: Bool

  /// Makes an event.
  package init(
    time: Timestamp, objects: [ShownObject], streamEnd: Timestamp? = nil,
    containerEnd: Timestamp? = nil, canvas: Canvas?, offset: Int64, isContinuation: Bool = false
  ) {
    self.isContinuation = isContinuation
    self.time = time
    self.objects = objects
    self.streamEnd = streamEnd
    self.containerEnd = containerEnd
    self.canvas = canvas
    self.offset = offset
  }
}

/// Whether decoding may begin with a packet.
package enum EntryPoint: Sendable, Hashable {
  /// It needs what came before.
  case none
  /// It says that it repeats what is needed, which is to be checked.
  case acquisition
  /// It forgets all that came before.
  case reset
}

/// Turns the packets of one track into events.
///
/// Packets go in in the stream's order, one call each; state persists between them until ``reset()``
/// or the end. A lenient decoder never throws: it notes what it found and goes on.
package protocol SubtitleDecoder: Sendable {
  /// The canvas that the stream states, once it has; the last if it changes.
  var canvas: Canvas? { get }
  /// What was noticed so far.
  var log: FindingLog { get set }
  /// Bytes of codes and pixels that are kept between packets; small tables are not counted.
  var heldBytes: Int { get }
  /// The most bytes that any stream makes it keep, as ``heldBytes`` counts them.
  static var heldByteLimit: Int { get }
  /// Whether nothing decoded since the start or reset referred to something not seen since then.
  var isSelfContained: Bool { get }

  /// Takes one packet.
  ///
  /// - Returns: The events that are certain by now, in the stream's order; a set whose end is missing
  ///   comes with the next packet or with ``finish()``.
  /// - Throws: The first finding of severity error, if the log is strict.
  mutating func decode(_ packet: TrackPacket) throws(StreamFinding) -> [SubtitleEvent]

  /// Takes the end of the track.
  ///
  /// - Returns: The events that were held back.
  /// - Throws: The first finding of severity error, if the log is strict.
  mutating func finish() throws(StreamFinding) -> [SubtitleEvent]

  /// Forgets everything but findings and options, as after a jump in the file.
  mutating func reset()

  /// Whether decoding may begin with a packet, found without decoding it.
  func entryPoint(of packet: TrackPacket) -> EntryPoint
}
