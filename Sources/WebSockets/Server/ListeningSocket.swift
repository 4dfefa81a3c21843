internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The library's listening sockets.
enum ListeningSocket {
  /// Makes accepting on a new listener nonblocking.
  ///
  /// If the library ends a connection in the round in which it accepted it, it accepts again without
  /// polling. On a blocking socket that would stop the loop until the next client connects. The
  /// library does not report its listening descriptor, so this searches all listening sockets of the
  /// process for the address.
  ///
  /// - Parameter address: The address with the actual port.
  static func setNonblocking(at address: ListenAddress) {
    let limit = Int32(clamping: min(sysconf(Int32(_SC_OPEN_MAX)), 1 << 16))
    for descriptor in 0..<max(limit, 1_024) where listens(descriptor) {
      guard isAddress(of: descriptor, address) else { continue }
      let flags = fcntl(descriptor, F_GETFL)
      if flags >= 0 { _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) }
    }
  }

  private static func listens(_ descriptor: Int32) -> Bool {
    var value: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
  }

  private static func isAddress(of descriptor: Int32, _ address: ListenAddress) -> Bool {
    var storage = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // Safe: the system writes at most `size` bytes into the local, which is then read as the address
    // family it has, and not beyond its size.
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        getsockname(descriptor, start, &size) == 0
      else { return false }
      switch (Int32(start.pointee.sa_family), address) {
      case (AF_INET, .tcp(_, let port)), (AF_INET6, .tcp(_, let port)):
        // In both families the port follows the family, with its high byte first.
        return Int(bytes[2]) << 8 | Int(bytes[3]) == port
      case (AF_UNIX, .unix(let path)):
        let name = bytes[2..<min(Int(size), bytes.count)].prefix { $0 != 0 }
        return Array(name) == Array(path.utf8)
      default: return false
      }
    }
  }
}
