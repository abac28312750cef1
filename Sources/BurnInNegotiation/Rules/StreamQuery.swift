// SPDX-License-Identifier: Apache-2.0

/// The query of a stream URL: its items in order, none changed.
public struct StreamQuery: Sendable, Hashable {
  /// One item of a query.
  public struct Item: Sendable, Hashable {
    /// The item as it is written in the URL.
    public var text: String
    /// The decoded name in lower case: names are compared without regard to letter case (A5).
    public var name: String
    /// The decoded value; empty if the item has none.
    public var value: String
  }

  /// The items in the order of the URL; the empty item of a `?&` query is left out.
  public var items: [Item]

  /// The query of a URL, absolute or relative; what follows a `#` is no part of it.
  public init(url: String) {
    let body = url.utf8.prefix { $0 != UInt8(ascii: "#") }
    guard let mark = body.firstIndex(of: UInt8(ascii: "?")) else {
      items = []
      return
    }
    let query = Substring(body[body.index(after: mark)...])
    items = query.split(separator: "&").map(Self.item)
  }

  /// The values of the items with the name, whatever its letter case, in order.
  public func values(_ name: String) -> [String] {
    let wanted = name.lowercased()
    return items.filter { $0.name == wanted }.map(\.value)
  }

  /// An item from its text.
  static func item(_ text: Substring) -> Item {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    return Item(
      text: String(text), name: Text.folded(decoded(parts.first ?? "")),
      value: parts.count > 1 ? decoded(parts[1]) : "")
  }

  /// The text with `%XX` sequences decoded; a sequence that is none stays as it is.
  static func decoded(_ text: Substring) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
    var bytes: [UInt8] = []
    let source = Array(text.utf8)
    var position = 0
    while position < source.count {
      if source[position] == UInt8(ascii: "%"), position + 2 < source.count,
        let high = digit(source[position + 1]), let low = digit(source[position + 2])
      {
        bytes.append(high << 4 | low)
        position += 3
      } else {
        bytes.append(source[position])
        position += 1
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The value of a hexadecimal digit.
  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
