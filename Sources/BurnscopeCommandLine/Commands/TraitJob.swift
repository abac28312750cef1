// SPDX-License-Identifier: Apache-2.0
internal import Burnscope
internal import CommandArguments

/// The work of `author` with the suite of traits.
struct TraitJob {
  private let command: AuthorCommand

  /// Takes a command whose options were checked.
  init(_ command: AuthorCommand) { self.command = command }

  /// Does what the command says.
  func run() throws {
    let writer = RenderOutput(replacesFiles: command.force)
    if command.listTraits {
      for trait in try TraitFolder.traits() {
        let file = trait.suffixes.first.map { ".\($0)" } ?? "-"
        StandardOutput.write("\(trait.id)\t\(file)\t\(trait.summary)\n")
      }
    } else if let trait = command.trait, let output = command.output {
      for file in try TraitFolder.write(trait: trait, to: output, writer) {
        StandardOutput.write("\(file)\n")
      }
    } else if let folder = command.traitSuite {
      if command.check { return try compare(TraitFolder(path: folder)) }
      let report = try TraitFolder(path: folder).write(writer)
      StandardError.write(
        "Wrote \(report.traits) traits in \(report.files) files, with \(report.pictures) expected "
          + "pictures and manifest.json, to \(folder).\n")
    }
  }

  /// Prints a line a trait: name, what the native decoders make of it, what libavcodec makes of it.
  private func compare(_ folder: TraitFolder) throws {
    let progress = Progress()
    let comparisons = try folder.compare { place, count in
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
