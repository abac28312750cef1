// SPDX-License-Identifier: Apache-2.0

/// Something that the server does wrong on purpose.
public enum Fault: Sendable, Hashable {
  /// The video is encoded anew, but nothing is drawn on it.
  case ignoreSubtitle
  /// Another track is drawn, by the server's stream index.
  case wrongTrack(Int)
  /// Cues come later by these seconds; negative is earlier.
  case delay(Double)
  /// Cues are drawn right and below of their place, in pixels of the output.
  case shift(x: Int, y: Int)
  /// The video is copied and nothing drawn.
  case copyVideo
  /// All negotiations of an item share one play session, whose segments are kept for every client.
  case staleSegments
  /// A segment answers 503.
  case missingSegment(Int)
  /// Everything but the public addresses answers 401.
  case unauthorized
  /// Addresses that begin so answer this status.
  case error(prefix: String, status: Int)
  /// Segments never end.
  case endlessBody
  /// Playlists are cut off in the middle.
  case truncatedPlaylist
  /// A cue stays: until the next one in PGS, for ever in other codings.
  case neverClear
  /// Each cue is drawn a second time, higher by an eighth of the picture.
  case double
  /// Cues are drawn with this part of their opacity.
  case dim(Double)
  /// Cues are drawn only before this time of the film, in seconds.
  case partial(Double)
  /// The answer to a request for a burn-in is wrong.
  case burnInAnswer(AnswerFault)

  /// Every fault's form with what it does, for help texts.
  public static let forms: [(form: String, effect: String)] = [
    ("ignore-subtitle", "encodes anew, draws nothing"),
    ("wrong-track=N", "draws the track of the server's stream index N"),
    ("delay=SECONDS", "draws later, or earlier if negative"),
    ("shift=X,Y", "draws X pixels right and Y below, in the output"),
    ("copy-video", "copies the video, draws nothing"),
    ("stale-segments", "one play session an item, whose segments are kept"),
    ("missing-segment=N", "segment N answers 503; may be repeated"),
    ("unauthorized", "401 to all but the public addresses"),
    ("error=PREFIX:STATUS", "addresses that begin with PREFIX answer STATUS"),
    ("endless-body", "segments never end"),
    ("truncated-playlist", "playlists end in the middle"),
    ("never-clear", "cues stay when they should go"),
    ("double", "draws each cue twice, the second an eighth of the picture higher"),
    ("dim=PART", "draws with PART of the opacity, 0 to 1"),
    ("partial=SECONDS", "draws only before that time of the film"),
    (
      "burn-in-answer=KIND",
      "answers a request for a burn-in wrongly: "
        + AnswerFault.allCases.map(\.rawValue).joined(separator: ", ")
    ),
  ]

  /// Reads `NAME` or `NAME=VALUE`.
  ///
  /// - Throws: ``ReferenceServerError`` with the known names.
  public init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : nil
    guard let fault = Self.read(String(parts[0]), value) else {
      let forms = Self.forms.map(\.form).joined(separator: ", ")
      if let (form, effect) = Self.forms.first(where: {
        $0.form.split(separator: "=")[0] == parts[0]
      }) {
        throw ReferenceServerError(
          .setting, "The fault '\(text)' does not fit; it is written \(form): \(effect).")
      }
      throw ReferenceServerError(
        .setting, "The fault '\(text)' is unknown; there are: \(forms).")
    }
    self = fault
  }

  private static func read(_ name: String, _ value: String?) -> Fault? {
    let number = value.flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
    let whole = value.flatMap { Int($0) }
    switch (name, value == nil) {
    case ("ignore-subtitle", true): return .ignoreSubtitle
    case ("copy-video", true): return .copyVideo
    case ("stale-segments", true): return .staleSegments
    case ("unauthorized", true): return .unauthorized
    case ("endless-body", true): return .endlessBody
    case ("truncated-playlist", true): return .truncatedPlaylist
    case ("never-clear", true): return .neverClear
    case ("double", true): return .double
    case ("wrong-track", false): return whole.flatMap { $0 >= 0 ? .wrongTrack($0) : nil }
    case ("missing-segment", false): return whole.flatMap { $0 >= 0 ? .missingSegment($0) : nil }
    case ("delay", false): return number.map { .delay($0) }
    case ("dim", false): return number.flatMap { (0...1).contains($0) ? .dim($0) : nil }
    case ("partial", false): return number.map { .partial($0) }
    case ("burn-in-answer", false):
      return value.flatMap { AnswerFault(rawValue: $0) }.map { .burnInAnswer($0) }
    case ("shift", false):
      let parts = (value ?? "").split(separator: ",").map { Int($0) }
      guard parts.count == 2, let x = parts[0], let y = parts[1] else { return nil }
      return .shift(x: x, y: y)
    case ("error", false):
      let parts = (value ?? "").split(separator: ":")
      guard parts.count == 2, parts[0].hasPrefix("/"), let status = Int(parts[1]),
        (200...599).contains(status)
      else { return nil }
      return .error(prefix: String(parts[0]), status: status)
    default: return nil
    }
  }
}
