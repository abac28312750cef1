// SPDX-License-Identifier: Apache-2.0
import MediaServer

extension MediaSource {
  /// Why a stream cannot be asked for.
  ///
  /// - Parameter index: The server's stream index.
  /// - Returns: A sentence that names those that can; nil if it is a subtitle.
  func refusal(ofSubtitle index: Int) -> String? {
    let known = streams.filter(\.isSubtitle)
    guard !known.contains(where: { $0.index == index }) else { return nil }
    return "the server's stream \(index) is no subtitle; "
      + (known.isEmpty
        ? "the item has none"
        : "its subtitle streams are \(known.map { "\($0.index)" }.joined(separator: ", "))")
  }
}
