// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import Synchronization

/// A stand-in media server that offers films and really burns their subtitles in.
///
/// It speaks as Jellyfin does and makes its segments with the `ffmpeg` program, by a real server's
/// filter graph and arguments; `ffprobe` and `ffmpeg` must be installed. Call ``stop()`` when done:
/// without it the server runs on until the process ends.
public final class ReferenceServer: Sendable {
  /// A film that is offered.
  public struct Item: Sendable, Hashable {
    /// The identifier that clients use.
    public let id: String
    /// The path as it was given.
    public let path: String
  }

  /// The films, in the order given.
  public let items: [Item]
  /// The port that it listens on.
  public let port: UInt16
  /// The address: `http://127.0.0.1:8096`.
  public let address: String

  private let daemon: HTTPDaemon
  /// Nil where a recording is given back.
  private let service: Service?
  private let recorder: Recorder?
  private let isStopped = Mutex(false)

  /// Looks into the films, or reads the recording, and starts to listen.
  ///
  /// - Throws: ``ReferenceServerError`` for a file that is no film or no exchange, or a port that is
  ///   taken.
  public init(_ configuration: ReferenceServerConfiguration) async throws {
    let log = try configuration.logFile.map { try RequestLog(path: $0) }
    let replayer = try configuration.replayFolder.map { folder in
      Replayer(try Recording.exchanges(in: folder))
    }
    let films = replayer == nil ? try await Self.films(of: configuration) : []
    items = zip(configuration.files, films).map { Item(id: $1.id, path: $0) }
    let recorder = try configuration.recordFolder.map { folder in
      try Recorder(folder: folder, secrets: configuration.token.map { [$0] } ?? [])
    }
    self.recorder = recorder
    let folder = replayer == nil ? try Self.makeFolder() : nil
    let service = folder.map {
      Service(configuration: configuration, films: films, folder: $0)
    }
    self.service = service
    daemon = HTTPDaemon { request in
      let begin = ContinuousClock.now
      let response: ServerResponse
      if let replayer {
        response = replayer.answer(request)
      } else {
        response = await service?.answer(request) ?? .empty(500)
      }
      let parts = begin.duration(to: .now).components
      let milliseconds = Int(parts.seconds * 1000 + parts.attoseconds / 1_000_000_000_000_000)
      log?.note(request, status: response.status, milliseconds: milliseconds)
      recorder?.note(request, response)
      return response
    }
    do {
      port = try daemon.start(host: configuration.host, port: configuration.port)
    } catch {
      if let folder { removeFolder(folder) }
      throw error
    }
    let host = configuration.host.contains(":") ? "[\(configuration.host)]" : configuration.host
    let address = "http://\(host):\(port)"
    self.address = address
    service?.address.withLock { $0 = address }
  }

  /// Why an exchange could not be recorded, as the end of a sentence; nil if all were.
  public var recordingFault: String? { recorder?.fault }

  private static func films(of configuration: ReferenceServerConfiguration) async throws -> [Film] {
    var films: [Film] = []
    for path in configuration.files {
      let film = try await FilmProbe.film(at: path, version: configuration.version)
      guard !films.contains(where: { $0.id == film.id }) else {
        throw ReferenceServerError(.setting, "The file '\(path)' was given twice.")
      }
      films.append(film)
    }
    for case .wrongTrack(let index) in configuration.faults {
      let tracks = Set(films.flatMap(\.subtitles).map(\.index))
      guard !tracks.contains(index) else { continue }
      let known = tracks.sorted().map(String.init).joined(separator: ", ")
      throw ReferenceServerError(
        .setting,
        "The fault 'wrong-track=\(index)' names no subtitle stream; by the server's index there are: "
          + (known.isEmpty ? "none." : "\(known)."))
    }
    return films
  }

  /// Ends every request and encoder, removes every segment, and returns when all is gone.
  public func stop() async {
    let isFirst = isStopped.withLock { stopped in
      defer { stopped = true }
      return !stopped
    }
    guard isFirst else { return }
    await daemon.stop()
    await service?.transcoder.stop()
  }

  private static func makeFolder() throws -> String {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(base)/burnscope-serve-XXXXXX".utf8CString)
    let isMade = template.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { mkdtemp($0) != nil } ?? false
    }
    guard isMade else {
      throw ReferenceServerError(
        .environment,
        "No folder can be made in '\(base)': \(String(cString: strerror(errno))); set TMPDIR.")
    }
    return String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
