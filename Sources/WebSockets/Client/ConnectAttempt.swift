internal import CLibWebsockets

/// A connection to a server that is not established yet.
struct ConnectAttempt {
  let endpoint: Endpoint
  let options: ConnectOptions

  /// The required fingerprint of the server's certificate.
  var fingerprint: String? {
    guard case .secure(_, _, .fingerprint(let text)) = endpoint else { return nil }
    return Fingerprint.normalized(text)
  }

  /// The trust that selects the library's vhost; `nil` without TLS.
  var trust: TLSTrust? {
    switch endpoint {
    case .plain, .unix: nil
    // We compare fingerprints ourselves, so one vhost is enough for all of them.
    case .secure(_, _, .fingerprint): .fingerprint("")
    case .secure(_, _, let trust): trust
    }
  }

  /// The library's form of the address: a path begins with a plus.
  var address: String {
    switch endpoint {
    case .plain(let host, _), .secure(let host, _, _): host
    case .unix(let path): "+" + path
    }
  }

  /// The port; 0 for a Unix socket.
  var port: Int {
    switch endpoint {
    case .plain(_, let port), .secure(_, let port, _): port
    case .unix: 0
    }
  }

  /// The value of the `Host` header.
  var hostHeader: String {
    if let host = options.host { return host }
    switch endpoint {
    case .plain(let host, let port), .secure(let host, let port, _):
      return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix:
      return "localhost"
    }
  }

  /// The library's TLS flags.
  var flags: Int32 {
    switch endpoint {
    case .plain, .unix:
      0
    case .secure(_, _, .fingerprint):
      // We compare the certificate before sending any byte of the request.
      Int32(
        (LCCSCF_USE_SSL.rawValue | LCCSCF_ALLOW_SELFSIGNED.rawValue)
          | (LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue | LCCSCF_ALLOW_EXPIRED.rawValue)
          | LCCSCF_ALLOW_INSECURE.rawValue)
    case .secure:
      Int32(LCCSCF_USE_SSL.rawValue)
    }
  }
}
