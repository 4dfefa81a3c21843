/// Where a client connects to.
package enum Endpoint: Hashable, Sendable {
  /// A host and a port, without TLS.
  case plain(host: String, port: Int)
  /// A host and a port, with TLS.
  case secure(host: String, port: Int, trust: TLSTrust = .system)
  /// A socket in the file system.
  case unix(path: String)
}

/// By what a client knows that a server is the right one.
package enum TLSTrust: Hashable, Sendable {
  /// A certificate for that host from one of the system's authorities.
  case system
  /// A certificate for that host from an authority in that file, as PEM.
  case authority(path: String)
  /// The certificate with that SHA-256 fingerprint, 64 hexadecimal digits, colons allowed, and no
  /// other; neither its name nor its time counts.
  case fingerprint(String)
}

/// What a client asks for.
package struct ConnectOptions: Sendable {
  /// The path and query. Default: "/".
  package var path = "/"
  /// The header `Host`; `nil` takes it from the endpoint, and is "localhost" for a Unix socket.
  /// Default: `nil`.
  package var host: String?
  /// The header `Origin`; `nil` for none. Default: `nil`.
  package var origin: String?
  /// The subprotocols that it speaks, the best first. Default: none.
  package var subprotocols: [String] = []
  /// Further headers. Control characters in them become spaces. Default: none.
  package var headers: [(name: String, value: String)] = []
  /// How long it may take until the session has begun. Default: 10 seconds.
  package var within: Duration = .seconds(10)
  /// The limits of the session.
  package var session = SessionOptions()

  /// Options, each at its default.
  package init() {}
}
