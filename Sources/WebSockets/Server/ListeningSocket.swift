internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The library's sockets that listen.
enum ListeningSocket {
  /// Has accepting on a new listener never wait.
  ///
  /// When the library ends a connection in the same round in which it accepted it, it looks at the
  /// listener once more without asking whether anybody waits there. On a socket that blocks that
  /// would stop the loop until the next client comes. It does not say which descriptor it listens
  /// on, so that all sockets of this process that listen are looked at; those of others than the
  /// library are told by their address.
  ///
  /// - Parameter address: with the port that the system has chosen.
  static func neverWait(at address: ListenAddress) {
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
    // Safe: the system writes at most `size` bytes into the local, which is then read as what it
    // says it is, and not beyond that size.
    return withUnsafeMutableBytes(of: &storage) { bytes in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        getsockname(descriptor, start, &size) == 0
      else { return false }
      switch (Int32(start.pointee.sa_family), address) {
      case (AF_INET, .tcp(_, let port)), (AF_INET6, .tcp(_, let port)):
        // In both families the port stands right behind the family, its high byte first.
        return Int(bytes[2]) << 8 | Int(bytes[3]) == port
      case (AF_UNIX, .unix(let path)):
        let name = bytes[2..<min(Int(size), bytes.count)].prefix { $0 != 0 }
        return Array(name) == Array(path.utf8)
      default: return false
      }
    }
  }
}
