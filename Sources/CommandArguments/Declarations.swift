// SPDX-License-Identifier: Apache-2.0

/// A value that can be read from one word of a command line.
public protocol ExpressibleByArgument {
  /// Reads the word; nil refuses it.
  init?(argument: String)
  /// The words it can be, where they are few; else empty.
  static var allValueStrings: [String] { get }
  /// The word that stands for this value in help texts.
  var defaultValueDescription: String { get }
}

extension ExpressibleByArgument {
  /// No list of words.
  public static var allValueStrings: [String] { [] }
  /// The value's description.
  public var defaultValueDescription: String { String(describing: self) }
}

extension ExpressibleByArgument where Self: LosslessStringConvertible {
  /// Reads the word as the type's own text form.
  public init?(argument: String) { self.init(argument) }
}

extension ExpressibleByArgument where Self: RawRepresentable & CaseIterable, RawValue == String {
  /// Reads the word as a raw value.
  public init?(argument: String) { self.init(rawValue: argument) }
  /// The raw values.
  public static var allValueStrings: [String] { allCases.map(\.rawValue) }
  /// The raw value.
  public var defaultValueDescription: String { rawValue }
}

extension String: ExpressibleByArgument {}
extension Int: ExpressibleByArgument {}
extension Double: ExpressibleByArgument {}

/// How an option or flag is spelled.
public struct NameSpecification: Sendable {
  enum Element: Sendable { case long, short, customLong(String), customShort(Character) }
  let elements: [Element]
  /// `--the-property-name`.
  public static let long = NameSpecification(elements: [.long])
  /// `-t`, the property's first letter.
  public static let short = NameSpecification(elements: [.short])
  /// Both forms.
  public static let shortAndLong = NameSpecification(elements: [.short, .long])
  /// A long name of its own, without the dashes.
  public static func customLong(_ name: String) -> NameSpecification {
    NameSpecification(elements: [.customLong(name)])
  }
  /// A short name of its own.
  public static func customShort(_ name: Character) -> NameSpecification {
    NameSpecification(elements: [.customShort(name)])
  }

  func spellings(property: String) -> [String] {
    elements.map { element in
      switch element {
      case .long: "--" + kebabCase(property)
      case .short: "-" + property.prefix(1)
      case .customLong(let name): "--" + name
      case .customShort(let name): "-\(name)"
      }
    }
  }
}

/// The text that explains an argument.
public struct ArgumentHelp: Sendable, ExpressibleByStringInterpolation {
  var abstract: String
  var valueName: String?
  /// A text alone.
  public init(stringLiteral value: String) { self.init(value) }
  /// A text, and the word that stands for the value: `<time>`.
  public init(_ abstract: String, valueName: String? = nil) {
    self.abstract = abstract
    self.valueName = valueName
  }
}

/// What the parser knows of one argument, and the place its value goes to.
final class ArgumentDefinition {
  enum Kind { case positional, option, flag }
  let kind: Kind
  let names: NameSpecification
  let help: ArgumentHelp?
  let isOptional: Bool
  let isRepeating: Bool
  let defaultText: String?
  let values: [String]
  var property = ""
  var wasGiven = false
  private(set) var value: Any?
  let read: (String, Any?) -> Any?

  init(
    kind: Kind, names: NameSpecification, help: ArgumentHelp?, isOptional: Bool, isRepeating: Bool,
    initial: Any?, defaultText: String?, values: [String], read: @escaping (String, Any?) -> Any?
  ) {
    self.kind = kind
    self.names = names
    self.help = help
    self.isOptional = isOptional
    self.isRepeating = isRepeating
    self.value = initial
    self.defaultText = defaultText
    self.values = values
    self.read = read
  }

  /// Takes one word; false if it cannot be read.
  func take(_ word: String) -> Bool {
    guard let next = read(word, wasGiven ? value : nil) else { return false }
    value = next
    wasGiven = true
    return true
  }

  var spellings: [String] { names.spellings(property: property) }
  var valueName: String { help?.valueName ?? kebabCase(property) }
}

protocol DefinitionHolder { var definitions: [(String, ArgumentDefinition)] { get } }

private func stored<Value>(_ definition: ArgumentDefinition, as type: Value.Type) -> Value {
  guard let value = definition.value as? Value else {
    preconditionFailure("\(definition.property) was read before the command line was parsed")
  }
  return value
}

/// A named value: `--name value` or `--name=value`.
@propertyWrapper public struct Option<Value>: DefinitionHolder {
  let definition: ArgumentDefinition
  var definitions: [(String, ArgumentDefinition)] { [("", definition)] }
  /// The value read, or the default.
  public var wrappedValue: Value { stored(definition, as: Value.self) }

  /// An option with a default.
  public init(wrappedValue: Value, name: NameSpecification = .long, help: ArgumentHelp? = nil)
  where Value: ExpressibleByArgument {
    definition = ArgumentDefinition(
      kind: .option, names: name, help: help, isOptional: true, isRepeating: false,
      initial: wrappedValue, defaultText: wrappedValue.defaultValueDescription,
      values: Value.allValueStrings, read: { word, _ in Value(argument: word) })
  }

  /// An option that must be given.
  public init(name: NameSpecification = .long, help: ArgumentHelp? = nil)
  where Value: ExpressibleByArgument {
    definition = ArgumentDefinition(
      kind: .option, names: name, help: help, isOptional: false, isRepeating: false, initial: nil,
      defaultText: nil, values: Value.allValueStrings, read: { word, _ in Value(argument: word) })
  }

  /// An option that may be left out.
  public init<T: ExpressibleByArgument>(name: NameSpecification = .long, help: ArgumentHelp? = nil)
  where Value == T? {
    definition = ArgumentDefinition(
      kind: .option, names: name, help: help, isOptional: true, isRepeating: false,
      initial: T?.none as Any, defaultText: nil, values: T.allValueStrings,
      read: { word, _ in T(argument: word).map { Value.some($0) as Any } })
  }

  /// An option that may be given several times.
  public init<T: ExpressibleByArgument>(
    wrappedValue: [T] = [], name: NameSpecification = .long, help: ArgumentHelp? = nil
  ) where Value == [T] {
    definition = ArgumentDefinition(
      kind: .option, names: name, help: help, isOptional: true, isRepeating: true,
      initial: wrappedValue, defaultText: nil, values: T.allValueStrings,
      read: { word, before in T(argument: word).map { (before as? [T] ?? []) + [$0] } })
  }
}

/// A switch: `--name`.
@propertyWrapper public struct Flag: DefinitionHolder {
  let definition: ArgumentDefinition
  var definitions: [(String, ArgumentDefinition)] { [("", definition)] }
  /// Whether it was given.
  public var wrappedValue: Bool { stored(definition, as: Bool.self) }

  /// A switch that is off until given.
  public init(name: NameSpecification = .long, help: ArgumentHelp? = nil) {
    definition = ArgumentDefinition(
      kind: .flag, names: name, help: help, isOptional: true, isRepeating: false, initial: false,
      defaultText: nil, values: [], read: { _, _ in true })
  }
}

/// A value by position.
@propertyWrapper public struct Argument<Value>: DefinitionHolder {
  let definition: ArgumentDefinition
  var definitions: [(String, ArgumentDefinition)] { [("", definition)] }
  /// The value read.
  public var wrappedValue: Value { stored(definition, as: Value.self) }

  /// An argument that must be given.
  public init(help: ArgumentHelp? = nil) where Value: ExpressibleByArgument {
    definition = ArgumentDefinition(
      kind: .positional, names: .long, help: help, isOptional: false, isRepeating: false,
      initial: nil, defaultText: nil, values: Value.allValueStrings,
      read: { word, _ in Value(argument: word) })
  }

  /// One or more arguments.
  public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == [T] {
    definition = ArgumentDefinition(
      kind: .positional, names: .long, help: help, isOptional: false, isRepeating: true,
      initial: nil, defaultText: nil, values: T.allValueStrings,
      read: { word, before in T(argument: word).map { (before as? [T] ?? []) + [$0] } })
  }

  /// Any number of arguments.
  public init<T: ExpressibleByArgument>(wrappedValue: [T], help: ArgumentHelp? = nil)
  where Value == [T] {
    definition = ArgumentDefinition(
      kind: .positional, names: .long, help: help, isOptional: true, isRepeating: true,
      initial: wrappedValue, defaultText: nil, values: T.allValueStrings,
      read: { word, before in T(argument: word).map { (before as? [T] ?? []) + [$0] } })
  }

  /// An argument that may be left out.
  public init<T: ExpressibleByArgument>(help: ArgumentHelp? = nil) where Value == T? {
    definition = ArgumentDefinition(
      kind: .positional, names: .long, help: help, isOptional: true, isRepeating: false,
      initial: T?.none as Any, defaultText: nil, values: T.allValueStrings,
      read: { word, _ in T(argument: word).map { Value.some($0) as Any } })
  }
}

/// Options that several commands share.
@propertyWrapper public struct OptionGroup<Group: ParsableArguments>: DefinitionHolder {
  /// The group with its values.
  public let wrappedValue: Group
  /// A group of its own.
  public init() { wrappedValue = Group() }
  var definitions: [(String, ArgumentDefinition)] { collectDefinitions(of: wrappedValue) }
}

/// Every definition of a command or group, in order of declaration, with its property's name set.
func collectDefinitions(of value: Any) -> [(String, ArgumentDefinition)] {
  var result: [(String, ArgumentDefinition)] = []
  for child in Mirror(reflecting: value).children {
    guard let holder = child.value as? any DefinitionHolder, let label = child.label else {
      continue
    }
    for (name, definition) in holder.definitions {
      let property = name.isEmpty ? String(label.drop { $0 == "_" }) : name
      definition.property = property
      result.append((property, definition))
    }
  }
  return result
}

/// A property's name as an option's: `maxHeight` becomes `max-height`, `deviceID` `device-id`,
/// `urlPath` `url-path` and `URLPath` too.
func kebabCase(_ property: String) -> String {
  var result = ""
  let letters = Array(property)
  for (index, letter) in letters.enumerated() {
    let followsSmall = index > 0 && !letters[index - 1].isUppercase
    let beginsWord =
      index > 0 && index + 1 < letters.count && letters[index + 1].isLowercase
    if letter.isUppercase && (followsSmall || beginsWord) { result += "-" }
    result += letter.lowercased()
  }
  return result
}
