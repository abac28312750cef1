// SPDX-License-Identifier: Apache-2.0
#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// libFuzzer's own main function; the second argument points to `argv`.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutableRawPointer,
  _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// What the fuzzer calls for each input; the environment names the entry point.
private let fuzzed: @Sendable ([UInt8]) -> Void = {
  let name = getenv("BURNSCOPE_FUZZ_TARGET").map { String(cString: $0) } ?? ""
  if let target = fuzzTargets[name] { return target }
  let names = fuzzTargets.keys.sorted().joined(separator: ", ")
  let sentence = Array("BURNSCOPE_FUZZ_TARGET must be one of \(names)\n".utf8)
  _ = sentence.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  exit(64)
}()

/// Takes one input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  // A buffer of its own, so that AddressSanitizer sees a read past its end.
  fuzzed(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// SwiftPM names a program's main function after its target; libFuzzer's library has its own.
@_cdecl("burnscope_fuzz_main")
public func fuzzMain(_ count: CInt, _ arguments: UnsafeMutableRawPointer) -> CInt {
  var (count, arguments) = (count, arguments)
  return runDriver(&count, &arguments, fuzzOneInput)
}
