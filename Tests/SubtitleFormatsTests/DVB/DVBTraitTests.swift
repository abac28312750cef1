// SPDX-License-Identifier: Apache-2.0
import SubtitleFormats
import SubtitleModel
import Testing
import TraitSuite

@Suite struct DVBTraits {
  @Test(arguments: try DVBTraitList.all)
  func `is drawn as the stream says`(trait: StreamTrait) throws { try trait.checkLinear() }

  @Test(arguments: try DVBTraitList.all)
  func `is the same picture at every time by random access`(trait: StreamTrait) throws {
    try trait.checkRandomAccess()
  }

  @Test(arguments: try DVBTraitList.all)
  func `survives damage anywhere`(trait: StreamTrait) { trait.torture() }
}
