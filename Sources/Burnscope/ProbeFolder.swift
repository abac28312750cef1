// SPDX-License-Identifier: Apache-2.0
import Glibc
import MediaContainer

extension Probe {
  /// Suffixes of the files that are looked at in folders; a `.sub` file is read with its `.idx`.
  private static let suffixes: Set<String> = [
    "mkv", "mks", "mk3d", "webm", "mp4", "m4v", "mov", "ts", "m2ts", "mts", "vob", "mpg", "mpeg",
    "avi", "divx", "sup", "idx", "pes",
  ]

  /// Folders within folders that are followed; deeper ones are passed over.
  private static let depthLimit = 64

  /// Whether a path names a folder.
  public static func isFolder(_ path: String) -> Bool { mode(path) { stat($0, $1) } == S_IFDIR }

  /// The media files in a folder and the folders within, in alphabetical order of their paths.
  ///
  /// Links to folders are not followed, hidden entries are passed over.
  ///
  /// - Parameters:
  ///   - folder: The folder's path.
  ///   - unreadable: Called with each folder that cannot be listed and the reason.
  /// - Returns: Paths that begin with the folder's.
  public static func mediaFiles(
    in folder: String, unreadable: (_ folder: String, _ reason: String) -> Void
  ) -> [String] {
    var files: [String] = []
    collect(folder, depth: 0, &files, unreadable)
    return files
  }

  private static func collect(
    _ folder: String, depth: Int, _ files: inout [String], _ unreadable: (String, String) -> Void
  ) {
    guard depth < depthLimit else {
      unreadable(folder, "it lies more than \(depthLimit) folders deep")
      return
    }
    guard let names = names(in: folder) else {
      unreadable(folder, String(cString: strerror(errno)))
      return
    }
    let base = folder.hasSuffix("/") ? folder : folder + "/"
    for name in names.sorted() {
      let path = base + name
      if mode(path, by: { lstat($0, $1) }) == S_IFDIR {
        collect(path, depth: depth + 1, &files, unreadable)
      } else if let dot = name.lastIndex(of: "."),
        suffixes.contains(name[name.index(after: dot)...].lowercased()),
        mode(path, by: { stat($0, $1) }) == S_IFREG
      {
        files.append(path)
      }
    }
  }

  /// The names in a folder but hidden ones; nil, and `errno`, if it cannot be listed.
  static func names(in folder: String) -> [String]? {
    guard let handle = opendir(folder) else { return nil }
    defer { closedir(handle) }
    var names: [String] = []
    while let entry = readdir(handle) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  private static func mode(
    _ path: String, by call: (UnsafePointer<CChar>, UnsafeMutablePointer<stat>) -> Int32
  ) -> mode_t? {
    var status = stat()
    return call(path, &status) == 0 ? status.st_mode & S_IFMT : nil
  }
}
