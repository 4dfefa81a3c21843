internal import Foundation
package import Reruns
internal import TimelineStore
internal import Timelines
internal import WebSockets

/// The daemon: opens the data, listens, and serves until its task is canceled.
///
/// ```swift
/// let server = Server(ServerConfiguration(data: "/var/lib/debugd"))
/// try await server.run { running in print(running.page ?? "no port") }
/// ```
/// A test starts it in a task and ends it by canceling that.
package struct Server: Sendable {
  let configuration: ServerConfiguration

  package init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
  }

  /// Serves until the task is canceled, then shuts down in order: connections first, then the
  /// store.
  ///
  /// - Parameters:
  ///   - ready: called once, when all listeners are open.
  ///   - waiting: called once if another daemon serves the database, and this one is its standby.
  /// - Throws: ``ServerError`` if it cannot start.
  package func run(
    _ ready: @Sendable (RunningServer) async -> Void = { _ in },
    waiting: @Sendable () async -> Void = {}
  ) async throws {
    let log = configuration.log
    let open = configuration.places + [configuration.metrics].compactMap(\.self)
    for place in open where !place.isLoopback && configuration.identity == nil {
      guard configuration.isInsecureAllowed else {
        throw ServerError(.insecure(place.description))
      }
      log.write(
        LogEvent(
          .warning, "insecure",
          "Other machines can reach \(place) without TLS, so traffic can be read."))
    }
    guard let store = try await openStore(waiting) else {
      return log.write(LogEvent(.info, "stopped", "The daemon has stopped."))
    }
    do {
      try await serve(store, ready)
    } catch {
      await close(store)
      throw error
    }
    await close(store)
    log.write(LogEvent(.info, "stopped", "The daemon has stopped."))
  }

  private func serve(
    _ store: Store, _ ready: @Sendable (RunningServer) async -> Void
  ) async throws {
    let log = configuration.log
    let secret: RecorderSecret
    let sessions: SessionTable
    do {
      secret = try RecorderSecret.load(orCreateAt: configuration.secretFile)
      sessions = try SessionFile(configuration.sessionFile).load()
    } catch {
      throw ServerError(.data(error.description))
    }
    let pages = try Self.makePages(configuration.web)
    let loop = try Self.startLoop()
    var plan = DaemonParts.Plan(
      Hub.Settings(secret: secret), sessionFile: configuration.sessionFile)
    plan.settings.limits = configuration.limits
    plan.settings.branchNotice = configuration.branchNotice
    plan.settings.isTemporary = configuration.isTemporary
    plan.hosts = configuration.hosts
    plan.sessions = sessions
    plan.web = configuration.web
    plan.sources = configuration.sources
    plan.log = log
    if !configuration.isTemporary {
      plan.audit = AuditFile(configuration.auditFile) { problem in
        log.write(LogEvent(.warning, "audit", problem))
      }
    }
    let parts = await DaemonParts(store, LoopNetwork(loop), plan, pages: pages)
    let (daemon, hosts) = (parts.daemon, parts.hosts)
    let current = CurrentSettings(configuration)
    do {
      let running = try await listen(loop, daemon, hosts, current, secret)
      if let problem = configuration.pageProblem(exists: FileManager.default.fileExists(atPath:)) {
        log.write(LogEvent(.warning, "page.missing", problem))
      } else if let web = configuration.web, !configuration.places.isEmpty {
        log.write(LogEvent(.info, "page.served", "The inspector's page is served from \(web)."))
      }
      try await parts.begin()
      await ready(running)
      try await runWhileLeased(store, parts, current)
    } catch {
      await parts.stop()
      await loop.stop()
      throw error
    }
    log.write(LogEvent(.info, "stopping", "The daemon is shutting down."))
    await parts.stop()
    await loop.stop()
    plan.audit?.flush(within: 1_000)
  }

  static func startLoop() throws(ServerError) -> Loop {
    do {
      return try Loop.start()
    } catch {
      let problem = ServerConfiguration.sentence(error)
      throw ServerError(.listen("The network cannot be used: \(problem)"))
    }
  }

  static func makePages(_ folder: String?) throws -> any PageSource {
    guard let folder else { return NoPage() }
    do {
      return PageFolder(try StaticFiles(root: folder))
    } catch {
      let advice = "pass the folder 'web' of Stateline's source: --web FOLDER"
      let problem = ServerConfiguration.sentence(error, pathAdvice: advice)
      throw ServerError(.web("The inspector's page cannot be served: \(problem)"))
    }
  }
}

// Listening.
extension Server {
  /// Opens all listeners, and announces them only then: recorders must not connect to a daemon that
  /// then fails because a port is in use. Therefore the socket comes last.
  private func listen(
    _ loop: Loop, _ daemon: Daemon, _ hosts: HostManager, _ current: CurrentSettings,
    _ secret: RecorderSecret
  ) async throws -> RunningServer {
    var running = RunningServer(daemon: daemon, hosts: hosts, current: current, secret: secret)
    var chosen: Int?
    for place in configuration.places {
      // If the system chooses the port, all places get the port of the first one.
      let port = place.port == 0 ? chosen ?? 0 : place.port
      do {
        let address = ListenAddress.tcp(host: place.host, port: port)
        let actual = try await listen(loop, daemon, current, on: address, entrance: .port)
        chosen = chosen ?? actual
        running.places.append(ServerConfiguration.Place(host: place.host, port: actual))
      } catch let error as ServerError where place.host == "::1" && !running.places.isEmpty {
        configuration.log.write(LogEvent(.warning, "listening.not", error.description))
      }
    }
    if let metrics = configuration.metrics {
      running.metrics = try await listenForMetrics(
        loop, daemon, current, on: metrics, besides: running.places)
    }
    if let socket = configuration.socket {
      _ = try await listen(loop, daemon, current, on: .unix(path: socket), entrance: .socket)
      running.socket = socket
      configuration.log.write(
        LogEvent(
          .info, "listening", configuration.recorderAdvice(socket),
          ["address": "unix:" + socket]))
    }
    running.isSecure = configuration.identity != nil
    await daemon.announce(page: running.page)
    for place in running.places {
      let address = running.address(of: place)
      configuration.log.write(
        LogEvent(
          .info, "listening",
          "The inspector is at \(address). To open it, run: debugd open" + configuration.dataOption,
          ["address": address]))
    }
    return running
  }

  /// Listens on an address; returns its port.
  private func listen(
    _ loop: Loop, _ daemon: Daemon, _ current: CurrentSettings, on address: ListenAddress,
    entrance: Entrance
  ) async throws -> Int {
    let configuration = configuration
    var options = ListenerOptions()
    options.subprotocols = PeerRole.allCases.map(\.rawValue)
    options.headers = ResponseHeaders.all
    options.maxConnections = configuration.limits.connections
    if entrance == .port {
      // Unauthenticated connections take no place from authenticated ones.
      options.maxConnections +=
        configuration.limits.strangers + options.maxPending + options.maxAnswering
      options.identity = configuration.identity.map {
        ServerIdentity(certificatePath: $0.certificate, keyPath: $0.key)
      }
    }
    // A peer on the Unix socket belongs to the daemon's user, whose programs may all connect at
    // once.
    if entrance == .socket { options.maxPending = options.maxConnections }
    options.maxConnectionsOfPeer = options.maxConnections
    do {
      return try await loop.run { [options] loop in
        let door = ListenerHandler(
          daemon, entrance: entrance, limits: configuration.limits, settings: current)
        if case .tcp(let host, _) = address { door.host = host }
        let listener = try loop.listen(on: address, handler: door, options: options)
        door.address = (listener.port, options.identity != nil)
        return listener.port
      }
    } catch {
      throw ServerError(.listen(configuration.listenProblem(error, on: address)))
    }
  }
}

package struct RunningServer: Sendable {
  private let daemon: Daemon
  private let current: CurrentSettings
  private let secret: RecorderSecretSlot

  package fileprivate(set) var socket: String?

  /// Its listening places, with the ports that the system chose.
  package fileprivate(set) var places: [ServerConfiguration.Place] = []

  /// The address of the metrics, with the port that the system chose.
  package fileprivate(set) var metrics: String?

  /// Whether the port uses TLS.
  package fileprivate(set) var isSecure = false

  package let hosts: any ReducerHosts

  init(
    daemon: Daemon, hosts: any ReducerHosts, current: CurrentSettings, secret: RecorderSecret
  ) {
    self.daemon = daemon
    self.hosts = hosts
    self.current = current
    self.secret = RecorderSecretSlot(secret)
  }

  /// The address of the inspector.
  package var page: String? { places.first.map(address) }

  /// The page's address at a place. A wildcard address is not one of the daemon's names: the result
  /// uses the first configured name, or else loopback.
  func address(of place: ServerConfiguration.Place) -> String {
    var place = place
    if place.isWildcard {
      let loopback = place.host.contains(":") ? "::1" : "127.0.0.1"
      place.host = current.configuration.names.first ?? loopback
    }
    return "\(isSecure ? "https" : "http")://\(place)/"
  }

  /// Adopts the settings that can change while the daemon runs: the page's folder, retention,
  /// names, origins, logging, and the recorders' secret, the certificate, and its key, which are
  /// read again.
  ///
  /// - Throws: ``ServerError``; then nothing has changed.
  package func apply(_ configuration: ServerConfiguration) async throws -> ReloadReport {
    let pages = try Server.makePages(configuration.web)
    let fresh: RecorderSecret
    do {
      fresh = try RecorderSecret.load(orCreateAt: current.configuration.secretFile)
    } catch {
      throw ServerError(.data(error.description))
    }
    let isRenewed: Bool
    do {
      isRenewed = try await daemon.renewIdentities()
    } catch {
      throw ServerError(.listen(ServerConfiguration.sentence(error)))
    }
    await daemon.serve(pages)
    var report = current.adopt(configuration)
    if isRenewed { report.add("the renewed certificate and key") }
    if (current.configuration.log as? StreamLog)?.adopt(configuration.log) == true {
      report.add("the log")
    }
    if secret.replace(with: fresh) {
      daemon.enqueue(.secret(fresh))
      report.add("the recorders' secret")
    }
    return report
  }

  /// Serves the page's files from another folder.
  package func serve(web folder: String?) async throws {
    await daemon.serve(try Server.makePages(folder))
  }
}
