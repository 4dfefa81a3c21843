#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file of authorities' certificates.
enum AuthorityFile {
  /// Why it cannot be read; nil if it can.
  ///
  /// Otherwise the TLS library would report it at each attempt to connect, without its path.
  static func problem(_ path: String) -> String? {
    // Opening a FIFO does not block.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard file >= 0 else { return unreadable(path, String(cString: strerror(errno))) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return unreadable(path, "it is not a file")
    }
    return nil
  }

  private static func unreadable(_ path: String, _ why: String) -> String {
    """
    The authority's certificates cannot be read from \(path): \(why). To fix, pass the path of a PEM \
    file that you can read, in DEBUGD_AUTHORITY or DaemonDestination.trust.
    """
  }
}
