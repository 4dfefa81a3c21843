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

/// An append-only file of whole lines: an incomplete write is undone.
final class TimelineFileHandle: Sendable {
  private let descriptor: Int32
  /// The end of the last whole line.
  private let length = ForkSafeMutex<Int64>(0)

  /// Creates a file that only this user can read; nil if it exists already or cannot be created:
  /// see `errno`.
  ///
  /// It never follows a link, and never opens an existing file.
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

  /// Appends bytes that end with a line; false if there was no room for all of them. Either way the
  /// file ends with a whole line, if the file system allows it.
  func append(_ bytes: [UInt8]) -> Bool {
    length.withLock { append(bytes, to: &$0) }
  }

  private func append(_ bytes: [UInt8], to length: inout Int64) -> Bool {
    var offset = 0
    while offset < bytes.count {
      // A write is only partial after a signal or on a full disk.
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

/// Creates a file for writing. It must not exist.
private func createFile(_ path: String) -> Int32 {
  open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
}

/// The text of `errno`.
func systemErrorText() -> String { String(cString: strerror(errno)) }

/// Whether `errno` says that the file exists.
func lastErrorIsFileExists() -> Bool { errno == EEXIST || errno == ELOOP }

/// Returns whether a path is a folder.
func isFolder(_ path: String) -> Bool {
  var status = stat()
  return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
}

/// Creates a private folder and its parents. Returns true if the folder exists already.
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
