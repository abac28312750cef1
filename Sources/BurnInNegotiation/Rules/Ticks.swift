// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// Server ticks in one second: a tick is 100 ns.
  public static let ticksPerSecond: Int64 = 10_000_000

  /// Seconds as the server ticks of `StartTimeTicks` (R1).
  ///
  /// The fraction of a tick is cut off. What is negative or no number is 0; what does not fit is
  /// `Int64.max`; infinity counts as unknown and is 0.
  public static func ticks(seconds: Double) -> Int64 {
    guard seconds.isFinite, seconds > 0 else { return 0 }
    let ticks = seconds * Double(ticksPerSecond)
    // 2^63 is the first number that does not fit; the conversion itself cuts the fraction off.
    return ticks < 0x1p63 ? Int64(ticks) : .max
  }
}
