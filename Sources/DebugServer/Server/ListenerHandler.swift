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
      return Gate(
        port: address.port, isSecure: address.isSecure, names: ownNames + configuration.names,
        origins: configuration.origins)
    }
  }

  /// The address itself, if it is specific: no DNS name can be bound to it.
  private var ownNames: [String] {
    guard let host else { return [] }
    let place = ServerConfiguration.Place(host: host, port: 0)
    return place.isWildcard ? [] : [host.contains(":") ? "[\(host)]" : host]
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
    switch gate?.decide(asked(request, isUpgrade: true)) {
    case .upgrade(let role) where role.rawValue == request.subprotocol:
      return .accept(self, options: SessionOptions(of: role, limits))
    case .refuse(let status, let sentence): return .refuse(.text(status, sentence))
    case .upgrade, .page, nil: return .refuse(.text(400, "Offer one subprotocol only."))
    }
  }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    switch gate?.decide(asked(exchange.request, isUpgrade: false)) {
    case .page: daemon.assumeIsolated { $0.page(exchange) }
    case .refuse(let status, let sentence):
      var response = Response.text(status, sentence)
      if status == 405 { response.headers.append(("Allow", "GET, HEAD")) }
      exchange.respond(response)
    case .upgrade, nil: exchange.respond(.text(503, "The daemon is not ready."))
    }
  }

  private func asked(_ request: Request, isUpgrade: Bool) -> GateRequest {
    var asked = GateRequest()
    asked.entrance = entrance
    asked.method = request.method
    asked.path = request.path
    asked.hosts = request.hosts
    asked.origins = request.origins
    asked.isUpgrade = isUpgrade
    asked.subprotocols = request.offeredSubprotocols
    return asked
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
