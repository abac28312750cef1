// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel

/// Every trait that the four decoders are tested with, as files with expected pictures.
package enum TraitSuite {
  /// All traits, by coding; the same at every call.
  ///
  /// - Throws: What a writer throws for a value that does not fit its field: never, in a sound build.
  package static func all() throws -> [StreamTrait] {
    try PGSTraitList.all + VobSubTraitList.all + DVBTraitList.all + XSUBTraitList.all
  }

  /// The name of a file of a trait, in the suite's folder.
  package static func fileName(_ trait: StreamTrait, suffix: String) -> String {
    "\(trait.codec.rawValue)/\(trait.id).\(suffix)"
  }

  /// The name of the expected picture of a look, in the suite's folder.
  package static func pictureName(_ trait: StreamTrait, _ look: StreamTrait.Look) -> String {
    let digits = String(look.time.milliseconds)
    let padded = String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
    return "\(trait.codec.rawValue)/\(trait.id).\(padded)ms.png"
  }
}
