// SPDX-License-Identifier: Apache-2.0
import SubtitleModel

/// Bounds on what one packet may make a decoder hand out.
///
/// A few bytes can name a large object again and again, each time clipped to another window.
package enum DecoderLimits {
  /// Events of one packet: a DVD sub-picture has one a control sequence, other packets a handful.
  package static let eventsPerPacket = 2 * SubpictureUnit.sequenceLimit
  /// Pixels of all pictures of one packet: two of the largest that PGS allows, and as much again.
  package static let pixelsPerPacket = 64 << 20
  /// Packets of one raw file: a segment each of a million display sets.
  package static let packetsPerFile = 4 << 20
  /// Bytes of the sub-pictures of one .idx track: 8192 of the largest.
  ///
  /// An index may lead to the same place again and again.
  package static let bytesPerIndexedTrack = 512 << 20
}

/// What the current packet has made so far.
struct PacketBudget: Sendable {
  private var events = 0
  private var pixels = 0

  /// Begins with a new packet.
  mutating func begin() { self = PacketBudget() }

  /// Takes one event; false if the packet has had its events.
  mutating func takeEvent() -> Bool {
    events += 1
    return events <= DecoderLimits.eventsPerPacket
  }

  /// Takes a picture's pixels; false, and nothing is taken, if they pass what the packet may have.
  mutating func take(pixels count: Int) -> Bool {
    guard pixels + count <= DecoderLimits.pixelsPerPacket else { return false }
    pixels += count
    return true
  }
}
