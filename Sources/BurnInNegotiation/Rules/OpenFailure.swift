// SPDX-License-Identifier: Apache-2.0

extension BurnIn {
  /// The domain of errors of URL loading on Apple's systems.
  static let urlLoadingDomain = "NSURLErrorDomain"

  /// Whether an open failure is blamed on the burned-in stream (R22).
  ///
  /// Only with a burn-in active, only for a failure of the engine, and only for a server error, a
  /// refused playlist or a failed pipeline. Never for URL loading of any kind, sign-in, timeouts
  /// (408 and 504 among them), a missing session (404), rate limiting or the audio session (A9).
  /// The engine's own budget for opening is how a stream that will not open appears (A10).
  public static func blamesBurnIn(burnedIndex: Int?, error: PlaybackError) -> Bool {
    guard burnedIndex != nil, case .load(let failure) = error,
      failure.domain != urlLoadingDomain, failure.underlyingDomain != urlLoadingDomain
    else { return false }
    let status = failure.domain == nil ? failure.code : nil
    switch failure.kind {
    case .softwarePipelineFailed, .noPlayableTrackWithinBudget, .nativeItemFailed,
      .masterPlaylistRejected:
      return status.map { !(400..<600).contains($0) || isServerError($0) } ?? true
    case .sourceRefused, .vodSourceFailed:
      return status.map(isServerError) ?? false
    case .sourceRateLimited, .audioBridgeProducedNoOutput, .dolbyVisionRequiresHardware,
      .demuxedAudioLiveUnsupported, .audioTrackSwitchFailed, .unknown:
      return false
    }
  }

  /// Whether an HTTP status is an error of the server other than a gateway's timeout.
  private static func isServerError(_ status: Int) -> Bool {
    (500..<600).contains(status) && status != 504
  }

  /// What follows a stream that would not open (R23).
  ///
  /// A failure that is blamed drops the row, shows a notice and loads once more without the
  /// burn-in; since that load has none, it cannot loop.
  public static func openFailure(
    burnedIndex: Int?, error: PlaybackError
  ) -> OpenFailureAction {
    guard let burnedIndex, blamesBurnIn(burnedIndex: burnedIndex, error: error) else {
      return .usualPath
    }
    return .reloadWithoutBurnIn(droppedIndex: burnedIndex)
  }
}

/// What follows a stream that would not open.
public enum OpenFailureAction: Sendable, Hashable {
  /// Load once more without the burn-in, drop the row of the index, and show a notice.
  case reloadWithoutBurnIn(droppedIndex: Int)
  /// Whatever the player does with any other failure.
  case usualPath
}
