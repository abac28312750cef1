// SPDX-License-Identifier: Apache-2.0
import Glibc
import MediaContainer
import SubtitleAuthoring
import TestSupport
import Testing

/// Authoring that is ended early.
@Suite struct CancellationTests {
  @Test(arguments: ["o.sup", "o.idx", "o.mkv", "o.ts", "o.m2ts"])
  func `work that is ended leaves no file`(output: String) throws {
    let folder = try TemporaryFolder()
    let text = try folder.write(
      Array("1\n00:00:01,300 --> 00:00:02,000\nA\n".utf8), to: "t.srt")
    let cancellation = CancellationFlag()
    cancellation.cancel()
    let request = AuthoringRequest(input: text, output: folder.file(output))
    #expect(throws: CancellationError.self) {
      try Authoring.run(request, cancellation: cancellation)
    }
    #expect(names(in: folder.path) == ["t.srt"])
  }

  @Test func `an output in a folder that is not there is named by its own name`() throws {
    let folder = try TemporaryFolder()
    let text = try folder.write(
      Array("1\n00:00:01,300 --> 00:00:02,000\nA\n".utf8), to: "t.srt")
    for name in ["no/o.sup", "no/o.idx", "no/o.mkv"] {
      let output = folder.file(name)
      do {
        _ = try Authoring.run(AuthoringRequest(input: text, output: output))
        Issue.record("\(name) was written")
      } catch let fault as AuthoringFault {
        #expect(fault.kind == .output)
        #expect(
          fault.description.hasPrefix(folder.file("no/o.")), "\(fault.description)")
        #expect(fault.description.hasSuffix("cannot be written: No such file or directory"))
      }
    }
  }

  private func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }
}
