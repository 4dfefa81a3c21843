internal import CLibWebsockets

/// What the system knows about a socket's peer.
///
/// The library answers pings without reporting them and drops empty pongs, so frames alone do not
/// show that every living peer is alive.
package struct SocketSigns: Equatable {
  /// How many bytes a TCP socket has received; `nil` for other sockets.
  package var receivedBytes: UInt64?
  /// How much of what was sent into a Unix socket its peer has not read; `nil` for other sockets.
  ///
  /// A Unix socket does not count what it receives. But a process that reads is alive, and when one
  /// ends, the system closes its sockets.
  package var unreadBytes: Int?

  /// What is known; nothing where nothing is given.
  package init(receivedBytes: UInt64? = nil, unreadBytes: Int? = nil) {
    self.receivedBytes = receivedBytes
    self.unreadBytes = unreadBytes
  }

  /// Whether the peer is alive: bytes arrived since a ping, or it has read everything.
  func showLife(since receivedBefore: UInt64?) -> Bool {
    if let receivedBytes, let receivedBefore { return receivedBytes != receivedBefore }
    return unreadBytes == 0
  }
}

extension SocketSigns {
  /// Asks the system.
  init(of descriptor: Int32) {
    var received: UInt64 = 0
    var unread: Int32 = 0
    switch shim_socket_signs(descriptor, &received, &unread) {
    case 1: receivedBytes = received
    case 2: unreadBytes = Int(unread)
    default: break
    }
  }
}
