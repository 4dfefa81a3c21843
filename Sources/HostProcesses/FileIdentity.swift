#if canImport(Glibc)
  import Glibc

  /// Identifies a version of a file. A rebuilt executable is another file, or has another
  /// modification time or size.
  package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let bytes: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// The identity of the file at a path; `nil` if there is no file.
    package init?(path: String) {
      var status = stat()
      guard stat(path, &status) == 0 else { return nil }
      device = UInt64(status.st_dev)
      inode = UInt64(status.st_ino)
      bytes = Int64(status.st_size)
      seconds = Int64(status.st_mtim.tv_sec)
      nanoseconds = Int64(status.st_mtim.tv_nsec)
    }
  }
#endif
