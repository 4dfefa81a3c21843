/// Decides about every request before anything is answered or upgraded.
///
/// Any web page can open a WebSocket to this machine, and after DNS rebinding a page counts as the
/// same origin. So the daemon's names are a list, and they are compared whole: no suffixes, no
/// patterns, no "any address is local".
///
/// ```swift
/// let gate = Gate(port: 7878, isSecure: false)
/// gate.decide(request)   // .upgrade(.inspector)
/// ```
package struct Gate: Sendable {
  /// The accepted values of `Host`.
  package let hosts: Set<String>

  /// The values of `Origin` that may open WebSockets.
  package let origins: Set<String>

  /// A gate for a port.
  ///
  /// - Parameters:
  ///   - port: the port on which the daemon listens.
  ///   - isSecure: whether the port uses TLS.
  ///   - names: names besides those of loopback, such as `box.example`; without port.
  ///   - origins: origins of pages from elsewhere, such as `http://localhost:8000`.
  package init(port: Int, isSecure: Bool, names: [String] = [], origins: [String] = []) {
    let names = (["localhost", "127.0.0.1", "[::1]"] + names).map { $0.lowercased() }
    let scheme = isSecure ? "https" : "http"
    let isUsual = port == (isSecure ? 443 : 80)
    var hosts = Set(names.map { "\($0):\(port)" })
    // Clients omit the default port of a scheme.
    if isUsual { hosts.formUnion(names) }
    self.hosts = hosts
    self.origins = Set(hosts.map { "\(scheme)://\($0)" }).union(origins)
  }

  package func decide(_ request: GateRequest) -> GateDecision {
    if let refusal = refusal(of: request) { return refusal }
    guard request.isUpgrade else { return page(request) }
    guard request.path == "/" else {
      return .refuse(404, "WebSockets are at the path /.")
    }
    let roles = request.subprotocols.compactMap(PeerRole.init)
    guard let role = roles.first else {
      return .refuse(400, "The subprotocol must be recorder.v1 or inspector.v1.")
    }
    return .upgrade(role)
  }

  private func refusal(of request: GateRequest) -> GateDecision? {
    switch request.entrance {
    case .socket:
      // Its directory and the check of the peer's user protect the Unix socket; no browser reaches
      // it.
      guard request.origins.isEmpty else {
        return .refuse(403, "Web pages cannot connect through the Unix socket.")
      }
    case .port:
      guard request.hosts.count == 1, let host = request.hosts.first?.lowercased(),
        hosts.contains(host)
      else { return .refuse(421, "Unknown host name.") }
      guard request.origins.count <= 1, request.origins.allSatisfy(origins.contains) else {
        return .refuse(403, "Origin not allowed.")
      }
    }
    return nil
  }

  private func page(_ request: GateRequest) -> GateDecision {
    guard request.entrance == .port else {
      return .refuse(404, "The Unix socket serves WebSockets only.")
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .refuse(405, "Only GET and HEAD are supported here.")
    }
    return .page
  }
}

/// What the gate reads of a request.
package struct GateRequest: Hashable, Sendable {
  /// How it reached the daemon.
  package var entrance = Entrance.port
  package var method = "GET"
  /// The path, without query.
  package var path = "/"
  /// Every `Host` header.
  package var hosts: [String] = []
  /// Every `Origin` header.
  package var origins: [String] = []
  /// Whether it asks for a WebSocket.
  package var isUpgrade = false
  /// The offered subprotocols.
  package var subprotocols: [String] = []

  package init() {}
}

/// The ways to reach the daemon.
package enum Entrance: Hashable, Sendable {
  /// The Unix socket, whose peers' user was checked.
  case socket
  /// A TCP port.
  case port
}

package enum GateDecision: Hashable, Sendable {
  /// Upgrade to a WebSocket.
  case upgrade(PeerRole)
  /// Serve the page's files.
  case page
  /// Answer with a status and a sentence, and nothing more.
  case refuse(Int, String)
}

/// What a peer is, according to its subprotocol.
package enum PeerRole: String, Hashable, Sendable, CaseIterable {
  case recorder = "recorder.v1"
  /// A page or command line that inspects.
  case inspector = "inspector.v1"
}
