package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address such as "127.0.0.1" or "::1", and a port; 0 lets the system choose.
  case tcp(host: String, port: Int)
  /// A socket in the file system with mode 0600. Its directory, with mode 0700, is created if it does
  /// not exist.
  case unix(path: String)

  package var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    }
  }
}

/// A server's certificate and key.
package struct ServerIdentity: Hashable, Sendable {
  /// The certificate and its chain, as PEM.
  package var certificatePath: String
  /// The private key, as PEM.
  package var keyPath: String

  package init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }
}

package struct ListenerOptions: Sendable {
  /// The supported subprotocols. A client that offers only other ones is refused (default: none).
  package var subprotocols: [String] = []
  /// The certificate for TLS (default: `nil`, which does not use TLS).
  package var identity: ServerIdentity?
  /// Headers of every response, including refusals, unless the response has the same header (default:
  /// none).
  package var headers: [(name: String, value: String)] = []
  /// Headers to read from requests, besides the common ones (default: none).
  package var requestHeaders: [String] = []
  /// The maximum number of connections, including sessions (default: 256).
  package var maxConnections = 256
  /// The maximum number of connections from one address or one user of this machine (default: 256).
  package var maxConnectionsOfPeer = 256
  /// The maximum number of connections with an incomplete request. A new one replaces the oldest
  /// (default: 128).
  package var maxPending = 128
  /// The maximum number of connections with an unfinished response. A new one replaces the one that has
  /// stalled longest (default: 64).
  package var maxAnswering = 64
  /// The maximum length of a request's body (default: 64 KiB).
  package var maxBodyBytes = 64 * 1024
  /// The time limit from connecting to the end of a request's head, in whole seconds (default: 10
  /// seconds).
  package var headWithin: Duration = .seconds(10)
  /// The time limit from the end of a request's head to the end of its body (default: 10 seconds).
  package var bodyWithin: Duration = .seconds(10)
  /// How long a response may wait for its peer to continue reading (default: 30 seconds).
  package var stallWithin: Duration = .seconds(30)

  package init() {}
}

package struct Listener: Hashable, Sendable {
  /// Its number in its loop.
  package let number: UInt32
  /// Its address, with the actual port.
  package let address: ListenAddress

  /// The port; 0 for a Unix socket.
  package var port: Int {
    if case .tcp(_, let port) = address { return port }
    return 0
  }
}
