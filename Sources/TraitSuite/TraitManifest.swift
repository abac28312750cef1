// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

/// The suite's table of contents, `manifest.json`.
package enum TraitManifest {
  /// The manifest's own version: 1.
  package static let version = 1

  /// The text of the manifest of some traits.
  package static func text(_ traits: [StreamTrait]) -> String {
    let kept = traits.filter { $0.reasonAgainstFile == nil }
    let left = traits.filter { $0.reasonAgainstFile != nil }
    let entries = kept.map { object(entry($0), indent: "    ") }
    let reasons = left.map { trait in
      object(
        [("id", quoted(trait.id)), ("reason", quoted(trait.reasonAgainstFile ?? ""))],
        indent: "    ")
    }
    return object(
      [
        ("version", "\(version)"),
        ("license", quoted("Apache-2.0")),
        ("traits", list(entries, indent: "  ")),
        ("leftOut", list(reasons, indent: "  ")),
      ], indent: "") + "\n"
  }

  private static func entry(_ trait: StreamTrait) -> [(String, String)] {
    let files = trait.files().map { TraitSuite.fileName(trait, suffix: $0.suffix) }
    let looks = trait.fileLooks.map { look in
      "{\"time\": \(seconds(trait.fileTime(look))), "
        + "\"picture\": \(quoted(TraitSuite.pictureName(trait, look)))}"
    }
    return [
      ("id", quoted(trait.id)),
      ("format", quoted(trait.codec.rawValue)),
      ("trait", quoted(trait.name)),
      ("source", quoted(trait.source)),
      ("file", quoted(files.first ?? "")),
      ("companions", "[" + files.dropFirst().map(quoted).joined(separator: ", ") + "]"),
      ("track", "\(trait.fileTrack)"),
      ("canvas", "{\"width\": \(trait.size.width), \"height\": \(trait.size.height)}"),
      ("expected", list(looks, indent: "      ")),
      (
        "findings",
        "[" + trait.codes.union(trait.fileCodes).sorted().map(quoted).joined(separator: ", ") + "]"
      ),
    ]
  }

  /// A time in seconds, with as many decimals as it needs, three at least.
  private static func seconds(_ time: Timestamp) -> String {
    let (whole, rest) = time.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    var digits = String(rest)
    digits = String(repeating: "0", count: max(0, 9 - digits.utf8.count)) + digits
    while digits.utf8.count > 3, digits.last == "0" { digits.removeLast() }
    return "\(whole).\(digits)"
  }

  private static func object(_ members: [(String, String)], indent: String) -> String {
    let lines = members.map { "\(indent)  \(quoted($0.0)): \($0.1)" }
    return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
  }

  private static func list(_ values: [String], indent: String) -> String {
    if values.isEmpty { return "[]" }
    return "[\n" + values.map { "\(indent)  \($0)" }.joined(separator: ",\n") + "\n\(indent)]"
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case "\n": result += "\\n"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
