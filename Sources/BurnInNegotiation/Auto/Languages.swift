// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// Whether two language tags name the same language (RA2).
  ///
  /// They do if they are equal, or if their primary parts are once the codes of ISO 639-1, 639-2/T
  /// and 639-2/B are folded. `und`, an empty tag and none never match a language.
  public static func languagesMatch(_ one: String?, _ two: String?) -> Bool {
    guard let one = LanguageTag(one), let two = LanguageTag(two) else { return false }
    return one.isSameLanguage(as: two)
  }
}

/// A language tag that names a language.
struct LanguageTag: Sendable, Hashable {
  /// The tag in lower case, with hyphens.
  var tag: String
  /// The primary language, in the code of two letters if it has one.
  var primary: String

  /// The tag of the text; nil if it names no language.
  init?(_ text: String?) {
    guard let text else { return nil }
    tag = Text.folded(text).replacing("_", with: "-")
    let code = String(tag.prefix { $0 != "-" })
    guard !code.isEmpty, code != "und" else { return nil }
    primary = LanguageCodes.folded[code] ?? code
  }

  /// Whether the tags are equal, so that the region agrees too.
  func isExactly(_ other: LanguageTag) -> Bool { tag == other.tag }

  /// Whether the tags name the same language, in whatever region.
  func isSameLanguage(as other: LanguageTag) -> Bool { primary == other.primary }
}
