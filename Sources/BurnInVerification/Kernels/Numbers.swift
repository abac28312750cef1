// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// e to a power.
func exponential(_ x: Double) -> Double { exp(x) }

/// Cosine and sine of `2 pi * turns`.
func circle(_ turns: Double) -> (cosine: Double, sine: Double) {
  (cos(2 * Double.pi * turns), sin(2 * Double.pi * turns))
}

/// A number rounded to the next whole one, halves to even; 0 for what is no number.
func wholeNumber(_ x: Double) -> Int {
  x.isNaN ? 0 : Int(min(max(x, -1e9), 1e9).rounded(.toNearestOrEven))
}

/// A number cut towards 0; 0 for what is no number.
func truncated(_ x: Double) -> Int { x.isNaN ? 0 : Int(min(max(x, -1e9), 1e9)) }
