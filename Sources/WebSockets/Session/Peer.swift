internal import CLibWebsockets

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

/// The other end of a connection.
package enum Peer: Hashable, Sendable {
  case tcp(address: String, port: Int)
  /// A process on this machine, as reported by the system.
  case unix(user: UInt32, process: Int32)
  /// The system did not report the peer.
  case unknown

  /// Whether it is a process of this process's user on this machine.
  package var isSameUser: Bool {
    if case .unix(let user, _) = self { return user == geteuid() }
    return false
  }
}

extension Peer {
  /// The peer of a connected socket.
  init(of descriptor: Int32) {
    var address = sockaddr_storage()
    var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
    // Safe: the system writes at most `size` bytes into the local, which is large enough for any
    // address, and is then read as the address family it has.
    let family = withUnsafeMutableBytes(of: &address) { bytes -> Int32? in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self),
        getpeername(descriptor, start, &size) == 0
      else { return nil }
      return Int32(start.pointee.sa_family)
    }
    switch family {
    case AF_INET, AF_INET6: self = Self.tcp(address, size)
    case AF_UNIX: self = Self.unix(descriptor)
    default: self = .unknown
    }
  }

  private static func tcp(_ address: sockaddr_storage, _ size: socklen_t) -> Peer {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    // Safe: as above; the system gets the lengths of both arrays.
    let failure = withUnsafeBytes(of: address) { bytes in
      getnameinfo(
        bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), size,
        &host, socklen_t(host.count), &port, socklen_t(port.count),
        NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard failure == 0 else { return .unknown }
    return .tcp(address: text(host), port: Int(text(port)) ?? 0)
  }

  private static func unix(_ descriptor: Int32) -> Peer {
    var user: UInt32 = 0
    var process: Int32 = 0
    guard shim_peer_credentials(descriptor, &user, &process) != 0 else { return .unknown }
    return .unix(user: user, process: process)
  }

  private static func text(_ characters: [CChar]) -> String {
    String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }
}
