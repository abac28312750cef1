// SPDX-License-Identifier: Apache-2.0

/// A command line that does not fit, with the command it was for.
struct UsageError: Error {
  let message: String
  let path: [any AsyncParsableCommand.Type]
}

/// What a command line asks for.
enum Invocation {
  case run(any AsyncParsableCommand, path: [any AsyncParsableCommand.Type])
  case help([any AsyncParsableCommand.Type])
  case version(String)
}

/// Reads a command line without the program's name.
func parse(_ words: [String], root: any AsyncParsableCommand.Type) throws -> Invocation {
  var path: [any AsyncParsableCommand.Type] = [root]
  var rest = words[...]
  var command = root
  while let word = rest.first {
    if word == "help" && !command.configuration.subcommands.isEmpty {
      for name in rest.dropFirst() {
        guard let next = subcommand(name, of: command) else { break }
        command = next
        path.append(next)
      }
      return .help(path)
    }
    guard let next = subcommand(word, of: command) else { break }
    command = next
    path.append(next)
    rest = rest.dropFirst()
  }
  let options = rest.prefix { $0 != "--" }
  if options.contains("--help") || options.contains("-h") { return .help(path) }
  if path.count == 1, options.contains("--version"), !root.configuration.version.isEmpty {
    return .version(root.configuration.version)
  }
  if !command.configuration.subcommands.isEmpty {
    guard let word = rest.first else { return .help(path) }
    let names = command.configuration.subcommands.map { $0.configuration.commandName }
    let kind = word.hasPrefix("-") ? "Unknown option '\(word)'." : "Unknown command '\(word)'."
    throw UsageError(message: kind + suggestion(for: word, among: names), path: path)
  }
  let value = command.init()
  do {
    try fill(collectDefinitions(of: value).map(\.1), from: rest)
    try validateAll(value)
  } catch let error as ParsingFault {
    throw UsageError(message: error.message, path: path)
  } catch let error as ValidationError {
    throw UsageError(message: error.description, path: path)
  }
  return .run(value, path: path)
}

private func subcommand(
  _ name: String, of command: any AsyncParsableCommand.Type
) -> (any AsyncParsableCommand.Type)? {
  command.configuration.subcommands.first { $0.configuration.commandName == name }
}

private protocol AnyOptionGroup { func validateGroup() throws }
extension OptionGroup: AnyOptionGroup {
  fileprivate func validateGroup() throws { try wrappedValue.validate() }
}

private func validateAll(_ command: any AsyncParsableCommand) throws {
  for child in Mirror(reflecting: command).children {
    try (child.value as? any AnyOptionGroup)?.validateGroup()
  }
  try command.validate()
}

private struct ParsingFault: Error { let message: String }

private func fill(_ definitions: [ArgumentDefinition], from words: ArraySlice<String>) throws {
  let named = definitions.filter { $0.kind != .positional }
  var positional = definitions.filter { $0.kind == .positional }[...]
  var rest = words
  var optionsEnded = false
  func take(_ definition: ArgumentDefinition, _ word: String, as spelling: String) throws {
    guard definition.take(word) else {
      let choice =
        definition.values.isEmpty
        ? "" : " Choose one of: \(definition.values.joined(separator: ", "))."
      throw ParsingFault(message: "The value '\(word)' is invalid for '\(spelling)'.\(choice)")
    }
  }
  while let word = rest.popFirst() {
    if !optionsEnded, word == "--" {
      optionsEnded = true
      continue
    }
    guard !optionsEnded, word.hasPrefix("-"), word != "-", Double(word) == nil else {
      guard let next = positional.first else {
        throw ParsingFault(message: "Unexpected argument '\(word)'.")
      }
      try take(next, word, as: "<\(next.valueName)>")
      if !next.isRepeating { positional = positional.dropFirst() }
      continue
    }
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelling = String(parts[0])
    guard let definition = named.first(where: { $0.spellings.contains(spelling) }) else {
      let known = named.flatMap(\.spellings)
      throw ParsingFault(
        message: "Unknown option '\(spelling)'." + suggestion(for: spelling, among: known))
    }
    if definition.kind == .flag {
      guard parts.count == 1 else {
        throw ParsingFault(message: "The flag '\(spelling)' takes no value.")
      }
      _ = definition.take("")
      continue
    }
    if definition.wasGiven, !definition.isRepeating {
      throw ParsingFault(message: "The option '\(spelling)' was given twice.")
    }
    guard let value = parts.count == 2 ? String(parts[1]) : rest.popFirst() else {
      throw ParsingFault(message: "Missing value for '\(spelling) <\(definition.valueName)>'.")
    }
    try take(definition, value, as: "\(spelling) <\(definition.valueName)>")
  }
  for definition in definitions where !definition.isOptional && !definition.wasGiven {
    let form =
      definition.kind == .positional
      ? "<\(definition.valueName)>"
      : "\(definition.spellings.last ?? "") <\(definition.valueName)>"
    throw ParsingFault(message: "Missing expected argument '\(form)'.")
  }
}

/// The nearest of the known words as a sentence, or nothing where none is near.
private func suggestion(for word: String, among known: [String]) -> String {
  let near = known.map { ($0, editDistance(word, $0)) }.min { $0.1 < $1.1 }
  guard let near, near.1 <= 3, near.1 < near.0.count else { return "" }
  return " Did you mean '\(near.0)'?"
}

/// How many characters to insert, delete or replace to make one word of the other.
func editDistance(_ left: String, _ right: String) -> Int {
  let target = Array(right)
  var row = Array(0...target.count)
  for (index, character) in left.enumerated() {
    var diagonal = row[0]
    row[0] = index + 1
    for column in target.indices {
      let substituted = diagonal + (character == target[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(substituted, diagonal + 1, row[column] + 1)
    }
  }
  return row[target.count]
}
