// SPDX-License-Identifier: Apache-2.0
package import ChildProcess

/// The `burnscope` program of the build that the tests belong to.
package enum BuiltProgram {
  /// Path of the program: beside the test bundle, else in the package's debug build.
  package static let path: String = {
    if let bundle = CommandLine.arguments.first(where: { $0.hasSuffix(".xctest") }) {
      return folder(of: bundle) + "/burnscope"
    }
    return packageRoot + "/.build/debug/burnscope"
  }()

  /// The package's folder.
  package static let packageRoot = folder(of: folder(of: folder(of: #filePath)))

  /// Runs the program to its end.
  package static func run(_ arguments: [String]) async throws -> ProcessResult {
    try await ChildProcess.run(path, arguments)
  }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return String(path[..<slash])
  }
}
