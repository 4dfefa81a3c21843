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

/// A file that is only added to, in whole lines: what could not be written in full is taken back.
final class TimelineFileHandle: Sendable {
  private let descriptor: Int32
  /// Where the last whole line ends.
  private let length = ForkSafeMutex<Int64>(0)

  /// Creates a file that only this user can read; nil when there is one of that name already, or
  /// when it cannot be created: see `errno`.
  ///
  /// It never follows a link and never opens what is there.
  static func create(_ path: String) -> TimelineFileHandle? {
    let descriptor = createFile(path)
    return descriptor < 0 ? nil : TimelineFileHandle(descriptor)
  }

  private init(_ descriptor: Int32) {
    self.descriptor = descriptor
  }

  deinit {
    close(descriptor)
  }

  /// Adds bytes that end with a line; false when there was no room for all of them. The file ends
  /// with a whole line in either case, if the file system lets it.
  func append(_ bytes: [UInt8]) -> Bool {
    length.withLock { append(bytes, to: &$0) }
  }

  private func append(_ bytes: [UInt8], to length: inout Int64) -> Bool {
    var offset = 0
    while offset < bytes.count {
      // A part is only left after a signal or on a full disk.
      let rest = offset == 0 ? bytes : Array(bytes[offset...])
      let count = SignalShield.writing { write(descriptor, rest, rest.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let problem = errno
        if offset > 0 { _ = ftruncate(descriptor, off_t(length)) }
        _ = lseek(descriptor, off_t(length), SEEK_SET)
        errno = problem
        return false
      }
      offset += count
    }
    length += Int64(bytes.count)
    return true
  }
}

/// Creates a file for writing, which must not exist.
private func createFile(_ path: String) -> Int32 {
  open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
}

/// The last error of the system, in words.
func systemErrorText() -> String { String(cString: strerror(errno)) }

/// Whether the last error says that there is a file already.
func lastErrorIsFileExists() -> Bool { errno == EEXIST || errno == ELOOP }

/// Whether there is a folder at a path.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Makes a folder that only this user can look into, and those above it; true also when there is one
/// already.
func makeFolder(_ path: String) -> Bool {
  if mkdir(path, 0o700) == 0 { return true }
  let problem = errno
  if problem == ENOENT, let end = path.lastIndex(of: "/"), end > path.startIndex,
    makeFolder(String(path[..<end]))
  {
    return mkdir(path, 0o700) == 0
  }
  if isFolder(path) { return true }
  errno = problem
  return false
}
