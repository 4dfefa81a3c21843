/// Where to listen.
package enum ListenAddress: Hashable, Sendable, CustomStringConvertible {
  /// A numeric address such as "127.0.0.1" or "::1", and a port; 0 lets the system choose.
  case tcp(host: String, port: Int)
  /// A socket in the file system, of mode 0600, in a directory of mode 0700 that is made when it is
  /// missing.
  case unix(path: String)

  package var description: String {
    switch self {
    case .tcp(let host, let port): host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix(let path): path
    }
  }
}

/// The files with which a server proves who it is.
package struct ServerIdentity: Hashable, Sendable {
  /// The certificate, with those that lead from it to a root, as PEM.
  package var certificatePath: String
  /// Its private key, as PEM.
  package var keyPath: String

  /// Those two files.
  package init(certificatePath: String, keyPath: String) {
    self.certificatePath = certificatePath
    self.keyPath = keyPath
  }
}

/// The limits and habits of a listener.
package struct ListenerOptions: Sendable {
  /// The subprotocols that are spoken here. A client that offers some, but none of these, is
  /// refused. Default: none.
  package var subprotocols: [String] = []
  /// With which certificate to speak TLS; `nil` for none. Default: `nil`.
  package var identity: ServerIdentity?
  /// Headers of every answer, refusals too. One of the same name in the answer takes its place.
  /// Default: none.
  package var headers: [(name: String, value: String)] = []
  /// Headers of requests to be read besides the common ones. Default: none.
  package var requestHeaders: [String] = []
  /// The most connections at a time, sessions and others. Default: 256.
  package var maxConnections = 256
  /// The most from one address or one user of this machine. Default: 256.
  package var maxConnectionsOfPeer = 256
  /// The most connections whose request has not arrived as a whole; the oldest is dropped for a new
  /// one. Default: 128.
  package var maxPending = 128
  /// The most connections whose answer is on its way. For a new one the answer that has waited longest
  /// for its peer to read is dropped. Default: 64.
  package var maxAnswering = 64
  /// The longest body of a request. Default: 64 KiB.
  package var maxBodyBytes = 64 * 1024
  /// The most time from connecting to the end of a request's head, in whole seconds.
  /// Default: 10 seconds.
  package var headWithin: Duration = .seconds(10)
  /// The most time from the end of a request's head to the end of its body. Default: 10 seconds.
  package var bodyWithin: Duration = .seconds(10)
  /// How long an answer may wait for the other end to read on. Default: 30 seconds.
  package var stallWithin: Duration = .seconds(30)

  /// Options, each at its default.
  package init() {}
}

/// A listener that listens.
package struct Listener: Hashable, Sendable {
  /// Which one of its loop.
  package let number: UInt32
  /// Where, with the port that the system has chosen.
  package let address: ListenAddress

  /// The port; 0 for a Unix socket.
  package var port: Int {
    if case .tcp(_, let port) = address { return port }
    return 0
  }
}
