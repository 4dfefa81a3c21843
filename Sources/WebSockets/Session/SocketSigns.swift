internal import CLibWebsockets

/// The system's evidence that a socket's peer is alive.
///
/// The library answers pings without reporting them, and drops empty pongs, so a living peer may
/// send frames that the loop does not see.
package struct SocketSigns: Equatable {
  /// The number of bytes a TCP socket has received; `nil` for other sockets.
  package var receivedBytes: UInt64?
  /// The number of sent bytes that the peer of a Unix socket has not read; `nil` for other sockets.
  ///
  /// A Unix socket does not count received bytes. But a process that reads is alive, and the system
  /// closes the sockets of one that ends.
  package var unreadBytes: Int?

  package init(receivedBytes: UInt64? = nil, unreadBytes: Int? = nil) {
    self.receivedBytes = receivedBytes
    self.unreadBytes = unreadBytes
  }

  /// Whether the peer is alive: bytes arrived since the ping, or it has read everything.
  func showLife(since receivedBefore: UInt64?) -> Bool {
    if let receivedBytes, let receivedBefore { return receivedBytes != receivedBefore }
    return unreadBytes == 0
  }
}

extension SocketSigns {
  /// Reads the evidence from the system.
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
