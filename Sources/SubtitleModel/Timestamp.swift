// SPDX-License-Identifier: Apache-2.0

/// A point on the media's own timeline, or a length of it, in whole nanoseconds.
///
/// Zero is the container's start time (the first presentation time of the file); raw streams
/// (.sup, .idx) count from the zero of their own clock. Negative values are possible.
public struct Timestamp: Sendable, Hashable, Comparable {
  /// Nanoseconds from zero.
  public var nanoseconds: Int64

  /// Makes a timestamp of whole nanoseconds.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  /// The origin of the timeline.
  public static let zero = Timestamp(nanoseconds: 0)

  /// Makes a timestamp from whole milliseconds; saturates at the ends of the range.
  public init(milliseconds: Int64) {
    self.init(ticks: milliseconds, numerator: 1, denominator: 1000)
  }

  /// Makes a timestamp from seconds, rounded to the nearest nanosecond.
  ///
  /// Values outside the range (and NaN, as zero) are saturated.
  public init(seconds: Double) {
    let value = (seconds * 1e9).rounded()
    if value.isNaN {
      self.init(nanoseconds: 0)
    } else if value >= 9.2e18 {
      self.init(nanoseconds: .max)
    } else if value <= -9.2e18 {
      self.init(nanoseconds: .min)
    } else {
      self.init(nanoseconds: Int64(value))
    }
  }

  /// Makes a timestamp from ticks of a timebase, rounded to the nearest nanosecond.
  ///
  /// - Parameters:
  ///   - ticks: The count of ticks, of either sign.
  ///   - numerator: Seconds of one tick, numerator; more than 0.
  ///   - denominator: Seconds of one tick, denominator; more than 0.
  public init(ticks: Int64, numerator: Int64, denominator: Int64) {
    precondition(numerator > 0 && denominator > 0, "a timebase is positive")
    let (factor, overflow) = numerator.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else {
      self.init(seconds: Double(ticks) * Double(numerator) / Double(denominator))
      return
    }
    let product = ticks.magnitude.multipliedFullWidth(by: factor.magnitude)
    guard product.high < denominator.magnitude else {
      self.init(nanoseconds: ticks < 0 ? .min : .max)
      return
    }
    let (quotient, remainder) = denominator.magnitude.dividingFullWidth(product)
    let rounded = quotient &+ (remainder >= denominator.magnitude - remainder ? 1 : 0)
    guard rounded <= UInt64(Int64.max) else {
      self.init(nanoseconds: ticks < 0 ? .min : .max)
      return
    }
    self.init(nanoseconds: ticks < 0 ? -Int64(rounded) : Int64(rounded))
  }

  /// The value in seconds, for display and for arithmetic that tolerates rounding.
  public var seconds: Double { Double(nanoseconds) / 1e9 }

  /// The value in milliseconds, rounded to the nearest.
  public var milliseconds: Int64 {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if remainder >= 500_000 { return quotient + 1 }
    if remainder <= -500_000 { return quotient - 1 }
    return quotient
  }

  /// Whether the left is earlier.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The sum, saturated at the ends of the range.
  public static func + (left: Timestamp, right: Timestamp) -> Timestamp {
    let (sum, overflow) = left.nanoseconds.addingReportingOverflow(right.nanoseconds)
    return Timestamp(nanoseconds: overflow ? (left.nanoseconds < 0 ? .min : .max) : sum)
  }

  /// The difference, saturated at the ends of the range.
  public static func - (left: Timestamp, right: Timestamp) -> Timestamp {
    let (sum, overflow) = left.nanoseconds.subtractingReportingOverflow(right.nanoseconds)
    return Timestamp(nanoseconds: overflow ? (left.nanoseconds < 0 ? .min : .max) : sum)
  }
}

extension Timestamp: CustomStringConvertible {
  /// The value as hours, minutes, seconds and milliseconds: `00:01:02.500`.
  public var description: String {
    let total = milliseconds
    let magnitude = total.magnitude
    func padded(_ value: UInt64, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    let clock = [
      padded(magnitude / 3_600_000, 2), padded(magnitude / 60_000 % 60, 2),
      padded(magnitude / 1000 % 60, 2),
    ].joined(separator: ":")
    return (total < 0 ? "-" : "") + clock + "." + padded(magnitude % 1000, 3)
  }
}

extension Timestamp: LosslessStringConvertible {
  /// Reads `62.5`, `01:02.5` or `00:01:02.5`, with an optional leading minus.
  ///
  /// Minutes and seconds behind a larger unit must be below 60. At most nine decimals count.
  public init?(_ text: String) {
    var rest = Substring(text)
    let isNegative = rest.first == "-"
    if isNegative { rest = rest.dropFirst() }
    let fields = rest.split(separator: ":", omittingEmptySubsequences: false)
    guard (1...3).contains(fields.count), let last = fields.last else { return nil }
    func whole(_ digits: Substring) -> Int64? {
      guard !digits.isEmpty, digits.count <= 9, digits.utf8.allSatisfy({ (48...57).contains($0) })
      else { return nil }
      return Int64(digits)
    }
    let parts = last.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let secondsField = parts.first, var total = whole(secondsField) else { return nil }
    if fields.count > 1 {
      guard total < 60, let minutes = whole(fields[fields.count - 2]) else { return nil }
      total += minutes * 60
      if fields.count == 3 {
        guard minutes < 60, let hours = whole(fields[0]) else { return nil }
        total += hours * 3600
      }
    }
    var nanoseconds: Int64 = 0
    if parts.count == 2 {
      guard !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (48...57).contains($0) }) else {
        return nil
      }
      let digits = parts[1].prefix(9)
      let padded = digits + String(repeating: "0", count: 9 - digits.count)
      nanoseconds = Int64(padded) ?? 0
    }
    let (scaled, overflow) = total.multipliedReportingOverflow(by: 1_000_000_000)
    guard !overflow else { return nil }
    let (sum, sumOverflow) = scaled.addingReportingOverflow(nanoseconds)
    guard !sumOverflow else { return nil }
    self.init(nanoseconds: isNegative ? -sum : sum)
  }
}
