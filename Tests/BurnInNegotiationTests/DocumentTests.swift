// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Foundation
import Testing

@Suite("docs/negotiation.md")
struct DocumentTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
  private static let root = folder.appending(path: "../..").standardized

  private static let rules =
    (1...40).map { "R\($0)" } + (1...11).map { "RA\($0)" } + (1...24).map { "A\($0)" }

  /// The names of all tests and of the cases of tables, and what they lie in.
  private static func testNames() throws -> [(suite: String, name: String)] {
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    var names: [(String, String)] = []
    for file in files where file.hasSuffix("Tests.swift") && file != "DocumentTests.swift" {
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for match in text.matches(of: /(?:@Test\(|AutoCase\()\s*"([^"]*)"/) {
        names.append((String(file.dropLast(6)), String(match.output.1)))
      }
    }
    return names
  }

  private static func rows() throws -> [String: [String]] {
    let text = try String(
      contentsOf: root.appending(path: "docs/negotiation.md"), encoding: .utf8)
    var rows: [String: [String]] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| ") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      if cells.count == 4 { rows[cells[0]] = cells }
    }
    return rows
  }

  @Test("has a row for every rule, and a test in each suite that the row names")
  func rules() throws {
    let rows = try Self.rows()
    let names = try Self.testNames()
    for rule in Self.rules {
      let row = try #require(rows[rule], "\(rule) has no row")
      let suites = row[3].split(separator: ", ").map { $0.replacing("`", with: "") }
      for suite in suites {
        let isTested = names.contains { name in
          name.suite == suite
            && name.name.split { !$0.isLetter && !$0.isNumber }.contains { $0 == rule }
        }
        #expect(isTested, "no test of \(suite) has \(rule) in its name")
      }
    }
  }

  @Test("names code that exists")
  func code() throws {
    let sources = Self.root.appending(path: "Sources/BurnInNegotiation")
    var text = ""
    for case let file as URL in FileManager.default.enumerator(
      at: sources.resolvingSymlinksInPath(), includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" {
      text += try String(contentsOf: file, encoding: .utf8)
    }
    let words = Set(text.split { !$0.isLetter && !$0.isNumber })
    for row in try Self.rows().values {
      for name in row[2].split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
        #expect(row[0] == "rule" || words.contains(name), "\(name) of \(row[0])")
      }
    }
  }

  @Test("has a row for every code of the lint")
  func lint() throws {
    let text = try String(
      contentsOf: Self.root.appending(path: "docs/negotiation.md"), encoding: .utf8)
    for code in LintFinding.Code.allCases { #expect(text.contains("| `\(code.rawValue)` |")) }
  }
}
