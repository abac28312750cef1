// SPDX-License-Identifier: Apache-2.0

/// Language codes of file names (ISO 639-1 and 639-2), of the languages that films mostly have.
enum LanguageCodes {
  /// Two letters, the three letters that films carry, other three letters, and the English name.
  private static let table: [(String, String, String?, String)] = [
    ("ar", "ara", nil, "Arabic"), ("bg", "bul", nil, "Bulgarian"), ("bs", "bos", nil, "Bosnian"),
    ("ca", "cat", nil, "Catalan"), ("cs", "cze", "ces", "Czech"), ("da", "dan", nil, "Danish"),
    ("de", "ger", "deu", "German"), ("el", "gre", "ell", "Greek"), ("en", "eng", nil, "English"),
    ("es", "spa", nil, "Spanish"), ("et", "est", nil, "Estonian"), ("eu", "baq", "eus", "Basque"),
    ("fa", "per", "fas", "Persian"), ("fi", "fin", nil, "Finnish"), ("fr", "fre", "fra", "French"),
    ("gl", "glg", nil, "Galician"), ("he", "heb", nil, "Hebrew"), ("hi", "hin", nil, "Hindi"),
    ("hr", "hrv", nil, "Croatian"), ("hu", "hun", nil, "Hungarian"),
    ("id", "ind", nil, "Indonesian"), ("is", "ice", "isl", "Icelandic"),
    ("it", "ita", nil, "Italian"), ("ja", "jpn", nil, "Japanese"), ("ko", "kor", nil, "Korean"),
    ("lt", "lit", nil, "Lithuanian"), ("lv", "lav", nil, "Latvian"),
    ("mk", "mac", "mkd", "Macedonian"), ("ms", "may", "msa", "Malay"),
    ("nl", "dut", "nld", "Dutch"), ("no", "nor", nil, "Norwegian"),
    ("nb", "nob", nil, "Norwegian Bokmål"), ("pl", "pol", nil, "Polish"),
    ("pt", "por", nil, "Portuguese"), ("ro", "rum", "ron", "Romanian"),
    ("ru", "rus", nil, "Russian"), ("sk", "slo", "slk", "Slovak"), ("sl", "slv", nil, "Slovenian"),
    ("sq", "alb", "sqi", "Albanian"), ("sr", "srp", nil, "Serbian"), ("sv", "swe", nil, "Swedish"),
    ("ta", "tam", nil, "Tamil"), ("th", "tha", nil, "Thai"), ("tr", "tur", nil, "Turkish"),
    ("uk", "ukr", nil, "Ukrainian"), ("vi", "vie", nil, "Vietnamese"),
    ("zh", "chi", "zho", "Chinese"),
  ]

  /// The three letters of a code of two or three letters or of an English name, in lower case; nil
  /// if it is none.
  static func threeLetters(of text: String) -> String? {
    table.first {
      $0.0 == text || $0.1 == text || $0.2 == text || $0.3.lowercased() == text
    }?.1
  }

  /// The English name of a code, whatever its letters' case; nil if it is not in the table.
  static func name(of code: String) -> String? {
    let code = code.lowercased()
    return table.first { $0.0 == code || $0.1 == code || $0.2 == code }?.3
  }
}
