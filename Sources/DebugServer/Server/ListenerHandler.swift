internal import Timelines
package import WebSockets
internal import Wire

/// A listener's way into the daemon: asks the gate, then passes on sessions and requests.
final class ListenerHandler: ServerHandler, SessionHandler {
  private let daemon: Daemon
  private let entrance: Entrance
  private let limits: ServerLimits
  private let settings: CurrentSettings

  /// Set as soon as the port is known, before the loop serves the first connection.
  var address: (port: Int, isSecure: Bool)?

  /// The configured address.
  var host: String?

  /// Made for each request, which are few: the names may change while the daemon runs.
  private var gate: Gate? {
    address.map { address in
      let configuration = settings.configuration
      let own = host.map { ServerConfiguration.Place(host: $0, port: 0).ownNames } ?? []
      return Gate(
        port: address.port, isSecure: address.isSecure, names: own + configuration.names,
        origins: configuration.origins)
    }
  }

  init(_ daemon: Daemon, entrance: Entrance, limits: ServerLimits, settings: CurrentSettings) {
    self.daemon = daemon
    self.entrance = entrance
    self.limits = limits
    self.settings = settings
  }

  func admits(_ peer: Peer, connections: Int, ofPeer: Int, on loop: isolated Loop) -> Bool {
    // A second check: the socket's directory already excludes other users.
    entrance == .port || peer.isSameUser
  }

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision {
    switch gate?.decide(GateRequest(request, through: entrance, isUpgrade: true)) {
    case .upgrade(let role) where role.rawValue == request.subprotocol:
      return .accept(self, options: SessionOptions(of: role, limits))
    case .refuse(let status, let sentence): return .refuse(.text(status, sentence))
    case .upgrade, .page, nil: return .refuse(.text(400, "Offer one subprotocol only."))
    }
  }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    guard !Health.isAsked(by: exchange.request) else {
      return exchange.respond(Health.serving.response)
    }
    switch gate?.decide(GateRequest(exchange.request, through: entrance, isUpgrade: false)) {
    case .page: daemon.assumeIsolated { $0.page(exchange) }
    case .refuse(let status, let sentence): exchange.respond(.refusal(status, sentence))
    case .upgrade, nil: exchange.respond(.text(503, "The daemon is not ready."))
    }
  }

  func opened(_ session: Session, on loop: isolated Loop) {
    guard let role = session.subprotocol.flatMap(PeerRole.init) else { return session.abort() }
    let host = session.host?.lowercased() ?? ""
    daemon.assumeIsolated { [entrance] in $0.opened(session, role, entrance, host: host) }
  }

  func received(_ message: SocketMessage, from session: Session, on loop: isolated Loop) {
    daemon.assumeIsolated { $0.received(message, from: session) }
  }

  func drained(_ session: Session, on loop: isolated Loop) {
    daemon.assumeIsolated { $0.drained(session) }
  }

  func isBusy(_ session: Session, on loop: isolated Loop) -> Bool {
    daemon.assumeIsolated { $0.hub.isBusy(PeerID(session.id)) }
  }

  func closed(_ session: Session, _ end: SessionEnd, on loop: isolated Loop) {
    daemon.assumeIsolated { $0.closed(session) }
  }
}

extension SessionOptions {
  /// The initial options of sessions with a peer of that role.
  package init(of role: PeerRole, _ limits: ServerLimits) {
    self.init()
    maxMessageBytes = limits.wire.firstMessage
    reportsEmpty = role == .inspector
    pingAfter = .milliseconds(limits.pingMilliseconds)
    pongWithin = .milliseconds(limits.pongMilliseconds)
    idleCloseCode = SessionCloseCode(rawValue: 4004)
  }
}

extension GateRequest {
  /// What the gate reads of a request.
  init(_ request: Request, through entrance: Entrance, isUpgrade: Bool) {
    self.init()
    self.entrance = entrance
    self.isUpgrade = isUpgrade
    (method, path) = (request.method, request.path)
    (hosts, origins) = (request.hosts, request.origins)
    subprotocols = request.offeredSubprotocols
  }
}

extension Response {
  /// The response to a request that the gate refused.
  static func refusal(_ status: Int, _ sentence: String) -> Response {
    var response = Response.text(status, sentence)
    if status == 405 { response.headers.append(("Allow", "GET, HEAD")) }
    return response
  }
}
