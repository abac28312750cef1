// SPDX-License-Identifier: Apache-2.0
internal import BurnInVerification
internal import Burnscope
internal import Glibc
internal import MediaContainer
internal import Reporting
internal import SubtitleModel

/// The folder that a verification's pictures are written to.
struct EvidenceFolder {
  private let path: String

  /// Makes the folder, with its parents.
  ///
  /// - Parameters:
  ///   - path: Where.
  ///   - overwrites: Whether a folder that already holds a report may be used again.
  /// - Throws: `MediaError` of kind `.unwritable`.
  init(path: String, overwrites: Bool) throws {
    self.path = path
    var made = path.hasPrefix("/") ? "/" : ""
    for part in path.split(separator: "/") {
      made += (made.isEmpty || made.hasSuffix("/") ? "" : "/") + part
      if mkdir(made, 0o777) != 0, errno != EEXIST {
        throw Self.fault(made, errno)
      }
    }
    if !overwrites, access(path + "/result.json", F_OK) == 0 {
      throw MediaError(
        .unwritable, "\(path): there is evidence already; give another folder or --force")
    }
    guard access(path, W_OK | X_OK) == 0 else { throw Self.fault(path, errno) }
  }

  /// The page to open.
  var reportPath: String { path + (path.hasSuffix("/") ? "" : "/") + "report.html" }

  /// Writes three pictures a cue, `result.json` and `report.html`.
  func write(_ report: VerificationReport) throws {
    var cues: [ReportedCue] = []
    for picture in report.evidence {
      let number = String(picture.look.cueIndex + 1)
      let name = String(repeating: "0", count: max(0, 4 - number.count)) + number
      let cue = ReportedCue(
        index: picture.look.cueIndex, time: picture.look.time.description,
        passed: picture.look.passed, expected: try LumaPicture.png(picture.expected),
        frame: try LumaPicture.png(picture.frame),
        difference: try LumaPicture.differencePNG(picture.expected, picture.frame))
      try write(cue.expected, "\(name)-expected.png")
      try write(cue.frame, "\(name)-frame.png")
      try write(cue.difference, "\(name)-difference.png")
      cues.append(cue)
    }
    let page = HTMLReport.page(
      report.result, tracks: report.tracks.map { ($0.name, $0.label) }, cues: cues)
    try write(Array(page.utf8), "report.html")
    try write(Array(try VerificationText.json(report).utf8), "result.json")
  }

  /// Writes a file under a temporary name and renames it.
  private func write(_ bytes: [UInt8], _ name: String) throws {
    let final = path + "/" + name
    try OutputPlace.check(final)
    let temporary = final + ".part"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.fault(temporary, errno) }
    var start = 0
    while start < bytes.count {
      let count = bytes[start...].withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(descriptor)
        unlink(temporary)
        throw Self.fault(final, code)
      }
      start += count
    }
    close(descriptor)
    guard rename(temporary, final) == 0 else { throw Self.fault(final, errno) }
  }

  private static func fault(_ path: String, _ code: Int32) -> MediaError {
    MediaError(.unwritable, "\(path): cannot be written: \(String(cString: strerror(code)))")
  }
}
