import HostProcesses
import Replaying
import Synchronization
import Timelines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The file for entries that do not fit into memory.
///
/// It is created with mode 0600 on first use, in the folder of its path and without a name: no
/// other process can open it, and nothing of it remains when the process ends, however that ends.
/// On file systems without unnamed files it briefly has the name of the path and some digits. An
/// existing file or link at the path itself is never touched or followed.
package final class SpillFile: Sendable {
  private let path: String
  private let isNamedFirst: Bool
  private let descriptor = ForkSafeMutex<Int32?>(nil)

  /// Creates a spill file for a path. Nothing is opened until it is needed.
  package convenience init(path: String) {
    self.init(path: path, isNamedFirst: false)
  }

  /// Creates a spill file that briefly has a name if asked for.
  init(path: String, isNamedFirst: Bool) {
    self.path = path
    self.isNamedFirst = isNamedFirst
  }

  deinit {
    if let descriptor = descriptor.withLock({ $0 }) { close(descriptor) }
  }

  /// Writes to a place. Returns the problem, if there was one.
  package func write(_ bytes: [UInt8], at place: SpillPlace) -> String? {
    let file: Int32
    switch opened() {
    case .success(let opened): file = opened
    case .failure(let problem): return problem.text
    }
    var written = 0
    while written < bytes.count {
      // Safe: the buffer is lent for the call, and is not read beyond its end.
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

  /// Reads a place; `nil` if it cannot be read.
  package func read(_ place: SpillPlace) -> [UInt8]? {
    guard let file = descriptor.withLock({ $0 }) else { return nil }
    var bytes = [UInt8](repeating: 0, count: place.length)
    var got = 0
    while got < bytes.count {
      // Safe: the buffer is lent for the call, and is not written beyond its end.
      let count = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + got }, $0.count - got, off_t(place.offset + got))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      got += count
    }
    return bytes
  }

  /// Returns the descriptor of the file, which it creates on first use.
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
      // Random, so that a file left by a killed process does not conflict.
      let unique = "\(path).\(UInt64.random(in: 0...(.max)))"
      made = open(unique, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      name = unique
    }
    guard made >= 0 else { return .failure(Problem(errno)) }
    // Set the mode regardless of the process's umask.
    guard fchmod(made, 0o600) == 0, name.map({ unlink($0) }) ?? 0 == 0 else {
      let problem = Problem(errno)
      close(made)
      return .failure(problem)
    }
    return .success(made)
  }

  /// Opens an unnamed file in the folder of the path; negative if the file system does not support
  /// that.
  private func nameless() -> Int32 {
    #if os(Linux)
      let end = path.lastIndex(of: "/")
      let folder = end.map { path[...$0] } ?? "."
      // `O_TMPFILE`, which the headers only define for `_GNU_SOURCE`. Linux has the same value on
      // every processor that Swift supports.
      return open(String(folder), O_RDWR | O_EXCL | O_CLOEXEC | O_DIRECTORY | 0o20_000_000, 0o600)
    #else
      return -1
    #endif
  }

  /// An error of the system.
  private struct Problem: Error {
    let text: String

    init(_ code: Int32) {
      text = SystemError(code).clause(.writing)
    }
  }
}
