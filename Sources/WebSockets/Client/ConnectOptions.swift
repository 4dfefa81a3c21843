/// The address that a client connects to.
package enum Endpoint: Hashable, Sendable {
  /// A host and a port, without TLS.
  case plain(host: String, port: Int)
  /// A host and a port, with TLS.
  case secure(host: String, port: Int, trust: TLSTrust = .system)
  /// A socket in the file system.
  case unix(path: String)
}

/// How a client authenticates a server.
package enum TLSTrust: Hashable, Sendable {
  /// A certificate for the host from one of the system's authorities.
  case system
  /// A certificate for the host from an authority in a PEM file.
  case authority(path: String)
  /// Only the certificate with this SHA-256 fingerprint (64 hexadecimal digits; colons are allowed),
  /// whatever its name and dates are.
  case fingerprint(String)
}

/// The options of a client's session.
package struct ConnectOptions: Sendable {
  /// The path and query (default: "/").
  package var path = "/"
  /// The `Host` header (default: `nil`, which uses the endpoint's host, or "localhost" for a Unix
  /// socket).
  package var host: String?
  /// The `Origin` header (default: `nil`, which sends none).
  package var origin: String?
  /// The offered subprotocols, the preferred one first (default: none).
  package var subprotocols: [String] = []
  /// Additional headers; control characters become spaces (default: none).
  package var headers: [(name: String, value: String)] = []
  /// The time limit for establishing the session (default: 10 seconds).
  package var within: Duration = .seconds(10)
  package var session = SessionOptions()

  package init() {}
}
