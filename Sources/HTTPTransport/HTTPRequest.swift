// SPDX-License-Identifier: Apache-2.0

/// The methods that Burnscope uses.
public enum HTTPMethod: String, Sendable, Hashable {
  /// Fetch.
  case get = "GET"
  /// Fetch the headers alone.
  case head = "HEAD"
  /// Send a body.
  case post = "POST"
  /// Stop or remove.
  case delete = "DELETE"
}

/// How long a request may take and how much it may bring.
public struct HTTPLimits: Sendable, Hashable {
  /// Until the connection stands, TLS included.
  public var connect: Duration
  /// From the call to the last byte, redirects included; a dripping body does not extend it.
  public var total: Duration
  /// Bytes of the body.
  public var body: Int
  /// Redirects followed; with 0 the redirecting reply itself is returned.
  public var redirects: Int

  /// Makes limits; negative values count as 0.
  public init(connect: Duration, total: Duration, body: Int, redirects: Int) {
    self.connect = max(connect, .zero)
    self.total = max(total, .zero)
    self.body = max(body, 0)
    self.redirects = max(redirects, 0)
  }

  /// For an answer of the server's programming interface: the item of a film with all its people
  /// and chapters is well under 1 MB; a redirect would lead to the web pages and is not followed.
  public static let answer = HTTPLimits(
    connect: .seconds(10), total: .seconds(30), body: 16 << 20, redirects: 0)
  /// For a playlist: 30 hours of 3 s segments with a query of 1 kB each are 40 MB.
  public static let playlist = HTTPLimits(
    connect: .seconds(10), total: .seconds(30), body: 48 << 20, redirects: 5)
  /// For a media segment: 6 s at 200 Mbit/s are 150 MB; the server holds it back until it is made.
  public static let segment = HTTPLimits(
    connect: .seconds(10), total: .seconds(120), body: 192 << 20, redirects: 5)
  /// For one block of a file read by byte ranges.
  public static let block = HTTPLimits(
    connect: .seconds(10), total: .seconds(60), body: 16 << 20, redirects: 5)
}

/// One request.
///
/// Its description shows method, host and path only.
public struct HTTPRequest: Sendable {
  /// The method.
  public var method: HTTPMethod
  /// The absolute URL, http or https, ready encoded.
  ///
  /// May hold secrets: never show it as it is.
  public var url: String
  /// Header fields, in order; they may hold secrets.
  public var headers: [(String, String)]
  /// The body, or nil for none.
  public var body: [UInt8]?
  /// The bytes wanted, or nil for all.
  public var range: Range<Int64>?
  /// Deadlines and caps.
  public var limits: HTTPLimits

  /// Makes a request.
  public init(
    _ method: HTTPMethod = .get, _ url: String, headers: [(String, String)] = [],
    body: [UInt8]? = nil, range: Range<Int64>? = nil, limits: HTTPLimits
  ) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
    self.range = range
    self.limits = limits
  }
}

extension HTTPRequest: CustomStringConvertible, CustomDebugStringConvertible {
  /// Method and redacted URL.
  public var description: String { "\(method.rawValue) \(URLReference.redacted(url))" }
  /// The same as the description.
  public var debugDescription: String { description }
}

/// One answer, whatever its status.
public struct HTTPReply: Sendable {
  /// The status, such as 200.
  public var status: Int
  /// Header fields in order of arrival, names as sent.
  public var headers: [(name: String, value: String)]
  /// The body.
  public var body: [UInt8]
  /// The URL that answered, behind all redirects, with its query: for resolving references only.
  public var finalURL: String

  /// Makes a reply.
  public init(
    status: Int, headers: [(name: String, value: String)], body: [UInt8], finalURL: String
  ) {
    self.status = status
    self.headers = headers
    self.body = body
    self.finalURL = finalURL
  }

  /// The first field of that name, letter case aside.
  public func header(_ name: String) -> String? {
    let wanted = name.lowercased()
    return headers.first { $0.name.lowercased() == wanted }?.value
  }

  /// Whether the status is 2xx.
  public var isSuccess: Bool { (200..<300).contains(status) }
}

extension HTTPReply: CustomStringConvertible, CustomDebugStringConvertible {
  /// Status, size and redacted URL.
  public var description: String {
    "\(status), \(body.count) bytes from \(URLReference.redacted(finalURL))"
  }
  /// The same as the description.
  public var debugDescription: String { description }
}
