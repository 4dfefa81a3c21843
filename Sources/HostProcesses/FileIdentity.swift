#if canImport(Glibc)
  import Glibc

  /// What tells whether a file is the one that it was: a compiler that builds an executable anew
  /// writes another file, or changes the time and size of this one.
  package struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let bytes: Int64
    private let seconds: Int64
    private let nanoseconds: Int64

    /// The file that a path leads to; `nil` where there is none.
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
