// SPDX-License-Identifier: Apache-2.0
import BurnInNegotiation
import Foundation
import Testing

/// The vectors that are committed beside the tests.
enum VectorFile {
  static let vectors: [NegotiationVectors.Vector] = {
    guard
      let url = Bundle.module.url(
        forResource: "negotiation", withExtension: "json", subdirectory: "Resources"),
      let data = try? Data(contentsOf: url), let file = try? NegotiationVectors(parsing: data)
    else { return [] }
    return file.vectors
  }()

  static func of(_ function: String) -> [NegotiationVectors.Vector] {
    vectors.filter { $0.function == function }
  }
}

@Suite("Vectors")
struct VectorTests {
  @Test("are all there, and each names a function that exists")
  func whole() {
    #expect(VectorFile.vectors.count == 264)
    #expect(Set(VectorFile.vectors.map(\.function)) == Set(NegotiationVectors.functions))
    #expect(Set(VectorFile.vectors.map(\.id)).count == 264)
  }

  @Test("all pass")
  func all() throws {
    for vector in VectorFile.vectors {
      let failure = NegotiationVectors.check(vector)
      #expect(failure == nil, "\(String(describing: failure))")
    }
  }
}
