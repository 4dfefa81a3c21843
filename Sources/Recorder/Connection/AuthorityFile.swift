import Timelines

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
    guard file >= 0 else { return unreadable(path, SystemError(errno)) }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return unreadable(path, "it is not a file. To fix, \(readable).")
    }
    guard hasCertificate(file) else {
      return """
        \(path), the file of the authority's certificates, has no certificate in PEM form. To fix, \
        name a file with a line "-----BEGIN CERTIFICATE-----", in DEBUGD_AUTHORITY or \
        DaemonDestination.trust.
        """
    }
    return nil
  }

  /// Whether the first megabyte of a file has a certificate; a system's bundle is a quarter of that.
  private static func hasCertificate(_ file: Int32) -> Bool {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < 1 << 20 {
      let count = read(file, &chunk, chunk.count)
      guard count > 0 else { break }
      bytes += chunk[..<count]
    }
    let text = String(decoding: bytes, as: UTF8.self)
    // "X509 CERTIFICATE" and "TRUSTED CERTIFICATE" are other labels of the same.
    return text.split(whereSeparator: \.isNewline).contains {
      $0.hasPrefix("-----BEGIN ") && $0.contains("CERTIFICATE-----")
    }
  }

  private static let readable = """
    pass the path of a PEM file that you can read, in DEBUGD_AUTHORITY or DaemonDestination.trust
    """

  private static func unreadable(_ path: String, _ error: SystemError) -> String {
    unreadable(path, error.sentences(.reading, pathAdvice: readable))
  }

  private static func unreadable(_ path: String, _ why: String) -> String {
    "The authority's certificates cannot be read from \(path): \(why)"
  }
}
