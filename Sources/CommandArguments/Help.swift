// SPDX-License-Identifier: Apache-2.0

/// The column in which help texts begin.
private let labelColumn = 28

func usageLine(_ path: [any AsyncParsableCommand.Type]) -> String {
  var words = path.map { $0.configuration.commandName }
  guard let command = path.last else { return "" }
  if !command.configuration.subcommands.isEmpty {
    return (words + ["<subcommand>"]).joined(separator: " ")
  }
  for definition in collectDefinitions(of: command.init()).map(\.1) {
    let value = "<\(definition.valueName)>"
    var form: String
    switch definition.kind {
    case .positional: form = value
    case .option: form = "\(definition.spellings.last ?? "") \(value)"
    case .flag: form = definition.spellings.last ?? ""
    }
    if definition.isOptional { form = "[\(form)]" }
    if definition.isRepeating { form += " ..." }
    words.append(form)
  }
  return words.joined(separator: " ")
}

func helpText(_ path: [any AsyncParsableCommand.Type], width: Int) -> String {
  guard let command = path.last else { return "" }
  let configuration = command.configuration
  var blocks: [String] = []
  if !configuration.abstract.isEmpty {
    var overview = wrap("OVERVIEW: " + configuration.abstract, width: width, indent: 0)
    if !configuration.discussion.isEmpty { overview += "\n\n" + configuration.discussion }
    blocks.append(overview)
  }
  blocks.append(wrap("USAGE: " + usageLine(path), width: width, indent: 2))
  let definitions = collectDefinitions(of: command.init()).map(\.1)
  func section(_ title: String, _ rows: [(String, String)]) {
    guard !rows.isEmpty else { return }
    blocks.append(
      ([title + ":"] + rows.map { row($0.0, $0.1, width: width) }).joined(separator: "\n"))
  }
  section(
    "ARGUMENTS",
    definitions.filter { $0.kind == .positional }.map { ("<\($0.valueName)>", describe($0)) })
  var options = definitions.filter { $0.kind != .positional }.map { definition in
    let names = definition.spellings.joined(separator: ", ")
    return (
      definition.kind == .flag ? names : "\(names) <\(definition.valueName)>", describe(definition)
    )
  }
  if path.count == 1, !configuration.version.isEmpty {
    options.append(("--version", "Show the version."))
  }
  options.append(("-h, --help", "Show help information."))
  section("OPTIONS", options)
  section(
    "SUBCOMMANDS",
    configuration.subcommands.map { ($0.configuration.commandName, $0.configuration.abstract) })
  if !configuration.subcommands.isEmpty {
    let name = path.map { $0.configuration.commandName }.joined(separator: " ")
    blocks.append("  See '\(name) help <subcommand>' for detailed help.")
  }
  return blocks.joined(separator: "\n\n") + "\n"
}

private func describe(_ definition: ArgumentDefinition) -> String {
  var notes: [String] = []
  if !definition.values.isEmpty {
    notes.append("values: " + definition.values.joined(separator: ", "))
  }
  if let text = definition.defaultText { notes.append("default: \(text)") }
  let note = notes.isEmpty ? "" : "(" + notes.joined(separator: "; ") + ")"
  return [definition.help?.abstract ?? "", note].filter { !$0.isEmpty }.joined(separator: " ")
}

private func row(_ label: String, _ text: String, width: Int) -> String {
  let head = "  " + label
  guard !text.isEmpty else { return head }
  let indent = String(repeating: " ", count: labelColumn)
  let lines = wrapLines(text, width: max(20, width - labelColumn))
  if head.count > labelColumn - 2 {
    return ([head] + lines.map { indent + $0 }).joined(separator: "\n")
  }
  let padded = head + String(repeating: " ", count: labelColumn - head.count)
  return ([padded + (lines.first ?? "")] + lines.dropFirst().map { indent + $0 })
    .joined(separator: "\n")
}

private func wrap(_ text: String, width: Int, indent: Int) -> String {
  let lines = wrapLines(text, width: max(20, width - indent))
  let prefix = String(repeating: " ", count: indent)
  return ([lines.first ?? ""] + lines.dropFirst().map { prefix + $0 }).joined(separator: "\n")
}

private func wrapLines(_ text: String, width: Int) -> [String] {
  var lines: [String] = []
  var line = ""
  for word in text.split(separator: " ") {
    if !line.isEmpty, line.count + 1 + word.count > width {
      lines.append(line)
      line = ""
    }
    line += line.isEmpty ? String(word) : " " + word
  }
  lines.append(line)
  return lines
}
