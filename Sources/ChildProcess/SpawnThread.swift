// SPDX-License-Identifier: Apache-2.0
internal import CProcessShims
internal import Glibc
internal import Synchronization

/// The one thread that starts programs.
///
/// Linux ends a child with the *thread* that forked it (`PR_SET_PDEATHSIG`), and the threads of
/// Swift's pool come and go; this one never ends.
final class SpawnThread: Sendable {
  static let shared = SpawnThread()

  private struct Job: Sendable {
    let program: String
    let arguments: [String]
    let descriptors: [Int32]
    let done: Signal
  }

  /// A value that one thread sets and another waits for.
  private final class Signal: Sendable {
    private let value = Mutex<Int32?>(nil)
    private let semaphore = Semaphore()
    func set(_ result: Int32) {
      value.withLock { $0 = result }
      semaphore.signal()
    }
    func wait() -> Int32 {
      semaphore.wait()
      return value.withLock { $0 } ?? -EINVAL
    }
  }

  private let jobs = Mutex<[Job]>([])
  private let semaphore = Semaphore()

  private init() {
    startThread { [self] in
      while true {
        semaphore.wait()
        guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { continue }
        job.done.set(run(job))
      }
    }
  }

  /// Starts a program; the process id, or minus an errno.
  func spawn(
    program: String, arguments: [String], input: Int32, output: Int32, error: Int32
  ) -> Int32 {
    let done = Signal()
    let job = Job(
      program: program, arguments: arguments, descriptors: [input, output, error], done: done)
    jobs.withLock { $0.append(job) }
    semaphore.signal()
    return done.wait()
  }

  private func run(_ job: Job) -> Int32 {
    var pointers: [UnsafeMutablePointer<CChar>?] = job.arguments.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    pointers.append(nil)
    return job.program.withCString { path in
      pointers.withUnsafeBufferPointer { list in
        guard let base = list.baseAddress else { return -EINVAL }
        return bs_spawn(path, base, job.descriptors[0], job.descriptors[1], job.descriptors[2])
      }
    }
  }
}

/// A counting semaphore of the system.
final class Semaphore: Sendable {
  // A sem_t may be used from any thread by its definition (POSIX); it is freed when nobody has it.
  private nonisolated(unsafe) let pointer: UnsafeMutablePointer<sem_t>

  init() {
    pointer = .allocate(capacity: 1)
    sem_init(pointer, 0, 0)
  }

  deinit {
    sem_destroy(pointer)
    pointer.deallocate()
  }

  func signal() { sem_post(pointer) }

  func wait() {
    while sem_wait(pointer) != 0 {}
  }
}
