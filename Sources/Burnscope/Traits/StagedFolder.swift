// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MediaContainer

/// Writes a folder of files so that all or none are there: in a folder beside it first.
struct StagedFolder {
  /// The folder that is to have the files.
  let path: String
  /// The folders in it.
  let folders: [String]

  private var stage: String {
    var stem = Substring(path)
    while stem.count > 1, stem.last == "/" { stem.removeLast() }
    return "\(stem).\(getpid()).part"
  }

  /// Writes the files, replacing those of the same names.
  ///
  /// - Parameters:
  ///   - contents: Names in the folder, and bytes.
  ///   - cancellation: Ends the work before the first file is in its place.
  ///   - progress: Called before each file with its place and their number.
  /// - Throws: `MediaError` of kind `.unwritable`; `CancellationError`.
  func write(
    _ contents: [(name: String, bytes: [UInt8])], cancellation: CancellationFlag?,
    _ progress: (Int, Int) -> Void
  ) throws {
    let stage = stage
    let writer = RenderOutput(replacesFiles: true)
    defer { remove(contents.map(\.name), from: stage) }
    for folder in folders { try writer.makeFolder("\(stage)/\(folder)") }
    for (place, content) in contents.enumerated() {
      if cancellation?.isCancelled == true { throw CancellationError() }
      progress(place, contents.count)
      try writer.write(content.bytes, to: "\(stage)/\(content.name)")
    }
    if cancellation?.isCancelled == true { throw CancellationError() }
    // In one step where there is no such folder, or an empty one.
    if rename(stage, path) == 0 { return }
    for folder in folders { try writer.makeFolder("\(path)/\(folder)") }
    for content in contents {
      guard rename("\(stage)/\(content.name)", "\(path)/\(content.name)") == 0 else {
        let reason = strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
        throw MediaError(.unwritable, "\(path)/\(content.name): cannot be written: \(reason)")
      }
    }
  }

  /// Takes the folder beside away, with what is left in it.
  private func remove(_ names: [String], from stage: String) {
    for name in names { unlink("\(stage)/\(name)") }
    for folder in folders { rmdir("\(stage)/\(folder)") }
    rmdir(stage)
  }
}
