// SPDX-License-Identifier: Apache-2.0

/// SplitMix64: random numbers that depend on the seed alone, on every machine and run.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// Makes a generator that gives the same numbers for the same seed.
  package init(seed: UInt64) { state = seed }

  /// Returns the next 64 random bits.
  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a number of 0 or more and below `bound`, which is 1 or more.
  ///
  /// Written out, since the standard library does not promise its mapping across versions.
  package mutating func below(_ bound: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(max(1, bound))).high)
  }

  /// Puts the elements of an array in random order.
  package mutating func shuffle<Element>(_ elements: inout [Element]) {
    for position in stride(from: elements.count - 1, to: 0, by: -1) {
      elements.swapAt(position, below(position + 1))
    }
  }
}
