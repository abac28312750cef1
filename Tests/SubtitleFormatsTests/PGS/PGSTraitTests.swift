// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

/// The sets that tests of the format are made of.
typealias TestSet = PGSSampleSet

@Suite struct PGSTraits {
  @Test(arguments: try PGSTraitList.all)
  func `is drawn as the stream says`(trait: StreamTrait) throws { try trait.checkLinear() }

  @Test(arguments: try PGSTraitList.all)
  func `is the same picture at every time by random access`(trait: StreamTrait) throws {
    try trait.checkRandomAccess()
  }

  @Test(arguments: try PGSTraitList.all)
  func `survives damage anywhere`(trait: StreamTrait) { trait.torture() }
}
