// SPDX-License-Identifier: Apache-2.0
internal import Glibc

/// Seconds since 1970 as the server's JSON has them: `2026-01-05T07:08:09.0000000Z`.
func dateText(_ seconds: Int) -> String { formatted(seconds, "%Y-%m-%dT%H:%M:%S.0000000Z") }

/// Seconds since 1970 as HTTP headers have them.
func httpDateText(_ seconds: Int) -> String { formatted(seconds, "%a, %d %b %Y %H:%M:%S GMT") }

/// The program never sets a locale, so that names of days and months are English.
private func formatted(_ seconds: Int, _ format: String) -> String {
  var time = time_t(seconds)
  var parts = tm()
  gmtime_r(&time, &parts)
  var buffer = [UInt8](repeating: 0, count: 64)
  let count = buffer.withUnsafeMutableBytes { bytes in
    bytes.withMemoryRebound(to: CChar.self) { characters in
      characters.baseAddress.map { strftime($0, characters.count, format, &parts) } ?? 0
    }
  }
  return String(decoding: buffer.prefix(count), as: UTF8.self)
}
