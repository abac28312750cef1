// SPDX-License-Identifier: Apache-2.0
public import MediaContainer
internal import PNGCoding
internal import SubtitleModel
internal import TraitSuite

/// A folder with the suite of traits: small files, the pictures expected of them, and a manifest.
public struct TraitFolder: Sendable {
  /// A trait by its name.
  public struct Trait: Sendable, Hashable {
    /// The name that files and commands use.
    public var id: String
    /// What it is, in a few words.
    public var summary: String
    /// The suffixes of its files, the one to open first; none if it is kept in no file.
    public var suffixes: [String]
  }

  /// What was written.
  public struct Report: Sendable, Hashable {
    /// How many traits.
    public var traits: Int
    /// How many files of subtitles.
    public var files: Int
    /// How many expected pictures.
    public var pictures: Int
    /// How many traits no file can hold.
    public var leftOut: Int
  }

  /// The manifest's name in the folder.
  static let manifest = "manifest.json"

  /// The folder.
  public let path: String

  /// Names a folder, which need not be there.
  public init(path: String) { self.path = path }

  /// All traits, by coding.
  ///
  /// - Throws: What a writer of a coding throws.
  public static func traits() throws -> [Trait] {
    try TraitSuite.all().map { trait in
      Trait(id: trait.id, summary: trait.name, suffixes: trait.files().map(\.suffix))
    }
  }

  /// Writes the whole suite; the same bytes at every call.
  ///
  /// - Parameters:
  ///   - output: How files are written. If one of them exists and may not be replaced, none is written.
  ///   - cancellation: Ends the work early, with `CancellationError` and nothing written.
  ///   - progress: Called before each file with its place and their number.
  /// - Returns: How much was written.
  /// - Throws: `MediaError` of kind `.unwritable`; `PNGFault`; `CancellationError`.
  public func write(
    _ output: RenderOutput, cancellation: CancellationFlag? = nil,
    _ progress: (Int, Int) -> Void = { _, _ in }
  ) throws -> Report {
    let traits = try TraitSuite.all()
    var report = Report(traits: 0, files: 0, pictures: 0, leftOut: 0)
    var contents: [(name: String, bytes: [UInt8])] = []
    for trait in traits {
      guard trait.reasonAgainstFile == nil else {
        report.leftOut += 1
        continue
      }
      report.traits += 1
      for file in trait.files() {
        report.files += 1
        contents.append((TraitSuite.fileName(trait, suffix: file.suffix), file.bytes))
      }
      for look in trait.fileLooks {
        report.pictures += 1
        contents.append(
          (TraitSuite.pictureName(trait, look), try PNG.encode(trait.picture(look))))
      }
    }
    contents.append((Self.manifest, Array(TraitManifest.text(traits).utf8)))
    for content in contents { try output.check("\(path)/\(content.name)") }
    try StagedFolder(path: path, folders: Set(traits.map(\.codec.rawValue)).sorted()).write(
      contents, cancellation: cancellation, progress)
    return report
  }

  /// Writes the file of one trait, and its companion under the same name with its own suffix.
  ///
  /// - Parameters:
  ///   - id: The trait.
  ///   - file: The file, whose suffix is that of the trait's own.
  ///   - output: How files are written.
  /// - Returns: The files written.
  /// - Throws: `MediaError` of kind `.invalidRequest` for a trait that there is not or a suffix that is
  ///   not its own, `.unwritable`.
  public static func write(
    trait id: String, to file: String, _ output: RenderOutput
  ) throws -> [String] {
    guard let trait = try TraitSuite.all().first(where: { $0.id == id }) else {
      throw MediaError(
        .invalidRequest, "there is no trait '\(id)'; 'author --list-traits' lists them")
    }
    let files = trait.files()
    guard let first = files.first else {
      throw MediaError(
        .invalidRequest, "the trait '\(id)' is in no file: \(trait.reasonAgainstFile ?? "")")
    }
    let suffix = ".\(first.suffix)"
    guard file.lowercased().hasSuffix(suffix) else {
      throw MediaError(
        .invalidRequest, "\(file): the trait '\(id)' is a \(suffix) file; name it so")
    }
    let stem = String(file.dropLast(suffix.utf8.count))
    let targets = [file] + files.dropFirst().map { "\(stem).\($0.suffix)" }
    for target in targets { try output.check(target) }
    for (target, content) in zip(targets, files) { try output.write(content.bytes, to: target) }
    return targets
  }
}
