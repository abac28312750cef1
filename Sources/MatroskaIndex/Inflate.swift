// SPDX-License-Identifier: Apache-2.0
package import BinaryReading

/// Unpacks zlib streams (RFC 1950, RFC 1951), as far as wanted and no further.
///
/// Matroska's usual compression packs each frame by itself, and the first hundred bytes of a frame
/// tell all that counting needs; so the work ends as soon as enough bytes are out.
package enum Inflate {
  /// Unpacks a zlib stream.
  ///
  /// - Parameters:
  ///   - input: The stream, or its beginning.
  ///   - limit: Bytes wanted; the result has more than that never, and fewer where the stream ends.
  ///   - base: Absolute offset of the stream, for faults.
  /// - Returns: The first bytes. The checksum is compared if the whole stream was unpacked.
  /// - Throws: `.truncated` if the input ends first, `.invalid` if it is no zlib stream.
  package static func zlib(
    _ input: [UInt8], limit: Int = 32 << 20, base: Int64 = 0
  ) throws(ReadFault) -> [UInt8] {
    var inflater = Inflater(input, base: base, limit: limit)
    try inflater.header()
    while inflater.output.count < limit {
      if try inflater.block() { break }
    }
    return inflater.output
  }
}

/// A Huffman code of RFC 1951, 3.2.2, as counts by length and symbols in order.
private struct HuffmanCode {
  /// Codes of 9 bits or fewer by their bits as they lie in the stream: symbol << 4 | length.
  private var table = [UInt16](repeating: 0, count: 512)
  private var counts = [UInt16](repeating: 0, count: 16)
  private var symbols: [UInt16] = []

  /// Makes the code of its lengths; nil if they are more than a code can hold.
  init?(lengths: ArraySlice<UInt8>) {
    for length in lengths { counts[Int(length)] += 1 }
    counts[0] = 0
    var left = 1
    var offsets = [Int](repeating: 0, count: 17)
    var firsts = [Int](repeating: 0, count: 17)
    var code = 0
    for length in 1..<16 {
      left = left * 2 - Int(counts[length])
      guard left >= 0 else { return nil }
      firsts[length] = code
      code = (code + Int(counts[length])) * 2
      offsets[length + 1] = offsets[length] + Int(counts[length])
    }
    symbols = [UInt16](repeating: 0, count: lengths.count)
    for (symbol, lengthByte) in lengths.enumerated() where lengthByte != 0 {
      let length = Int(lengthByte)
      symbols[offsets[length]] = UInt16(symbol)
      offsets[length] += 1
      if length <= 9 {
        var reversed = 0
        for bit in 0..<length { reversed |= (firsts[length] >> bit & 1) << (length - 1 - bit) }
        var place = reversed
        while place < 512 {
          table[place] = UInt16(symbol) << 4 | UInt16(length)
          place += 1 << length
        }
      }
      firsts[length] += 1
    }
  }

  /// The symbol that the next bits (first bit lowest) begin with, and its length; nil if none does.
  func symbol(_ bits: UInt64) -> (symbol: Int, length: Int)? {
    let entry = table[Int(bits & 511)]
    if entry != 0 { return (Int(entry >> 4), Int(entry & 15)) }
    var code = 0
    var first = 0
    var index = 0
    for length in 1..<16 {
      code |= Int(bits >> UInt64(length - 1) & 1)
      let count = Int(counts[length])
      if code - count < first { return (Int(symbols[index + code - first]), length) }
      index += count
      first = (first + count) * 2
      code *= 2
    }
    return nil
  }
}

private struct Inflater {
  private let input: [UInt8]
  private let base: Int64
  private let limit: Int
  private var next = 0
  private var bits: UInt64 = 0
  private var bitCount = 0
  private(set) var output: [UInt8] = []

  init(_ input: [UInt8], base: Int64, limit: Int) {
    self.input = input
    self.base = base
    self.limit = limit
    output.reserveCapacity(min(limit, 4 * input.count))
  }

  private func fault(_ kind: ReadFault.Kind) -> ReadFault {
    ReadFault(kind, offset: base + Int64(next), structure: "zlib stream")
  }

  private mutating func refill() {
    while bitCount <= 56, next < input.count {
      bits |= UInt64(input[next]) << UInt64(bitCount)
      next += 1
      bitCount += 8
    }
  }

  private mutating func take(_ count: Int) throws(ReadFault) -> Int {
    if bitCount < count { refill() }
    guard bitCount >= count else { throw fault(.truncated(needed: 1, available: 0)) }
    let value = Int(bits & ((1 << UInt64(count)) - 1))
    bits >>= UInt64(count)
    bitCount -= count
    return value
  }

  private mutating func decode(_ code: HuffmanCode) throws(ReadFault) -> Int {
    if bitCount < 15 { refill() }
    guard let (symbol, length) = code.symbol(bits) else {
      throw fault(
        .invalid(field: "code", value: Int64(bits & 0x7FFF), reason: "which stands for nothing"))
    }
    guard length <= bitCount else { throw fault(.truncated(needed: 1, available: 0)) }
    bits >>= UInt64(length)
    bitCount -= length
    return symbol
  }

  /// Reads the two bytes of RFC 1950, 2.2.
  mutating func header() throws(ReadFault) {
    guard input.count >= 2 else { throw fault(.truncated(needed: 2, available: input.count)) }
    let word = Int(input[0]) << 8 | Int(input[1])
    guard input[0] & 15 == 8, word % 31 == 0, input[1] & 0x20 == 0 else {
      throw fault(
        .invalid(field: "header", value: Int64(word), reason: "not that of a zlib stream"))
    }
    next = 2
  }

  /// Unpacks one block of RFC 1951, 3.2.3; true if it was the last and the checksum was right.
  mutating func block() throws(ReadFault) -> Bool {
    let isLast = try take(1) == 1
    switch try take(2) {
    case 0: try stored()
    case 1: try coded(Self.fixedLiterals, Self.fixedDistances)
    case 2: try dynamic()
    default: throw fault(.invalid(field: "block type", value: 3, reason: "which does not exist"))
    }
    if isLast, output.count < limit { try checksum() }
    return isLast
  }

  private mutating func stored() throws(ReadFault) {
    bits >>= UInt64(bitCount % 8)
    bitCount -= bitCount % 8
    let length = try take(16)
    let complement = try take(16)
    guard length == complement ^ 0xFFFF else {
      throw fault(
        .invalid(field: "length of a stored block", value: Int64(length), reason: "not as its copy")
      )
    }
    for _ in 0..<min(length, limit - output.count) { output.append(UInt8(try take(8))) }
  }

  private mutating func dynamic() throws(ReadFault) {
    let literalCount = try take(5) + 257
    let distanceCount = try take(5) + 1
    let lengthCount = try take(4) + 4
    var codeLengths = [UInt8](repeating: 0, count: 19)
    for place in 0..<lengthCount { codeLengths[Self.lengthOrder[place]] = UInt8(try take(3)) }
    guard let lengthCode = HuffmanCode(lengths: codeLengths[...]) else { throw badCode() }
    var lengths: [UInt8] = []
    while lengths.count < literalCount + distanceCount {
      let symbol = try decode(lengthCode)
      switch symbol {
      case 16:
        guard let last = lengths.last else { throw badCode() }
        lengths += [UInt8](repeating: last, count: try take(2) + 3)
      case 17: lengths += [UInt8](repeating: 0, count: try take(3) + 3)
      case 18: lengths += [UInt8](repeating: 0, count: try take(7) + 11)
      default: lengths.append(UInt8(symbol))
      }
    }
    guard lengths.count == literalCount + distanceCount,
      let literals = HuffmanCode(lengths: lengths[..<literalCount]),
      let distances = HuffmanCode(lengths: lengths[literalCount...])
    else { throw badCode() }
    try coded(literals, distances)
  }

  private func badCode() -> ReadFault {
    fault(.invalid(field: "code lengths", value: 0, reason: "which make no Huffman code"))
  }

  private mutating func coded(
    _ literals: HuffmanCode, _ distances: HuffmanCode
  ) throws(ReadFault) {
    while output.count < limit {
      let symbol = try decode(literals)
      if symbol < 256 {
        output.append(UInt8(symbol))
        continue
      }
      if symbol == 256 { return }
      guard symbol - 257 < Self.lengthBases.count else { throw badCode() }
      let length = Self.lengthBases[symbol - 257] + (try take(Self.lengthBits[symbol - 257]))
      let distanceSymbol = try decode(distances)
      guard distanceSymbol < 30 else { throw badCode() }
      let extra = distanceSymbol < 4 ? 0 : distanceSymbol / 2 - 1
      let start =
        distanceSymbol < 4 ? distanceSymbol + 1 : ((2 + distanceSymbol % 2) << extra) + 1
      let distance = start + (try take(extra))
      guard distance <= output.count else {
        throw fault(
          .invalid(field: "distance", value: Int64(distance), reason: "before the stream's begin"))
      }
      for _ in 0..<min(length, limit - output.count) {
        output.append(output[output.count - distance])
      }
    }
  }

  /// Compares the Adler-32 sum of RFC 1950, 8.
  private mutating func checksum() throws(ReadFault) {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for start in stride(from: 0, to: output.count, by: 5552) {
      for byte in output[start..<min(start + 5552, output.count)] {
        low += UInt32(byte)
        high += low
      }
      low %= 65521
      high %= 65521
    }
    bits >>= UInt64(bitCount % 8)
    bitCount -= bitCount % 8
    var stored: UInt32 = 0
    for _ in 0..<4 { stored = stored << 8 | UInt32(try take(8)) }
    guard stored == high << 16 | low else {
      throw fault(.invalid(field: "checksum", value: Int64(stored), reason: "not that of the data"))
    }
  }

  private static let lengthOrder = [
    16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
  ]
  private static let lengthBases = [
    3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131,
    163, 195, 227, 258,
  ]
  private static let lengthBits = [
    0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0,
  ]
  private static let fixedLiterals = fixedCode(
    [UInt8](repeating: 8, count: 144) + [UInt8](repeating: 9, count: 112)
      + [UInt8](repeating: 7, count: 24) + [UInt8](repeating: 8, count: 8))
  private static let fixedDistances = fixedCode([UInt8](repeating: 5, count: 30))

  private static func fixedCode(_ lengths: [UInt8]) -> HuffmanCode {
    guard let code = HuffmanCode(lengths: lengths[...]) else {
      preconditionFailure("the fixed code of RFC 1951, 3.2.6 is a code")
    }
    return code
  }
}
