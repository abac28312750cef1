// SPDX-License-Identifier: Apache-2.0

/// A file of test vectors for the decision functions, and how this core does on it.
///
/// A file is an array of objects with `id`, `rule`, `fn`, `input` and `expected`; a player in
/// another language checks itself with the same file.
public struct NegotiationVectors: Sendable {
  /// One vector.
  public struct Vector: Sendable, Hashable, CustomStringConvertible {
    /// The id, unique in the file.
    public var id: String
    /// The rule that the vector shows, such as `R6`.
    public var rule: String
    /// The name of the decision function.
    public var function: String
    /// What the function is given.
    public var input: WireValue
    /// What it should answer.
    public var expected: WireValue

    /// The id with its rule.
    public var description: String { "\(id) [\(rule)]" }
  }

  /// A vector that did not come out as it should.
  public struct Failure: Sendable, Hashable {
    /// The id of the vector.
    public var id: String
    /// The rule that it shows.
    public var rule: String
    /// What the vector wants, as JSON.
    public var expected: String
    /// What the function answered, as JSON, or why it could not be run.
    public var actual: String
  }

  /// How a file went.
  public struct Report: Sendable, Hashable {
    /// How many vectors were run.
    public var count: Int
    /// Those that failed, in the file's order.
    public var failures: [Failure]

    /// How many came out as they should.
    public var passed: Int { count - failures.count }
  }

  /// The vectors in the file's order.
  public var vectors: [Vector]

  /// The vectors of a parsed file.
  /// - Throws: The place of the first entry that is no vector, counted from 0.
  public init(_ file: WireValue) throws(VectorFault) {
    guard let entries = file.array else { throw VectorFault.notAList }
    var vectors: [Vector] = []
    for (place, entry) in entries.enumerated() {
      guard let id = entry["id"]?.string, let function = entry["fn"]?.string,
        let input = entry["input"], case .object(let members) = entry,
        let expected = members.first(where: { $0.name == "expected" })?.value
      else { throw VectorFault.notAVector(place: place) }
      vectors.append(
        Vector(
          id: id, rule: entry["rule"]?.string ?? "", function: function, input: input,
          expected: expected))
    }
    self.vectors = vectors
  }

  /// The vectors of a file's text.
  /// - Throws: `WireFault` where the text is no JSON, `VectorFault` where an entry is no vector.
  public init(parsing bytes: some Collection<UInt8>) throws {
    self = try Self(WireValue(parsing: bytes))
  }

  /// Runs every vector.
  public func run() -> Report {
    Report(count: vectors.count, failures: vectors.compactMap { Self.check($0) })
  }

  /// Runs one vector; nil if it came out as it should.
  public static func check(_ vector: Vector) -> Failure? {
    let actual = VectorFunctions.table[vector.function]?(VectorInput(vector.input))
    if let actual, actual.matches(vector.expected) { return nil }
    return Failure(
      id: vector.id, rule: vector.rule, expected: vector.expected.description,
      actual: actual?.description ?? "there is no such function")
  }

  /// The names of the decision functions that vectors may call.
  public static var functions: [String] { VectorFunctions.table.keys.sorted() }
}

/// That a file holds no vectors.
public enum VectorFault: Error, Sendable, Hashable, CustomStringConvertible {
  /// The file is no list.
  case notAList
  /// The entry lacks an id, a function, an input or an expected answer.
  case notAVector(place: Int)

  /// The fault as one sentence.
  public var description: String {
    switch self {
    case .notAList: "The vector file is no JSON array."
    case .notAVector(let place):
      "Entry \(place) of the vector file lacks 'id', 'fn', 'input' or 'expected'."
    }
  }
}
