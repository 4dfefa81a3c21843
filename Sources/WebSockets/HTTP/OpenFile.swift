#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// A file that is open for reading until the last reference is released.
///
/// Safe: Sendable, because the descriptor never changes and `pread` does not use its position.
package final class OpenFile: Sendable {
  private let descriptor: Int32
  /// Its size when it was opened. No more is read, even if it grows.
  package let size: Int
  /// Its modification time in nanoseconds.
  package let modified: Int64
  /// Identifies the file in its file system.
  package let inode: UInt64

  /// Takes ownership of a descriptor. Closes it and returns `nil` if it is not a regular file.
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

  /// Reads up to `count` bytes at an offset.
  ///
  /// - Returns: The number of bytes; 0 at the end, negative after an error.
  func read(into memory: UnsafeMutablePointer<UInt8>, count: Int, at offset: Int) -> Int {
    // Safe: the caller's memory has room for `count` bytes.
    pread(descriptor, memory, count, offset)
  }
}
