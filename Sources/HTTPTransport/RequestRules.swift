// SPDX-License-Identifier: Apache-2.0
import CCurlShims

extension HTTPRequest {
  /// The longest URL sent; servers refuse longer ones, and a transcoding URL is about 1 kB.
  static let urlLimit = 64 << 10

  /// Refuses what must not be sent.
  func check() throws(HTTPFault) {
    let reference = URLReference(url)
    guard url.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !url.isEmpty else {
      throw HTTPFault(
        .invalidRequest, self,
        "the URL holds a space, a control or a character beyond ASCII; "
          + "percent-encode it")
    }
    guard url.utf8.count <= Self.urlLimit else {
      throw HTTPFault(
        .invalidRequest, self,
        "the URL has \(url.utf8.count) bytes, more than the \(Self.urlLimit) allowed")
    }
    guard let scheme = reference.scheme?.lowercased(), scheme == "http" || scheme == "https" else {
      let name = reference.scheme ?? "none"
      throw HTTPFault(
        .invalidRequest, self, "the URL's scheme is \(name); only http and https are allowed")
    }
    guard let host = reference.host, !host.isEmpty, reference.port.map({ $0 <= 65535 }) == true
    else { throw HTTPFault(.invalidRequest, self, "the URL names no host or no valid port") }
    for (name, value) in headers {
      guard !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
        throw HTTPFault(.invalidRequest, self, "a header's name is empty or holds a separator")
      }
      guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }) else {
        throw HTTPFault(
          .invalidRequest, self, "the value of the header \(name) holds a line break or a control")
      }
    }
    if let range, range.isEmpty || range.lowerBound < 0 {
      throw HTTPFault(
        .invalidRequest, self,
        "the byte range \(range.lowerBound)..<\(range.upperBound) is empty or negative")
    }
  }

  /// The header fields as lines for libcurl, with its own additions switched off.
  var headerLines: [String] {
    var lines = headers.map { name, value in value.isEmpty ? name + ";" : "\(name): \(value)" }
    if let range { lines.append("Range: bytes=\(range.lowerBound)-\(range.upperBound - 1)") }
    lines.append("Expect:")
    if !headers.contains(where: { $0.0.lowercased() == "content-type" }) {
      lines.append("Content-Type:")
    }
    return lines
  }

  /// Whether the host is this machine by name or number.
  var isForLoopback: Bool {
    let host = URLReference(url).host ?? ""
    return host == "localhost" || host == "::1" || host.utf8.starts(with: "127.".utf8)
  }

  /// The request that a redirect leads to.
  func redirected(to location: String, status: Int) throws(HTTPFault) -> HTTPRequest {
    let here = URLReference(url)
    let encoded = URLReference.encodingIllegalCharacters(in: location)
    var target = URLReference(encoded).resolved(against: here)
    target.fragment = nil
    guard target.isHTTP else {
      throw HTTPFault(
        .redirect, self,
        "redirected to the scheme \(target.scheme ?? "none"); only http and https are followed")
    }
    var next = self
    next.url = target.text
    if status == 303 && method != .head || status < 303 && method == .post {
      next.method = .get
      next.body = nil
      next.headers.removeAll { $0.0.lowercased() == "content-type" }
    }
    if !target.hasSameOrigin(as: here) {
      next.headers.removeAll { Self.isCredential($0.0) }
    }
    return next
  }

  /// Whether a header field tells who asks.
  private static func isCredential(_ name: String) -> Bool {
    let name = name.lowercased()
    return ["authorization", "proxy-authorization", "cookie"].contains(name)
      || name.utf8.starts(with: "x-emby-".utf8) || name.utf8.starts(with: "x-mediabrowser-".utf8)
  }

  private static func isTokenByte(_ byte: UInt8) -> Bool {
    URLReference.isLetter(byte) || URLReference.isDigit(byte)
      || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }
}

extension HTTPRequest {
  /// The fault for a passed deadline.
  var timeoutFault: HTTPFault {
    HTTPFault(
      .timeout, self, "no complete answer within \(Double(limits.total.wholeMilliseconds) / 1000) s"
    )
  }

  /// What went wrong, or nil when the answer is whole.
  func fault(
    _ outcome: curlshim_outcome, _ transfer: Transfer, _ original: HTTPRequest
  ) -> HTTPFault? {
    switch transfer.refusal {
    case .bodyTooLarge:
      return HTTPFault(
        .tooLarge(limit: limits.body), self,
        "the answer is longer than the limit of \(limits.body) bytes")
    case .headersTooLarge:
      return HTTPFault(
        .tooLarge(limit: Transfer.headerLimit), self,
        "the answer's headers are longer than \(Transfer.headerLimit) bytes")
    case .rangeIgnored:
      return HTTPFault(
        .rangeIgnored, self,
        "the server does not answer byte ranges (status 200 instead of 206)")
    case nil: break
    }
    let text = outcome.text(hiding: self)
    switch outcome.kind {
    case curlshim_ok:
      return transfer.status == 0 ? HTTPFault(.malformed, self, "no HTTP status came") : nil
    case curlshim_unreachable: return HTTPFault(.unreachable, self, "cannot be reached: \(text)")
    case curlshim_lost:
      return transfer.status == 0
        ? HTTPFault(.unreachable, self, "the connection was lost before an answer: \(text)")
        : truncated(transfer)
    case curlshim_timeout: return timeout(outcome, original)
    case curlshim_tls: return HTTPFault(.tls, self, "TLS failed: \(text)")
    case curlshim_truncated: return truncated(transfer)
    case curlshim_cancelled: return HTTPFault(.cancelled, self, "cancelled")
    case curlshim_invalid: return HTTPFault(.invalidRequest, self, "not a usable URL: \(text)")
    default: return HTTPFault(.malformed, self, "the exchange failed: \(text)")
    }
  }

  private func truncated(_ transfer: Transfer) -> HTTPFault {
    HTTPFault(.truncated, self, "the answer broke off after \(transfer.body.count) bytes")
  }

  private func timeout(_ outcome: curlshim_outcome, _ original: HTTPRequest) -> HTTPFault {
    guard outcome.connected == 0 else { return original.timeoutFault }
    let allowed = min(limits.connect, original.limits.total).wholeMilliseconds
    return HTTPFault(.unreachable, self, "no connection within \(Double(allowed) / 1000) s")
  }
}

extension curlshim_outcome {
  /// curl's sentence for this transfer if nothing secret is in it, else its general one.
  fileprivate func text(hiding request: HTTPRequest) -> String {
    let own = Self.string(text)
    let general = Self.string(self.general)
    let reference = URLReference(request.url)
    var secrets = request.headers.map(\.1) + [reference.query ?? "", reference.fragment ?? ""]
    if let authority = reference.authority, let at = authority.lastIndex(of: "@") {
      secrets += authority[..<at].split(separator: ":").map(String.init)
    }
    let hasSecret = secrets.contains { $0.utf8.count >= 3 && own.contains($0) }
    let isPlain = own.utf8.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "?") }
    return own.isEmpty || hasSecret || !isPlain || own.contains("@") ? general : own
  }

  /// The text in a C array of characters.
  private static func string<Field>(_ field: Field) -> String {
    withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
