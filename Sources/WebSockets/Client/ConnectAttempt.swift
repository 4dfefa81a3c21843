internal import CLibWebsockets

/// A connection to a server that is being made.
struct ConnectAttempt {
  let endpoint: Endpoint
  let options: ConnectOptions

  /// The certificate's fingerprint that must be met.
  var fingerprint: String? {
    guard case .secure(_, _, .fingerprint(let text)) = endpoint else { return nil }
    return Fingerprint.normalised(text)
  }

  /// The trust that decides which of the library's hosts makes it; `nil` without TLS.
  var trust: TLSTrust? {
    switch endpoint {
    case .plain, .unix: nil
    // The fingerprint is compared by us: one host is enough for all.
    case .secure(_, _, .fingerprint): .fingerprint("")
    case .secure(_, _, let trust): trust
    }
  }

  /// How the library names the place: a plus in front of a path.
  var address: String {
    switch endpoint {
    case .plain(let host, _), .secure(let host, _, _): host
    case .unix(let path): "+" + path
    }
  }

  /// The port; 0 for a path.
  var port: Int {
    switch endpoint {
    case .plain(_, let port), .secure(_, let port, _): port
    case .unix: 0
    }
  }

  /// The header `Host`.
  var hostHeader: String {
    if let host = options.host { return host }
    switch endpoint {
    case .plain(let host, let port), .secure(let host, let port, _):
      return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    case .unix:
      return "localhost"
    }
  }

  /// What the library is told about TLS.
  var flags: Int32 {
    switch endpoint {
    case .plain, .unix:
      0
    case .secure(_, _, .fingerprint):
      // The certificate itself is compared before a byte of the request is sent.
      Int32(
        (LCCSCF_USE_SSL.rawValue | LCCSCF_ALLOW_SELFSIGNED.rawValue)
          | (LCCSCF_SKIP_SERVER_CERT_HOSTNAME_CHECK.rawValue | LCCSCF_ALLOW_EXPIRED.rawValue)
          | LCCSCF_ALLOW_INSECURE.rawValue)
    case .secure:
      Int32(LCCSCF_USE_SSL.rawValue)
    }
  }
}
