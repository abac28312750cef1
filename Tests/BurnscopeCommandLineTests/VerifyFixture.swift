// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import FoundationEssentials
import TestSupport
import Testing

/// One cue of a text: seconds from start to end, and what it says.
struct Line {
  var start: Double
  var end: Double
  var text: String
}

/// The films that verifications are tested on, made once a run.
struct VerifyFixture: Sendable {
  let folder: TemporaryFolder
  /// 36 s at 1280x720 with seven tracks; see `tracks`.
  let film: String
  /// 24 s at 960x400 with one PGS track on a 1920x1080 canvas.
  let wide: String

  /// Server's and container's stream indices of the film: video 0, sound 1, then the tracks.
  enum Track: Int {
    case english = 2
    case forced, hearing, revised, french, german, spanish
    case englishAgain
    var name: String { "0:s:\(rawValue - 2)" }
  }

  private static let making = Task { try await VerifyFixture() }

  /// The films, made by the first that asks.
  static func shared() async throws -> VerifyFixture { try await making.value }

  static let english: [Line] = lines([
    "The harbour is quiet tonight.", "Bring the lantern closer.", "Nobody heard the second bell.",
    "He left before the storm.", "We should follow the river.", "That key opens nothing here.",
    "Count the boats again.", "My brother wrote this letter.", "There is water under the floor.",
    "Hold the rope and wait.", "Somebody moved the picture.", "It was colder last winter.",
    "The captain never came back.", "Close the window behind you.", "I remember this garden.",
    "Morning will find us gone.",
  ])
  static let french: [Line] = lines([
    "Le port est calme ce soir.", "Approche la lanterne.", "Personne n'a entendu la cloche.",
    "Il est parti avant l'orage.", "Suivons plutôt la rivière.", "Cette clé n'ouvre rien ici.",
    "Compte encore les bateaux.", "Mon frère a écrit cette lettre.", "Il y a de l'eau sous le sol.",
    "Tiens la corde et attends.", "On a déplacé le tableau.", "Il faisait plus froid jadis.",
    "Le capitaine n'est pas revenu.", "Ferme la fenêtre derrière toi.", "Je connais ce jardin.",
    "Le matin nous trouvera loin.",
  ])
  static let german: [Line] = lines([
    "Der Hafen ist still heute.", "Bring die Laterne näher.", "Niemand hörte die Glocke.",
    "Er ging vor dem Sturm.", "Wir folgen dem Fluss.", "Der Schlüssel passt nicht.",
    "Zähl noch einmal die Boote.", "Mein Bruder schrieb den Brief.", "Unter dem Boden ist Wasser.",
    "Halt das Seil und warte.", "Das Bild hängt anders.", "Letzten Winter war es kälter.",
    "Der Kapitän kam nie zurück.", "Mach das Fenster zu.", "Ich kenne diesen Garten.",
    "Am Morgen sind wir fort.",
  ])
  static let spanish: [Line] = lines([
    "El puerto duerme esta noche.", "Acerca la linterna.", "Nadie oyó la campana.",
    "Se fue antes de la tormenta.", "Sigamos el río abajo.", "Esa llave no abre nada.",
    "Cuenta otra vez los barcos.", "Mi hermano escribió la carta.", "Hay agua bajo el suelo.",
    "Sujeta la cuerda y espera.", "Alguien movió el cuadro.", "El invierno fue más frío.",
    "El capitán nunca volvió.", "Cierra la ventana ya.", "Recuerdo este jardín.",
    "La mañana nos verá lejos.",
  ])

  /// A cue each 2.2 s from 1.3 s on, 1.5 s long.
  private static func lines(_ texts: [String]) -> [Line] {
    texts.enumerated().map { number, text in
      let start = 1.3 + 2.2 * Double(number)
      return Line(start: start, end: start + 1.5, text: text)
    }
  }

  /// English with five cues that begin with a name, and two of its own between cues.
  private static var hearing: [Line] {
    var result = english
    for number in [1, 4, 7, 10, 13] { result[number].text = "MARY: " + result[number].text }
    let own = [
      Line(start: 9.55, end: 10.05, text: "[thunder]"),
      Line(start: 25.0, end: 25.45, text: "[steps]"),
    ]
    return (result + own).sorted { $0.start < $1.start }
  }

  /// English with one word changed in five cues.
  private static var revised: [Line] {
    var result = english
    for (number, old, new) in [
      (2, "second", "silver"), (5, "opens", "breaks"), (8, "water", "paper"),
      (11, "colder", "darker"), (14, "garden", "window"),
    ] {
      result[number].text = result[number].text.replacing(old, with: new)
    }
    return result
  }

  private init() async throws {
    folder = try TemporaryFolder()
    film = folder.file("film.mkv")
    wide = folder.file("wide.mkv")
    let picture = try await Self.picture(folder, "picture.mkv", "1280x720", 37)
    let texts: [(String, [Line], String, String, String)] = [
      ("en", Self.english, "eng", "pgs", "[]"),
      ("forced", [1, 4, 9, 12].map { Self.english[$0] }, "eng", "pgs", "[\"forced\"]"),
      ("sdh", Self.hearing, "eng", "pgs", "[\"hearing-impaired\"]"),
      ("revised", Self.revised, "eng", "pgs", "[]"), ("fr", Self.french, "fre", "pgs", "[]"),
      ("de", Self.german, "ger", "vobsub", "[]"), ("es", Self.spanish, "spa", "dvb", "[]"),
    ]
    var members: [String] = []
    for (name, lines, language, format, flags) in texts {
      _ = try folder.write(Array(Self.subRip(lines).utf8), to: "\(name).srt")
      members.append(
        "{\"srt\": \"\(name).srt\", \"language\": \"\(language)\", \"format\": \"\(format)\", "
          + "\"flags\": \(flags)}")
    }
    try await author(members, picture: picture, to: film)
    let low = try await Self.picture(folder, "low.mkv", "960x400", 24)
    try await author(
      ["{\"srt\": \"en.srt\", \"language\": \"eng\", \"format\": \"pgs\"}"], picture: low, to: wide)
  }

  /// A film of other tracks on the large picture, by names of texts.
  func film(of names: [String], to file: String) async throws -> String {
    try await author(
      names.map { "{\"srt\": \"\($0).srt\", \"language\": \"eng\", \"format\": \"pgs\"}" },
      picture: folder.file("picture.mkv"), to: folder.file(file))
    return folder.file(file)
  }

  /// A film of an English PGS track and a DVB track with a cue in each of its pauses, and the same
  /// film with the DVB track drawn into its picture, stretched to it as FFmpeg does.
  func filmAndDrawnUpon() async throws -> (film: String, drawn: String) {
    // A cue counts where nothing of the other track may be on screen: 14 frames after it, 6 before.
    func spread(_ lines: [Line], from first: Double) -> [Line] {
      lines.prefix(12).enumerated().map { number, line in
        let start = first + 2.9 * Double(number)
        return Line(start: start, end: start + 1, text: line.text)
      }
    }
    for (name, lines) in [
      ("spread", spread(Self.english, from: 1.3)), ("pauses", spread(Self.spanish, from: 2.9)),
    ] {
      _ = try folder.write(Array(Self.subRip(lines).utf8), to: "\(name).srt")
    }
    let (film, drawn) = (folder.file("pauses.mkv"), folder.file("drawn-upon.mkv"))
    try await author(
      [("spread", "pgs"), ("pauses", "dvb")].map { name, format in
        "{\"srt\": \"\(name).srt\", \"language\": \"eng\", \"format\": \"\(format)\"}"
      }, picture: folder.file("picture.mkv"), to: film)
    let result = try await ChildProcess.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-i", film, "-filter_complex",
        "[0:s:1]scale=1280:720[text];[0:v][text]overlay[picture]", "-map", "[picture]", "-map",
        "0:a", "-map", "0:s", "-c:v", "libx264", "-preset", "ultrafast", "-g", "48", "-c:a", "copy",
        "-c:s", "copy", drawn,
      ])
    try #require(result.status == 0, "\(result.errors)")
    return (film, drawn)
  }

  private func author(_ members: [String], picture: String, to file: String) async throws {
    let script = "{\"tracks\": [\(members.joined(separator: ", "))]}"
    let path = try folder.write(Array(script.utf8), to: "script.json")
    let result = try await BuiltProgram.run(
      ["author", path, "--film", picture, "--output", file, "--force"])
    try #require(result.status == 0, "\(result.errors)")
  }

  private static func picture(
    _ folder: TemporaryFolder, _ name: String, _ size: String, _ seconds: Int
  ) async throws -> String {
    let path = folder.file(name)
    let result = try await ChildProcess.run(
      "ffmpeg",
      [
        "-nostdin", "-v", "error", "-f", "lavfi", "-i",
        "testsrc2=size=\(size):rate=24,hue=H=0.3*t:s=0.6,noise=alls=7:allf=t,format=yuv420p",
        "-f", "lavfi", "-i", "sine=frequency=220:sample_rate=48000", "-t", "\(seconds)",
        "-c:v", "libx264", "-preset", "ultrafast", "-g", "48", "-c:a", "aac", path,
      ])
    try #require(result.status == 0, "\(result.errors)")
    return path
  }

  private static func subRip(_ lines: [Line]) -> String {
    func stamp(_ seconds: Double) -> String {
      let total = Int((seconds * 1000).rounded())
      func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
      let rest = "\(1000 + total % 1000)".dropFirst()
      return "00:\(two(total / 60000)):\(two(total / 1000 % 60)),\(rest)"
    }
    return lines.enumerated().map { number, line in
      "\(number + 1)\n\(stamp(line.start)) --> \(stamp(line.end))\n\(line.text)\n"
    }.joined(separator: "\n")
  }
}

/// What `verify --json` prints, as far as tests read it.
struct VerifyOutput: Decodable {
  struct Cues: Decodable { var used, passed, failed, void: Int }
  struct Fetch: Decodable { var windows, segments: Int }
  struct Rival: Decodable {
    var track: String
    var relation: String
  }
  var verdict: String
  var asked: String
  var drawn: [String]
  var mode: String
  var layout: String?
  var cues: Cues
  var reason: String
  var flags: [String]
  var notes: [String]
  var fetch: Fetch?
  var rivals: [Rival]
}

/// One run of `verify`.
struct VerifyRun {
  var status: Int32
  var output: VerifyOutput
  var errors: String

  /// Runs the built program with `--json` and reads what it prints.
  init(_ arguments: [String], environment: [String] = VerifyRun.signIn) async throws {
    let result = try await ChildProcess.run(
      "env", environment + [BuiltProgram.path, "verify", "--json"] + arguments)
    status = result.status
    errors = result.errors
    output = try #require(
      try? JSONDecoder().decode(VerifyOutput.self, from: Data(result.output)),
      "status \(result.status): \(result.errors)")
    #expect(!result.text.contains("ApiKey"))
  }

  static let signIn = ["BURNSCOPE_USER=burnscope", "BURNSCOPE_PASSWORD=burnscope"]
}
