// SPDX-License-Identifier: Apache-2.0
import Burnscope
import Glibc
import MediaContainer
import SubtitleFormats

/// Times the calls of our own decoders alone: the packets are read beforehand.
///
/// Each pass decodes a whole track by a fresh decoder; its pictures are counted and given back at
/// once. Printed are the number of bitmaps and the processor time of each pass in microseconds, as
/// `Scripts/decoder-timing.c` prints them for libavcodec.
enum DecoderTiming {
  private static let usage = "usage: burnscope-decoder-timing FILE SUBTITLE-NUMBER PASSES"

  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 3, let ordinal = Int(arguments[1]), let passes = Int(arguments[2]),
      (1...1000).contains(passes)
    else {
      complain(usage)
      exit(64)
    }
    do {
      try time(arguments[0], ordinal, passes)
    } catch {
      complain("\(error)")
      exit(65)
    }
  }

  private static func time(_ path: String, _ ordinal: Int, _ passes: Int) throws {
    let file = try NativeTracks(path: path)
    let wanted = try TrackSelector.subtitleOrdinal(ordinal).find(in: file.media, name: path)
    for track in try file.read([wanted]) {
      var bitmaps = 0
      var times: [String] = []
      for _ in 0..<passes {
        bitmaps = 0
        var decoder = try track.decoder()
        let start = processorTime()
        for packet in track.packets {
          for event in try decoder.decode(packet) { bitmaps += event.objects.count }
        }
        for event in try decoder.finish() { bitmaps += event.objects.count }
        times.append(String((processorTime() - start) / 1000))
      }
      print(bitmaps, times.joined(separator: " "))
    }
  }

  /// Nanoseconds that the process has been at work.
  private static func processorTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Writes a line to standard error.
  private static func complain(_ line: String) {
    let text = line + "\n"
    _ = text.withCString { write(STDERR_FILENO, $0, text.utf8.count) }
  }
}
