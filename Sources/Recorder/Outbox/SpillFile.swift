import HostProcesses
import Replaying
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file that takes what does not fit into memory.
///
/// It is made anew with mode 0600 when it is first needed, in the folder of its path, and without a
/// name: nobody else can open it, and nothing of it stays behind when the process ends, however that
/// ends. Where the file system makes no such files it has a name of its own for a moment, the path and
/// some digits. What stands at the path itself, a link least of all, is never touched or followed.
package final class SpillFile: Sendable {
  private let path: String
  private let isNamedFirst: Bool
  private let descriptor = ForkSafeMutex<Int32?>(nil)

  /// A file at that path, when it is needed.
  package convenience init(path: String) {
    self.init(path: path, isNamedFirst: false)
  }

  /// A file of that folder, which has a name until it is open, if asked for.
  init(path: String, isNamedFirst: Bool) {
    self.path = path
    self.isNamedFirst = isNamedFirst
  }

  deinit {
    if let descriptor = descriptor.withLock({ $0 }) { close(descriptor) }
  }

  /// Writes to a place; the problem, when there was one.
  package func write(_ bytes: [UInt8], at place: SpillPlace) -> String? {
    let file: Int32
    switch opened() {
    case .success(let opened): file = opened
    case .failure(let problem): return problem.text
    }
    var written = 0
    while written < bytes.count {
      // Safe: the buffer is lent for the call and is not read beyond its end.
      let count = bytes.withUnsafeBytes { bytes in
        SignalShield.writing {
          pwrite(
            file, bytes.baseAddress.map { $0 + written }, bytes.count - written,
            off_t(place.offset + written))
        }
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return Problem(errno).text }
      written += count
    }
    return nil
  }

  /// Reads a place; `nil` when it cannot be read.
  package func read(_ place: SpillPlace) -> [UInt8]? {
    guard let file = descriptor.withLock({ $0 }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: place.length)
    var got = 0
    while got < bytes.count {
      // Safe: the buffer is lent for the call and is not written beyond its end.
      let count = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + got }, $0.count - got, off_t(place.offset + got))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      got += count
    }
    return bytes
  }

  /// The descriptor of the file, which is made now if need be.
  private func opened() -> Result<Int32, Problem> {
    descriptor.withLock { descriptor in
      if let descriptor { return .success(descriptor) }
      return made().map { made in
        descriptor = made
        return made
      }
    }
  }

  private func made() -> Result<Int32, Problem> {
    var (made, name): (Int32, String?) = (isNamedFirst ? -1 : nameless(), nil)
    if made < 0 {
      // Random, so that what a killed process may have left in that moment is in nobody's way.
      let unique = "\(path).\(UInt64.random(in: 0...(.max)))"
      made = open(unique, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      name = unique
    }
    guard made >= 0 else { return .failure(Problem(errno)) }
    // The mode is what it should be whatever the process's mask says.
    guard fchmod(made, 0o600) == 0, name.map({ unlink($0) }) ?? 0 == 0 else {
      let problem = Problem(errno)
      close(made)
      return .failure(problem)
    }
    return .success(made)
  }

  /// Opens a file in the folder of the path that has no name; negative where there are no such files.
  private func nameless() -> Int32 {
    #if os(Linux)
      let end = path.lastIndex(of: "/")
      let folder = end.map { path[...$0] } ?? "."
      // `O_TMPFILE`, which the headers show to GNU programs alone; the number is that of Linux on
      // every processor that Swift runs on.
      return open(String(folder), O_RDWR | O_EXCL | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, 0o600)
    #else
      return -1
    #endif
  }

  /// What the system said.
  private struct Problem: Error {
    let text: String

    init(_ code: Int32) {
      text = String(cString: strerror(code))
    }
  }
}
