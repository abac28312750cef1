// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import MediaServer
import Testing

@Suite("The numbering of streams") struct StreamIndexMapTests {
  @Test("counts other files first on Jellyfin, and last on Emby")
  func predicted() {
    // A film of four streams, an .srt, an .mks of two and a sound file.
    let jellyfin = StreamIndexMap(
      kind: .jellyfin, containerStreams: 4, subtitleFiles: [1, 2], soundFiles: [1])
    let emby = StreamIndexMap(
      kind: .emby, containerStreams: 4, subtitleFiles: [1, 2], soundFiles: [1])
    let table: [(StreamIndexMap.Place, Int, Int)] = [
      (.subtitleFile(0, stream: 0), 0, 4), (.subtitleFile(1, stream: 0), 1, 5),
      (.subtitleFile(1, stream: 1), 2, 6), (.soundFile(0, stream: 0), 3, 7),
      (.container(stream: 0), 4, 0), (.container(stream: 3), 7, 3),
    ]
    for (place, first, last) in table {
      #expect(jellyfin.serverIndex(of: place) == first)
      #expect(emby.serverIndex(of: place) == last)
      #expect(jellyfin.place(ofServerIndex: first) == place)
      #expect(emby.place(ofServerIndex: last) == place)
    }
    for index in [-1, 8, .max, .min] { #expect(jellyfin.place(ofServerIndex: index) == nil) }
    #expect(jellyfin.serverIndex(of: .container(stream: 4)) == nil)
    #expect(StreamIndexMap(kind: .emby, containerStreams: -1).places.isEmpty)
  }

  @Test("leads to the container's stream across gaps")
  func gaps() {
    func stream(_ index: Int, _ type: String, external: Bool = false) -> MediaStream {
      MediaStream(index: index, type: type, isExternal: external)
    }
    // Jellyfin: two files beside the film; of the container's streams 2, 3 and 4 the library hides
    // 3, a text.
    let jellyfin = MediaSource(
      id: "x",
      streams: [
        stream(0, "Subtitle", external: true), stream(1, "Subtitle", external: true),
        stream(2, "Video"), stream(3, "Audio"), stream(4, "Subtitle"), stream(6, "Subtitle"),
      ])
    #expect(jellyfin.containerStream(ofStreamIndex: 4, kind: .jellyfin) == 2)
    #expect(jellyfin.containerStream(ofStreamIndex: 6, kind: .jellyfin) == 4)
    for index in [0, 1, 5, 7, -1] {
      #expect(jellyfin.containerStream(ofStreamIndex: index, kind: .jellyfin) == nil)
    }
    #expect(jellyfin.streamIndex(ofContainerStream: 4, kind: .jellyfin) == 6)
    #expect(jellyfin.streamIndex(ofContainerStream: 3, kind: .jellyfin) == nil)
    let emby = MediaSource(
      id: "x",
      streams: [
        stream(0, "Video"), stream(2, "Subtitle"), stream(4, "Subtitle"),
        stream(5, "Subtitle", external: true),
      ])
    #expect(emby.containerStream(ofStreamIndex: 4, kind: .emby) == 4)
    #expect(emby.containerStream(ofStreamIndex: 5, kind: .emby) == nil)
    #expect(emby.streamIndex(ofContainerStream: 2, kind: .emby) == 2)
  }
}
