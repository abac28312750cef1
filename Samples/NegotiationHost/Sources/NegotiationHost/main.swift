// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation

let player = PlaybackCoordinator(
  host: SamplePlayer(), server: .jellyfin, serverURL: "https://media.example.test/jellyfin")

print("-- play, and let Auto choose")
await player.play(
  LoadStart(
    request: LoadRequest(contentID: "film", mediaSourceID: "s1"),
    preferences: AutoPreferences(language: "en")))
for track in await player.state.tracks {
  print("row \(track.id): \(track.title ?? "")\(track.isBurnInRow ? ", burned in" : "")")
}

print("-- choose the French text")
await player.choose(
  .textSidecar(index: 2),
  at: PlaybackPosition(ticks: BurnIn.ticks(seconds: 90.25)))

print("-- stop")
await player.stop(at: PlaybackPosition(ticks: BurnIn.ticks(seconds: 120)))
