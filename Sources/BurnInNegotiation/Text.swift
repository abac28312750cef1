// SPDX-License-Identifier: Apache-2.0

/// Comparing names without Foundation.
enum Text {
  /// The text without blanks at its ends.
  static func trimmed(_ text: some StringProtocol) -> String {
    guard let first = text.firstIndex(where: { !$0.isWhitespace }),
      let last = text.lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(text[first...last])
  }

  /// The text without blanks at its ends and in lower case.
  static func folded(_ text: some StringProtocol) -> String { trimmed(text).lowercased() }

  /// The words of the text in lower case: runs of letters and digits.
  static func words(_ text: String) -> [String] {
    text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
  }

  /// The number that is written with ASCII digits and nothing else; nil for anything else.
  static func strictInteger(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
    return Int(text)
  }
}
