internal import TimelineStore
internal import Timelines
internal import WebSockets

/// The daemon: opens the data, listens, and serves until its task is cancelled.
///
/// ```swift
/// let server = Server(ServerConfiguration(data: "/var/lib/debugd"))
/// try await server.run { running in print(running.page ?? "no port") }
/// ```
/// A test starts it in a task of its own, and ends it by cancelling that.
package struct Server: Sendable {
  let configuration: ServerConfiguration

  /// A server that does nothing yet.
  package init(_ configuration: ServerConfiguration) {
    self.configuration = configuration
  }

  /// Serves until the task is cancelled, then ends in order: connections first, then the store.
  ///
  /// - Parameter ready: called once, when everything listens.
  /// - Throws: ``ServerError`` when it cannot start.
  package func run(_ ready: @Sendable (RunningServer) async -> Void = { _ in }) async throws {
    let log = configuration.log
    for place in configuration.places where !place.isLoopback && configuration.identity == nil {
      guard configuration.isInsecureAllowed else {
        throw ServerError(.insecure(place.description))
      }
      log.write(
        LogEvent(
          .warning, "insecure", "Other machines reach \(place) without TLS: all can be read."))
    }
    let store = try openStore()
    do {
      try await serve(store, ready)
    } catch {
      await store.close()
      throw error
    }
    await store.close()
    log.write(LogEvent(.info, "stopped", "The daemon has ended."))
  }

  private func openStore() throws -> Store {
    do {
      return try Store(folder: configuration.data, indexer: TimelineIndexer())
    } catch {
      if case .held = error.reason { throw ServerError(.held(error.description)) }
      throw ServerError(.data(error.description))
    }
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
    let loop: Loop
    do {
      loop = try Loop.start()
    } catch {
      throw ServerError(.listen("The network cannot be used: \(error)"))
    }
    var plan = DaemonParts.Plan(
      Hub.Settings(secret: secret), sessionFile: configuration.sessionFile)
    plan.settings.limits = configuration.limits
    plan.hosts = configuration.hosts
    plan.sessions = sessions
    plan.log = log
    let parts = await DaemonParts(store, LoopNetwork(loop), plan, pages: pages)
    let (daemon, hosts) = (parts.daemon, parts.hosts)
    let current = CurrentSettings(configuration)
    do {
      let running = try await listen(loop, daemon, hosts, current, secret)
      try await parts.begin()
      await ready(running)
      await tend(store, parts, current)
    } catch {
      await parts.stop()
      await loop.stop()
      throw error
    }
    log.write(LogEvent(.info, "stopping", "The daemon ends."))
    await parts.stop()
    await loop.stop()
  }

  fileprivate static func makePages(_ folder: String?) throws -> any PageSource {
    guard let folder else { return NoPage() }
    do {
      return PageFolder(try StaticFiles(root: folder))
    } catch {
      throw ServerError(.web("\(error)"))
    }
  }
}

// Where it listens.
extension Server {
  /// Listens everywhere, and announces it then: a daemon that finds a port in use must not have been
  /// there for recorders meanwhile. The socket therefore comes last.
  private func listen(
    _ loop: Loop, _ daemon: Daemon, _ hosts: HostKeeper, _ current: CurrentSettings,
    _ secret: RecorderSecret
  ) async throws -> RunningServer {
    var running = RunningServer(daemon: daemon, hosts: hosts, current: current, secret: secret)
    var chosen: Int?
    for place in configuration.places {
      // Where the system chooses, all places get the port that the first one got.
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
    if let socket = configuration.socket {
      _ = try await listen(loop, daemon, current, on: .unix(path: socket), entrance: .socket)
      running.socket = socket
      configuration.log.write(
        LogEvent(
          .info, "listening", "Recorders of this machine find the daemon at \(socket).",
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

  /// Listens on an address; answers its port.
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
      // What has not proved who it is takes no place from those that have.
      options.maxConnections +=
        configuration.limits.strangers + options.maxPending + options.maxAnswering
      options.identity = configuration.identity.map {
        ServerIdentity(certificatePath: $0.certificate, keyPath: $0.key)
      }
    }
    // A peer on the Unix socket is the daemon's own user, whose programs may all connect at once.
    if entrance == .socket { options.maxPending = options.maxConnections }
    options.maxConnectionsOfPeer = options.maxConnections
    do {
      return try await loop.run { [options] loop in
        let door = Door(
          daemon, entrance: entrance, limits: configuration.limits, settings: current)
        if case .tcp(let host, _) = address { door.host = host }
        let listener = try loop.listen(on: address, handler: door, options: options)
        door.address = (listener.port, options.identity != nil)
        return listener.port
      }
    } catch {
      throw ServerError(.listen("\(error)"))
    }
  }
}

/// A daemon that serves.
package struct RunningServer: Sendable {
  private let daemon: Daemon
  private let current: CurrentSettings
  private let secret: RecorderSecretSlot

  /// Its Unix socket.
  package fileprivate(set) var socket: String?

  /// Where it listens, with the ports that the system chose.
  package fileprivate(set) var places: [ServerConfiguration.Place] = []

  /// Whether TLS is spoken there.
  package fileprivate(set) var isSecure = false

  /// What runs reducers.
  package let hosts: any ReducerHosts

  init(
    daemon: Daemon, hosts: any ReducerHosts, current: CurrentSettings, secret: RecorderSecret
  ) {
    self.daemon = daemon
    self.hosts = hosts
    self.current = current
    self.secret = RecorderSecretSlot(secret)
  }

  /// Where the inspector is.
  package var page: String? { places.first.map(address) }

  /// The page's address at a place. Where every address is listened on, none of them is a name that
  /// the daemon goes by: the first name that it was given, or else loopback's.
  func address(of place: ServerConfiguration.Place) -> String {
    var place = place
    if place.isWildcard {
      let loopback = place.host.contains(":") ? "::1" : "127.0.0.1"
      place.host = current.configuration.names.first ?? loopback
    }
    return "\(isSecure ? "https" : "http")://\(place)/"
  }

  /// Takes over what may change while it runs: the page's folder, retention, names, origins, what is
  /// logged, and the recorders' secret, which is read again from its file, as are the certificate and
  /// its key.
  ///
  /// - Throws: ``ServerError``; then all stays as it was.
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
      throw ServerError(.listen("\(error)"))
    }
    await daemon.serve(pages)
    var report = current.takeOver(configuration)
    if isRenewed { report.take("the renewed certificate and key") }
    if (current.configuration.log as? StreamLog)?.takeOver(configuration.log) == true {
      report.take("the log")
    }
    if secret.replace(with: fresh) {
      daemon.enqueue(.secret(fresh))
      report.take("the recorders' secret")
    }
    return report
  }

  /// Takes the page's files from another folder.
  package func serve(web folder: String?) async throws {
    await daemon.serve(try Server.makePages(folder))
  }
}
