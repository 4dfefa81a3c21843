internal import Foundation
internal import WebSockets

/// Serves the metrics on an address of their own, so that a monitor needs no access to recordings,
/// and a firewall can tell the two apart.
final class MetricsHandler: ServerHandler {
  private let daemon: Daemon
  private let settings: CurrentSettings
  private let started = Date().timeIntervalSince1970

  /// Set as soon as the port is known, before the loop serves the first connection.
  var address: (port: Int, isSecure: Bool)?

  init(_ daemon: Daemon, settings: CurrentSettings) {
    self.daemon = daemon
    self.settings = settings
  }

  func decide(_ request: Request, on loop: isolated Loop) -> UpgradeDecision {
    .refuse(.text(404, "There are no WebSockets here, only the metrics at /metrics."))
  }

  func handle(_ exchange: Exchange, on loop: isolated Loop) {
    switch gate?.decide(GateRequest(exchange.request, through: .port, isUpgrade: false)) {
    case .page where exchange.request.path == "/metrics": exchange.respond(response)
    case .page: exchange.respond(.text(404, "The metrics are at /metrics."))
    case .refuse(let status, let sentence): exchange.respond(.refusal(status, sentence))
    case .upgrade, nil: exchange.respond(.text(503, "The daemon is not ready."))
    }
  }

  private var gate: Gate? {
    address.map { address in
      let configuration = settings.configuration
      let own = configuration.metrics?.ownNames ?? []
      return Gate(
        port: address.port, isSecure: address.isSecure, names: own + configuration.names)
    }
  }

  private var response: Response {
    var text = MetricsText(
      daemon.assumeIsolated { $0.counts }, version: DaemonVersion.product)
    // Timelines in a database use no disk of this machine.
    if settings.configuration.database == nil {
      text.add(DiskUsage(data: settings.configuration.data))
    }
    text.add(ProcessUsage(), started: started)
    return Response(
      status: 200, headers: [("Content-Type", MetricsText.mediaType)],
      body: .bytes(Array(text.text.utf8)))
  }
}
