// SPDX-License-Identifier: Apache-2.0

import BurnInVerification

/// Random choices of a fuzz run, from one seed.
package struct Chance: Sendable {
  private var generator: SeededGenerator

  package init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  /// A number from 0 up to, but not including, 1.
  package mutating func unit() -> Double { Double(generator.next() >> 11) * 0x1p-53 }

  package mutating func uniform(_ low: Double, _ high: Double) -> Double {
    low + (high - low) * unit()
  }

  package mutating func integer(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + generator.below(range.count)
  }

  package mutating func choice<Element>(_ elements: [Element]) -> Element {
    elements[generator.below(elements.count)]
  }

  package mutating func happens(_ share: Double) -> Bool { unit() < share }

  package mutating func bits() -> UInt64 { generator.next() }

  /// A number of a bell curve, as the sum of twelve even ones: its tails end at six deviations.
  package mutating func bell(_ mean: Double, _ deviation: Double) -> Double {
    var sum = -6.0
    for _ in 0..<12 { sum += unit() }
    return mean + deviation * sum
  }
}
