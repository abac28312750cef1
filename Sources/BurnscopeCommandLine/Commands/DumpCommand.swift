// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import MediaContainer

/// `burnscope dump`: the structures of a track.
struct DumpCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "dump",
    abstract: "Print the structures of a bitmap subtitle track as they stand in the file.",
    discussion: """
      One line a structure, in the file's order: time, @offset, name, fields. PGS and DVB: segments;
      VobSub: sub-picture units with their commands; XSUB: packets. Pixels are given as their count of
      bytes. A structure that cannot be read has FAULT and the reason at its line's end.

        burnscope dump film.mkv --track s:0 | less
        burnscope dump capture.ts --track 3 --format ndjson | jq -c 'select(.fault)'

      An offset counts from the file's beginning; @1234+56 is byte 56 of the unpacked packet at
      byte 1234, where packets are compressed or spread over the container.

      Exit codes: 0 done, faults shown or not; 64 usage; 65 damaged input; 66 no such file, or not
      readable; 130 interrupted.
      """)

  @Argument(help: "The media file; for VobSub the .idx file; a raw .sup or .pes.") var file: String
  @Option(
    help: ArgumentHelp(
      "The track: its stream index, or s:N; may be left out if there is but one.",
      valueName: "track"))
  var track: TrackSelector?
  @Option(help: "Lines for people, or a JSON document a line.") var format: DumpFormat = .text

  func run() async throws {
    let (file, track, format) = (file, track, format)
    let faults = try await BlockingWork.run { cancellation in
      let progress = Progress()
      defer { progress.finish() }
      return try Dump.file(file, track: track, format: format, cancellation: cancellation) { part in
        progress.show("Reading \(Int(part * 100)) %")
      } line: {
        StandardOutput.write($0.onOneLine + "\n")
      }
    }
    if faults > 0 { StandardError.warn("\(file): \(faults) structures cannot be read.") }
  }
}
