// SPDX-License-Identifier: Apache-2.0
import Burnscope
import Glibc
import MediaContainer
import PNGCoding
import SubtitleModel
import TestSupport
import Testing
import TraitSuite

/// The suite of traits: written, read back, never overwritten unasked.
@Suite("The suite of traits") struct TraitFolderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func write(_ name: String) throws -> TraitFolder.Report {
    try TraitFolder(path: folder.file(name)).write(RenderOutput(replacesFiles: false))
  }

  private func isThere(_ name: String) -> Bool { access(folder.file(name), F_OK) == 0 }

  @Test func `every trait is drawn natively as expected, and its findings are made`() throws {
    let report = try write("suite")
    let comparisons = try TraitFolder(path: folder.file("suite")).compare()
    #expect(comparisons.count == report.traits)
    #expect(report.traits >= 110 && report.files >= report.traits)
    for comparison in comparisons {
      #expect(comparison.native == .right, "\(comparison.id)")
      #expect(comparison.missingFindings == [], "\(comparison.id)")
    }
    let codings = Set(comparisons.map { $0.id.prefix { $0 != "-" } })
    #expect(codings == ["pgs", "vobsub", "dvb", "xsub"])
    // Neither decoder is compared with itself: libavcodec does not do all that files do.
    #expect(comparisons.contains { $0.libavcodec == .right })
    #expect(comparisons.contains { $0.libavcodec != .right })
  }

  @Test func `a picture that is not as expected is told`() throws {
    _ = try write("suite")
    let id = "pgs-01-an-epoch-start-and-a-clear"
    let other = RGBABitmap(
      width: 16, height: 8, filledWith: PaletteColor(red: 1, green: 2, blue: 3, alpha: 255))
    _ = try folder.write(try PNG.encode(other), to: "suite/pgs/\(id).03000ms.png")
    let found = try TraitFolder(path: folder.file("suite")).compare().filter { $0.native != .right }
    #expect(found.map(\.id) == [id])
    #expect(found.map(\.native) == [.wrong([3])])
  }

  @Test func `the same bytes are written at every call`() throws {
    #expect(try write("one") == write("two"))
    var names = ["manifest.json"]
    for trait in try TraitSuite.all() {
      names += trait.files().map { TraitSuite.fileName(trait, suffix: $0.suffix) }
      guard trait.reasonAgainstFile == nil else { continue }
      names += trait.fileLooks.map { TraitSuite.pictureName(trait, $0) }
    }
    #expect(Set(names).count == names.count)
    for name in names {
      #expect(try folder.read("one/\(name)") == folder.read("two/\(name)"), "\(name)")
    }
  }

  @Test func `nothing is written if one of the files exists`() throws {
    let last = "suite/manifest.json"
    try RenderOutput(replacesFiles: false).makeFolder(folder.file("suite"))
    _ = try folder.write([1], to: last)
    #expect(throws: MediaError.self) { try write("suite") }
    #expect(try folder.read(last) == [1])
    #expect(throws: (any Error).self) {
      try folder.read("suite/pgs/pgs-01-an-epoch-start-and-a-clear.sup")
    }
  }

  @Test func `an interrupted suite leaves nothing, a second one in the same folder all`() throws {
    let target = TraitFolder(path: folder.file("suite"))
    let stop = CancellationFlag()
    #expect(throws: CancellationError.self) {
      try target.write(RenderOutput(replacesFiles: false), cancellation: stop) { place, _ in
        if place == 100 { stop.cancel() }
      }
    }
    #expect(!isThere("suite") && !isThere("suite.\(getpid()).part"))
    try RenderOutput(replacesFiles: false).makeFolder(target.path)
    _ = try folder.write([1], to: "suite/own.txt")
    let report = try target.write(RenderOutput(replacesFiles: false))
    #expect(!isThere("suite.\(getpid()).part"))
    #expect(try folder.read("suite/own.txt") == [1])
    #expect(report.traits + report.leftOut == (try TraitSuite.all().count))
    #expect(try target.compare().count == report.traits)
  }

  /// Codes of findings for each trait: those of severity error are the ones that the trait states.
  @Test func `lint reads every trait, and its errors are those expected`() throws {
    _ = try write("suite")
    for trait in try TraitSuite.all() {
      guard let file = trait.files().first else { continue }
      let path = folder.file("suite/\(TraitSuite.fileName(trait, suffix: file.suffix))")
      let track = try #require(
        try Lint.file(path, track: .subtitleOrdinal(trait.fileTrack)).tracks.first)
      let found = Set(track.counts.keys)
      let stated = trait.codes.union(trait.fileCodes)
      #expect(found.isSuperset(of: stated), "\(trait.id): \(found.sorted())")
      let errors = Set(track.findings.filter { $0.severity == .error }.map(\.code))
      #expect(errors.isSubset(of: stated), "\(trait.id): \(errors.sorted())")
      #expect((track.count(of: .error) > 0) == !errors.isEmpty, "\(trait.id)")
    }
  }

  @Test func `every trait is compared with libavcodec, and no picture is wrong without a cause`()
    throws
  {
    _ = try write("suite")
    for trait in try TraitSuite.all() {
      guard let file = trait.files().first else { continue }
      let path = folder.file("suite/\(TraitSuite.fileName(trait, suffix: file.suffix))")
      for finding in try Lint.file(path, compares: true).tracks.flatMap(\.findings)
      where finding.code.hasPrefix("compare.") && finding.difference != nil {
        #expect(finding.difference?.cause != nil, "\(trait.id): \(finding.sentence)")
      }
    }
  }

  @Test func `every trait is of its own name, and says why it is in no file`() throws {
    let traits = try TraitSuite.all()
    #expect(Set(traits.map(\.id)).count == traits.count)
    for trait in traits {
      #expect(trait.files().isEmpty == (trait.reasonAgainstFile != nil), "\(trait.id)")
      #expect(trait.reasonAgainstFile != nil || !trait.fileLooks.isEmpty, "\(trait.id)")
      #expect(!trait.source.isEmpty, "\(trait.id)")
    }
  }

  @Test func `expected pictures are painted from letters`() {
    let half = PaletteColor(red: 255, green: 0, blue: 0, alpha: 100)
    let picture = Sketch.paint(
      [".W", "rK9"], on: Canvas(width: 3, height: 3),
      legend: Sketch.legend(.vobsub).merging(["r": half]) { $1 })
    let none: [UInt8] = [0, 0, 0, 0]
    #expect(
      picture.bytes == none + [255, 255, 255, 255] + none
        + [255, 0, 0, 100, 0, 0, 0, 255] + none + none + none + none)
  }
}
