/// Decides about every request before anything is answered or upgraded.
///
/// Any web page can open a WebSocket to this machine, and a page whose name was bound to 127.0.0.1
/// anew counts as the same origin. So the names by which the daemon may be called are a list, and
/// compared whole: no suffixes, no patterns, no "any address is local".
///
/// ```swift
/// let gate = Gate(port: 7878, isSecure: false)
/// gate.decide(request)   // .upgrade(.inspector)
/// ```
package struct Gate: Sendable {
  /// The values of `Host` that are the daemon's own.
  package let hosts: Set<String>

  /// The values of `Origin` that may open WebSockets.
  package let origins: Set<String>

  /// A gate for a port.
  ///
  /// - Parameters:
  ///   - port: the port on which it listens.
  ///   - isSecure: whether TLS is spoken there.
  ///   - names: names besides those of loopback, such as `box.example`; without port.
  ///   - origins: origins of pages that come from elsewhere, such as `http://localhost:8000`.
  package init(port: Int, isSecure: Bool, names: [String] = [], origins: [String] = []) {
    let names = (["localhost", "127.0.0.1", "[::1]"] + names).map { $0.lowercased() }
    let scheme = isSecure ? "https" : "http"
    let isUsual = port == (isSecure ? 443 : 80)
    var hosts = Set(names.map { "\($0):\(port)" })
    // Clients leave the port out where it is the scheme's own.
    if isUsual { hosts.formUnion(names) }
    self.hosts = hosts
    self.origins = Set(hosts.map { "\(scheme)://\($0)" }).union(origins)
  }

  /// What becomes of a request.
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
      // Its directory and the owner's check guard it; no browser reaches a Unix socket.
      guard request.origins.isEmpty else {
        return .refuse(403, "Pages are not let in through the Unix socket.")
      }
    case .port:
      guard request.hosts.count == 1, let host = request.hosts.first?.lowercased(),
        hosts.contains(host)
      else { return .refuse(421, "This is not the host that was asked for.") }
      guard request.origins.count <= 1, request.origins.allSatisfy(origins.contains) else {
        return .refuse(403, "Pages of this origin are not let in.")
      }
    }
    return nil
  }

  private func page(_ request: GateRequest) -> GateDecision {
    guard request.entrance == .port else {
      return .refuse(404, "The Unix socket serves WebSockets only.")
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .refuse(405, "Only GET and HEAD are answered here.")
    }
    return .page
  }
}

/// What the gate looks at.
package struct GateRequest: Hashable, Sendable {
  /// The door that it came to.
  package var entrance = Entrance.port
  /// The method.
  package var method = "GET"
  /// The path, without query.
  package var path = "/"
  /// Every `Host` that was sent.
  package var hosts: [String] = []
  /// Every `Origin` that was sent.
  package var origins: [String] = []
  /// Whether it asks for a WebSocket.
  package var isUpgrade = false
  /// The subprotocols that it offers.
  package var subprotocols: [String] = []

  /// A request to fill in.
  package init() {}
}

/// The doors of the daemon.
package enum Entrance: Hashable, Sendable {
  /// The Unix socket, whose peers' owner was checked.
  case socket
  /// A TCP port.
  case port
}

/// What the gate decides.
package enum GateDecision: Hashable, Sendable {
  /// Let in as a WebSocket.
  case upgrade(PeerRole)
  /// Let in to the page's files.
  case page
  /// Answered with a status and a sentence, and nothing more.
  case refuse(Int, String)
}

/// What a connection is, told by its subprotocol.
package enum PeerRole: String, Hashable, Sendable, CaseIterable {
  /// An app that records.
  case recorder = "recorder.v1"
  /// A page or command line that looks.
  case inspector = "inspector.v1"
}
