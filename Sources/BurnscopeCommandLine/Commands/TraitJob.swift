// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments
internal import MediaContainer

/// The work of `author` with the suite of traits.
struct TraitJob: Sendable {
  private let replacesFiles: Bool
  private let listsTraits: Bool
  private let trait: String?
  private let output: String?
  private let folder: String?
  private let checks: Bool

  /// Takes a command whose options were checked.
  init(_ command: AuthorCommand) {
    replacesFiles = command.force
    listsTraits = command.listTraits
    trait = command.trait
    output = command.output
    folder = command.traitSuite
    checks = command.check
  }

  /// Does what the command says.
  ///
  /// - Parameter cancellation: Ends the work early, with nothing written.
  /// - Throws: `CancellationError`; `ExitCode` if a picture is not as expected; what the suite throws.
  func run(_ cancellation: CancellationFlag) throws {
    let writer = RenderOutput(replacesFiles: replacesFiles)
    if listsTraits {
      for trait in try TraitFolder.traits() {
        let file = trait.suffixes.first.map { ".\($0)" } ?? "-"
        StandardOutput.write("\(trait.id)\t\(file)\t\(trait.summary)\n")
      }
    } else if let trait, let output {
      for file in try TraitFolder.write(trait: trait, to: output, writer) {
        StandardOutput.write("\(file)\n")
      }
    } else if let folder {
      if checks { return try compare(TraitFolder(path: folder), cancellation) }
      let progress = Progress()
      defer { progress.finish() }
      let report = try TraitFolder(path: folder).write(writer, cancellation: cancellation) {
        progress.show("Writing file \($0 + 1) of \($1)")
      }
      progress.finish()
      StandardError.write(
        "Wrote \(report.traits) traits in \(report.files) files, with \(report.pictures) expected "
          + "pictures and manifest.json, to \(folder).\n"
          + "\(report.leftOut) more that no file can hold are named in manifest.json.\n")
    }
  }

  /// Prints a line a trait: name, what the native decoders make of it, what libavcodec makes of it.
  private func compare(_ folder: TraitFolder, _ cancellation: CancellationFlag) throws {
    let progress = Progress()
    defer { progress.finish() }
    let comparisons = try folder.compare(cancellation: cancellation) { place, count in
      progress.show("Reading trait \(place + 1) of \(count)")
    }
    progress.finish()
    for comparison in comparisons {
      StandardOutput.write(
        "\(comparison.id)\t\(text(comparison.native))\t\(text(comparison.libavcodec))\t"
          + "\(comparison.summary)\n")
    }
    let wrong = comparisons.filter { $0.native != .right }.map(\.id)
    guard !wrong.isEmpty else { return }
    StandardError.fail(
      "\(wrong.count) of \(comparisons.count) traits are not drawn as expected by the native "
        + "decoders: \(wrong.joined(separator: ", ")).")
    throw ExitCode(ExitStatus.failure)
  }

  private func text(_ outcome: TraitComparison.Outcome) -> String {
    switch outcome {
    case .right: "right"
    case .wrong(let times): "wrong at " + times.map { "\($0)" }.joined(separator: ", ") + " s"
    case .unreadable(let sentence): "unreadable: \(sentence.onOneLine)"
    }
  }
}
