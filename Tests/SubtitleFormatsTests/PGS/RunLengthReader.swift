// SPDX-License-Identifier: Apache-2.0

/// A second reading of the PGS run-length code, written from its table alone, one branch a row.
struct RunLengthReader {
  struct Fault: Error { var text: String }

  /// Decodes lines; each must have exactly `width` pixels and end with the end-of-line code.
  static func decode(_ bytes: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    var pixels: [UInt8] = []
    var at = 0
    func next() throws -> Int {
      guard at < bytes.count else { throw Fault(text: "data ends at \(at)") }
      defer { at += 1 }
      return Int(bytes[at])
    }
    for row in 0..<height {
      var line: [UInt8] = []
      while true {
        let first = try next()
        if first != 0 {
          line.append(UInt8(first))
          continue
        }
        let second = try next()
        if second == 0 { break }
        switch second >> 6 {
        case 0: line += [UInt8](repeating: 0, count: second)
        case 1: line += [UInt8](repeating: 0, count: (second - 64) * 256 + (try next()))
        case 2:
          let color = UInt8(try next())
          line += [UInt8](repeating: color, count: second - 128)
        default:
          let run = (second - 192) * 256 + (try next())
          line += [UInt8](repeating: UInt8(try next()), count: run)
        }
      }
      guard line.count == width else { throw Fault(text: "row \(row) has \(line.count) pixels") }
      pixels += line
    }
    guard at == bytes.count else { throw Fault(text: "\(bytes.count - at) bytes are left") }
    return pixels
  }
}
