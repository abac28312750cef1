// SPDX-License-Identifier: Apache-2.0
import ChildProcess
import ReferenceServer
import TestSupport
import Testing

struct SubtitleFilesTests {
  @Test(arguments: [
    ("film.sup", ""), ("film.en.sup", ".en"), ("FILM.en.forced.srt", ".en.forced"),
    ("film-en.srt", "-en"), ("film en.srt", " en"), ("films.srt", nil), ("other.srt", nil),
    ("film.mkv", nil), ("film2.en.srt", nil),
  ])
  func `a file belongs to the film whose name it begins with`(name: String, suffix: String?) {
    #expect(SubtitleFiles.suffix(of: name, besides: "/media/film.mkv") == suffix)
  }

  @Test(arguments: [
    (".en.forced", "eng", nil, [false, true, false]), (".deu", "ger", nil, [false, false, false]),
    (".fr.default.sdh", "fre", nil, [true, false, true]),
    (".en.hi", "eng", nil, [false, false, true]),
    (".Director's Cut.French", "fre", "Director's Cut", [false, false, false]),
    ("", nil, nil, [false, false, false]), (".xx", nil, "xx", [false, false, false]),
    ("...", nil, nil, [false, false, false]),
  ])
  func `its name tells language and marks`(
    suffix: String, language: String?, title: String?, marks: [Bool]
  ) {
    let flags = FileNameFlags(suffix)
    #expect(flags.language == language)
    #expect(flags.title == title)
    #expect([flags.isDefault, flags.isForced, flags.isHearingImpaired] == marks)
  }

  private func streams(_ version: String) async throws -> [JSON] {
    let film = Fixtures.filmWithFiles(version)
    let answer = try await Fixtures.service(version, films: [film]).ask(
      "GET", "/Items/\(film.id)/PlaybackInfo"
    ).json()
    return answer["MediaSources"]?.elements.first?["MediaStreams"]?.elements ?? []
  }

  @Test func `Jellyfin numbers files before the film and Emby behind it`() async throws {
    let first = try await streams("10.11.11")
    #expect(first.map { $0["Index"]?.whole } == [0, 1, 2, 3, 4, 5])
    #expect(
      first.map { $0["Codec"]?.text } == ["subrip", "PGSSUB", "h264", "aac", "PGSSUB", "PGSSUB"])
    #expect(first.map { $0["IsExternal"] } == [true, true, false, false, false, false])
    #expect(first[0]["Language"]?.text == "ger")
    #expect(first[0]["IsForced"] == true)
    #expect(first[1]["Path"]?.text == "/media/Harbour Lights (2024).en.sup")
    let last = try await streams("emby-4.9")
    #expect(last.map { $0["Index"]?.whole } == [0, 1, 2, 3, 4, 5])
    #expect(
      last.map { $0["Codec"]?.text } == ["h264", "aac", "PGSSUB", "PGSSUB", "srt", "sup"])
    #expect(last.map { $0["IsExternal"] } == [false, false, false, false, true, true])
  }

  @Test func `the streams of a file with several tell themselves`() {
    let name = "Harbour Lights (2024).fr.mks"
    let two = Fixtures.file(
      name, [Fixtures.subtitle(0), Fixtures.subtitle(1, isForced: true)], version: "12.0.0")
    #expect(two.map(\.containerIndex) == [0, 1])
    var film = Fixtures.probed()
    film.add(two, first: true)
    #expect(film.id == Fixtures.item)
    #expect(two.allSatisfy { $0.path == "/media/" + name })
  }

  @Test(arguments: [
    ("10.8.13", ["a.srt", "film.en.srt", "film.fr.mks"]),
    ("10.11.11", ["film.de.sup", "film.en.srt", "film.fr.mks"]), ("emby-4.9", ["film.en.srt"]),
  ])
  func `files of the version's kinds are found beside the film`(
    version: String, wanted: [String]
  ) async throws {
    let folder = try TemporaryFolder()
    let text = Array("1\n00:00:01,000 --> 00:00:02,000\nHello\n".utf8)
    for name in ["film.en.srt", "other.srt", "film.txt"] { _ = try folder.write(text, to: name) }
    _ = try folder.write(Array("no subtitles".utf8), to: "film.it.srt")
    for name in ["film.mkv", "film.fr.mks", "film.de.sup"] {
      let isFilm = name == "film.mkv"
      let input =
        isFilm
        ? ["-f", "lavfi", "-i", "color=s=64x64:d=1"] : ["-i", folder.file("film.en.srt")]
      // The .sup holds text, which ffprobe reads all the same.
      let format = isFilm ? "matroska" : name.hasSuffix("mks") ? "matroska" : "srt"
      let result = try await ChildProcess.run(
        "ffmpeg", ["-v", "error"] + input + ["-f", format, folder.file(name)])
      try #require(result.status == 0, "\(result.errors)")
    }
    let film = try await FilmProbe.film(
      at: folder.file("film.mkv"), version: Fixtures.server(version))
    let answer = try await Fixtures.service(version, films: [film]).ask(
      "GET", "/Items/\(film.id)/PlaybackInfo"
    ).json()
    let streams = answer["MediaSources"]?.elements.first?["MediaStreams"]?.elements ?? []
    let found = streams.filter { $0["IsExternal"] == true }.compactMap {
      $0["Path"]?.text?.split(separator: "/").last.map(String.init)
    }
    #expect(found == wanted.filter { $0 != "a.srt" })
  }
}
