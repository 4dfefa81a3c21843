#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that is open for reading, and closed with the last reference to it.
///
/// Safe: Sendable, because the descriptor never changes and is read at places that the caller names.
package final class OpenFile: Sendable {
  private let descriptor: Int32
  /// Its size when it was opened. No more is read, even when it grows.
  package let size: Int
  /// When it was last changed, in nanoseconds.
  package let modified: Int64
  /// Tells it from others of its file system.
  package let inode: UInt64

  /// Takes over a descriptor; `nil` when it is not that of a regular file, and then it is closed.
  package init?(descriptor: Int32) {
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG
    else {
      if descriptor >= 0 { close(descriptor) }
      return nil
    }
    self.descriptor = descriptor
    size = Int(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
    inode = UInt64(status.st_ino)
  }

  deinit { close(descriptor) }

  /// Reads up to that many bytes from a place.
  ///
  /// - Returns: How many there were; 0 at the end, negative after an error.
  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int, at place: Int) -> Int {
    // Safe: the caller lends memory for that many bytes.
    pread(descriptor, memory, count, place)
  }
}
