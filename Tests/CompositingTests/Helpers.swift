// SPDX-License-Identifier: Apache-2.0

import Glibc

/// A small seeded generator of random numbers.
struct SplitMix {
  var state: UInt64
  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 32) }
  mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

/// A folder for one test, removed with everything in it when it goes.
final class TemporaryFolder {
  struct Failure: Error {}
  let path: String

  init() throws {
    var template = Array("/tmp/burnscope-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure() }
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  /// Writes a file into the folder; its path.
  func write(_ name: String, _ bytes: [UInt8]) throws -> String {
    let file = "\(path)/\(name)"
    guard let handle = fopen(file, "wb") else { throw Failure() }
    defer { fclose(handle) }
    guard fwrite(bytes, 1, bytes.count, handle) == bytes.count else { throw Failure() }
    return file
  }

  deinit {
    if let folder = opendir(path) {
      while let entry = readdir(folder) {
        let name = withUnsafePointer(to: entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != "." && name != ".." { unlink("\(path)/\(name)") }
      }
      closedir(folder)
    }
    rmdir(path)
  }
}
