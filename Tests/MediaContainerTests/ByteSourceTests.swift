// SPDX-License-Identifier: Apache-2.0
import MediaContainer
import Testing

@Suite struct ByteSourceTests {
  /// Reads a range of a source, in one call.
  private func bytes(_ source: MemoryBytes, _ offset: Int64, _ count: Int) throws -> [UInt8] {
    var buffer = [UInt8](repeating: 0xEE, count: count)
    let read = try buffer.withUnsafeMutableBytes { try source.read(at: offset, into: $0) }
    return Array(buffer.prefix(read))
  }

  @Test func `parts in memory read as one`() throws {
    let source = MemoryBytes(name: "parts", parts: [[1, 2, 3], [], [4], [5, 6]])
    #expect(source.byteCount == 6)
    #expect(try bytes(source, 0, 10) == [1, 2, 3, 4, 5, 6])
    #expect(try bytes(source, 2, 3) == [3, 4, 5])
    #expect(try bytes(source, 3, 1) == [4])
    #expect(try bytes(source, 5, 9) == [6])
    #expect(try bytes(source, 6, 1) == [])
    #expect(try bytes(source, .max, 1) == [])
    #expect(try bytes(source, -1, 1) == [])
    #expect(try bytes(MemoryBytes(name: "none", parts: []), 0, 4) == [])
  }

  @Test func `the loaded libraries are those of the build`() throws {
    try checkLibraryVersions()
    #expect(loadedLibraryVersions().count == 4)
  }
}
