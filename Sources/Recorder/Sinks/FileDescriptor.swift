import HostProcesses

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An open file, which is closed when nothing refers to it.
final class FileDescriptor: Sendable {
  /// What identifies a file while it exists.
  struct Identity: Hashable, Sendable {
    let device: UInt64
    let number: UInt64
  }

  private let descriptor: Int32

  private init?(_ descriptor: Int32) {
    guard descriptor >= 0 else { return nil }
    self.descriptor = descriptor
  }

  deinit {
    let problem = errno
    close(descriptor)
    errno = problem
  }

  /// Creates a file; nil if it exists already or cannot be created: see `errno`.
  static func create(_ path: String) -> FileDescriptor? {
    FileDescriptor(
      open(path, O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600))
  }

  /// Opens a file again; nil if that fails, or if it is another file by now: see `errno`.
  static func reopen(_ name: FileName) -> FileDescriptor? {
    // Opening a FIFO does not block.
    let flags = O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK
    guard let file = FileDescriptor(open(name.path, flags)) else { return nil }
    guard file.identity == name.identity else {
      errno = ENOENT
      return nil
    }
    return file
  }

  var identity: Identity? {
    status.map {
      Identity(device: UInt64(truncatingIfNeeded: $0.st_dev), number: UInt64($0.st_ino))
    }
  }

  /// The length of the file; nil if it was deleted, or cannot be examined.
  var length: Int64? {
    guard let status, status.st_nlink > 0 else { return nil }
    return Int64(status.st_size)
  }

  private var status: stat? {
    var status = stat()
    return fstat(descriptor, &status) == 0 ? status : nil
  }

  /// Writes bytes to the end of the file, without those before an offset. Returns how many were
  /// written; nil for an error: see `errno`.
  func write(_ bytes: [UInt8], from offset: Int) -> Int? {
    let rest = offset == 0 ? bytes : Array(bytes[offset...])
    while true {
      let count = SignalShield.writing { writeBytes(descriptor, rest) }
      if count < 0, errno == EINTR { continue }
      return count > 0 ? count : nil
    }
  }

  /// Cuts the file at a length.
  func truncate(to length: Int64) { _ = ftruncate(descriptor, off_t(length)) }
}

/// The system's `write`, which the type's own name hides.
private func writeBytes(_ file: Int32, _ bytes: [UInt8]) -> Int { write(file, bytes, bytes.count) }

/// Whether `errno` says that no descriptors are left, for the process or the system.
func lastErrorIsTooManyFiles() -> Bool { errno == EMFILE || errno == ENFILE }

/// Whether `errno` says that a file is gone, or that another one has its place.
func lastErrorIsMissingFile() -> Bool { errno == ENOENT || errno == ENOTDIR || errno == ELOOP }
