// SPDX-License-Identifier: Apache-2.0

/// Drives a player by the negotiation core.
///
/// The coordinator decides nothing: it keeps the state of the title, calls its transitions, and has
/// the host do what they ask for. A new load cancels the one before, and what still comes of that
/// one carries an old generation and changes nothing.
public actor PlaybackCoordinator {
  /// The state of the title that plays.
  public private(set) var state: TitleState

  private let host: any BurnInHost
  private var current: Task<Void, Never>?

  /// A coordinator that has loaded nothing.
  /// - Parameters:
  ///   - host: The player.
  ///   - server: The server that is played from.
  ///   - serverURL: The server's address, with its base path.
  public init(host: any BurnInHost, server: ServerKind, serverURL: String) {
    self.host = host
    state = TitleState(server: server, serverURL: serverURL)
  }

  /// Loads a title, and returns once the load and what follows it are over.
  ///
  /// Cancelling the calling task gives the load up.
  public func play(_ start: LoadStart) async { await run(state.play(start)) }

  /// Chooses a row, or Off; while a load runs the choice waits for it (R18, R19, R20).
  public func choose(_ choice: SubtitleChoice, at position: PlaybackPosition) async {
    await run(state.choose(choice, at: position))
  }

  /// Loads the title again after a failure, with the last request.
  public func retry(at position: PlaybackPosition) async {
    await run(state.reload(.retry, at: position))
  }

  /// Loads the title again where a seek goes, with the last request.
  public func seekByReload(to target: Int64, from position: PlaybackPosition) async {
    await run(state.reload(.seek, at: position, target: target))
  }

  /// Loads the title again in another quality, with what is chosen now.
  public func changeQuality(to quality: String, at position: PlaybackPosition) async {
    await run(state.reload(.qualityChange, at: position, quality: quality))
  }

  /// Loads the title again because the server lost the session, with what is chosen now.
  public func renew(at position: PlaybackPosition) async {
    await run(state.reload(.renewal, at: position))
  }

  /// Loads the next title, to which nothing but the quality goes along.
  public func playNext(
    _ contentID: String, startTimeTicks: Int64 = 0, preferences: AutoPreferences? = nil,
    origin: LoadOrigin = .autoplay, at position: PlaybackPosition
  ) async {
    let start = LoadStart(
      request: LoadRequest(contentID: contentID), origin: origin, startTimeTicks: startTimeTicks,
      preferences: preferences)
    await run(state.playNext(start, at: position))
  }

  /// Takes in that playback failed after it had begun (R37).
  public func playbackFailed(_ error: PlaybackError, at position: PlaybackPosition) async {
    await run(state.playbackFailed(error, at: position))
  }

  /// Takes in that the audio was switched.
  public func audioSwitched(language: String?, streamIndex: Int?) async {
    await run(state.audioSwitched(language: language, streamIndex: streamIndex))
  }

  /// Takes in where playback stands, and reports it.
  public func progress(_ position: PlaybackPosition) async {
    state.moved(to: position)
    if let report = state.report { await host.report(report) }
  }

  /// Ends playback; nothing is sent after the server heard of it.
  public func stop(at position: PlaybackPosition) async {
    current?.cancel()
    current = nil
    for effect in state.stop(at: position) {
      if case .retire(let session, let position) = effect { await retire(session, at: position) }
    }
    await host.stateChanged(state)
  }

  /// Does what a transition asked for; a load replaces the one that runs.
  private func run(_ effects: [Effect]) async {
    guard effects.contains(where: \.isLoad) else {
      await perform(effects, generation: state.generation)
      return
    }
    current?.cancel()
    let work = begun(effects)
    let generation = state.generation
    let task = Task { await self.perform(work, generation: generation) }
    current = task
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// The effects with a load among them begun.
  ///
  /// The state takes a load before anything waits, so that whatever comes meanwhile, a choice or a
  /// late answer, meets the new load.
  private func begun(_ effects: [Effect]) -> [Effect] {
    guard let place = effects.firstIndex(where: \.isLoad), case .load(let start) = effects[place]
    else { return effects }
    return effects[..<place] + state.begin(start, body: host.playbackInfoBody(for: start))
  }

  /// Does the effects in order, and what they lead to, as long as their load is the current one.
  ///
  /// A session that was replaced is ended in any case: the state does not know it any more.
  private func perform(_ effects: [Effect], generation: Int) async {
    var generation = generation
    var queue = effects[...]
    await host.stateChanged(state)
    while let effect = queue.popFirst() {
      if case .retire(let session, let position) = effect {
        await retire(session, at: position)
        continue
      }
      guard generation == state.generation else { continue }
      switch effect {
      case .retire, .load: break
      case .ask(let body):
        queue += await ask(body, &generation)
        await host.stateChanged(state)
      case .open(let opening):
        queue += await open(opening, &generation)
        await host.stateChanged(state)
      case .select(let choice): await host.select(choice)
      case .notify(let notice): await host.notify(notice)
      case .report(let report): await host.report(report)
      case .remember(let preference): await host.remember(preference)
      case .fail(let error, let origin): await host.failed(error, origin: origin)
      }
    }
  }

  /// Ends a session by a task of its own, so that it is sent although its load was cancelled.
  private func retire(_ session: PlaySession, at position: PlaybackPosition) async {
    await Task { [host] in await host.retire(session, at: position) }.value
  }

  private func ask(_ body: PlaybackInfoBody, _ generation: inout Int) async -> [Effect] {
    guard let request = state.request else { return [] }
    var result: Result<PlaybackAnswer, PlaybackError>
    do throws(PlaybackError) {
      result = .success(try await host.playbackInfo(body, for: request))
    } catch {
      result = .failure(error)
    }
    if Task.isCancelled { result = .failure(.cancelled) }
    return follow(state.answered(result, generation: generation), &generation)
  }

  private func open(_ opening: StreamOpening, _ generation: inout Int) async -> [Effect] {
    do throws(PlaybackError) {
      let opened = try await host.open(opening)
      return follow(state.established(opened, generation: generation), &generation)
    } catch {
      let error = Task.isCancelled ? .cancelled : error
      return follow(state.openFailed(error, generation: generation), &generation)
    }
  }

  /// Begins the load that an outcome leads to, and goes on with its generation.
  private func follow(_ effects: [Effect], _ generation: inout Int) -> [Effect] {
    guard effects.contains(where: \.isLoad) else { return effects }
    let work = begun(effects)
    generation = state.generation
    return work
  }
}
