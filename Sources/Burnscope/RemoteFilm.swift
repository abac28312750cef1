// SPDX-License-Identifier: Apache-2.0
internal import HLSPlayback
internal import HTTPTransport
internal import MediaContainer

/// A server's film, read by byte ranges.
final class RemoteFilm {
  /// The film for reading in order.
  let whole: HTTPRangeSource
  private var sparse: HTTPRangeSource?
  private let url: String
  private let client: HTTPClient
  private let headers: [(String, String)]
  private let cancellation: CancellationFlag

  init(
    url: String, client: HTTPClient, headers: [(String, String)], cancellation: CancellationFlag
  ) throws {
    self.url = url
    self.client = client
    self.headers = headers
    self.cancellation = cancellation
    whole = try HTTPRangeSource(
      url: url, client: client, headers: headers, cancellation: cancellation)
  }

  /// The film for short reads at many places, where its container has an index that leads there.
  func pieces(for media: MediaDescription) throws -> any ByteSource {
    guard media.formatName.contains("matroska") else { return whole }
    let source = try HTTPRangeSource(
      url: url, client: client, headers: headers, isSparse: true, cancellation: cancellation)
    sparse = source
    return source
  }

  /// What reading the film has cost, in a sentence.
  var note: String {
    let all = [whole.statistics, sparse?.statistics].compactMap { $0 }
    let bytes = all.reduce(0) { $0 + $1.bytes }
    let requests = all.reduce(0) { $0 + $1.requests }
    return "the source was read from the server by byte ranges: \(bytes) bytes in \(requests) "
      + "requests, of a file of \(whole.byteCount ?? 0)"
  }
}
