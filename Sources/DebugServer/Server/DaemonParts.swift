package import Reruns
package import TimelineStore
package import Timelines
package import WebSockets
import Wire

/// The parts of a daemon without listeners, connected to a network.
///
/// ```swift
/// let parts = try await DaemonParts(store, network, plan)
/// parts.opened(connection, as: .recorder, through: .socket, host: "")
/// ```
package struct DaemonParts: Sendable {
  /// What the parts are made of.
  package struct Plan: Sendable {
    package var settings: Hub.Settings
    package var hosts = HostSettings()
    package var sessionFile: String
    package var sessions = SessionTable()
    /// The clock, and names.
    package var surroundings = DaemonEnvironment()
    /// The folder of the page, for exports that contain it.
    package var web: String?
    /// Which sources inspectors may see, and the editor that opens them.
    package var sources = SourceSettings()
    package var log: any Log = SilentLog()
    /// Where what sessions do is written; `nil` for nowhere.
    package var audit: AuditFile?

    package init(_ settings: Hub.Settings, sessionFile: String) {
      self.settings = settings
      self.sessionFile = sessionFile
    }
  }

  let daemon: Daemon
  let hosts: HostManager
  let branches: Branches
  private let store: Store
  private let log: any Log

  init(
    _ store: Store, _ network: any DaemonNetwork, _ plan: Plan, pages: any PageSource
  ) async {
    self.store = store
    log = plan.log
    let limits = plan.settings.limits
    let computed = ComputedStates()
    hosts = HostManager(plan.hosts, observer: HostLog(plan.log)) { computed.forgetAll() }
    let branches = Branches(
      store: store, hosts: hosts, computed: computed, clock: plan.surroundings.clock,
      newTimelineID: plan.surroundings.timelineID)
    let uploads = Uploads(
      store: store, limits: limits, newName: plan.surroundings.uploadName)
    let queries = QueryService(
      store: store, uploads: uploads, branches: branches,
      proofs: RerunService(store: store, hosts: hosts, dataOption: plan.hosts.dataOption) {
        let branch = try await branches.fork($0)
        _ = await branches.waitUntilComputed(branch.timeline)
        return branch
      },
      web: plan.web, sources: plan.sources, limits: limits)
    var settings = plan.settings
    settings.limits.reduceMilliseconds = plan.hosts.milliseconds
    let keeper = SessionSaver(SessionFile(plan.sessionFile), log: plan.log)
    let daemon = Daemon(
      network: network, store: store, queries: queries, branches: branches, keeper: keeper,
      hosts: hosts, log: plan.log, audit: plan.audit, pages: pages, settings: settings,
      sessions: plan.sessions)
    self.branches = branches
    self.daemon = daemon
    await hosts.connect(daemon)
    let log = plan.log
    store.onWarning { log.write(LogEvent(.warning, "store", $0)) }
    store.onStateChange { [weak daemon] state in
      // A store that closes does not accept entries again.
      guard state != .closed else { return }
      daemon?.enqueue(.storeProblem(state.problem))
    }
  }

  /// A daemon without a page.
  package init(_ store: Store, _ network: any DaemonNetwork, _ plan: Plan) async {
    await self.init(store, network, plan, pages: NoPage())
  }

  /// Continues the incomplete branches.
  package func begin() async throws {
    try await branches.begin { [weak daemon] news in daemon?.enqueue(.branch(news)) }
  }

  /// Deletes what exceeds the retention limits.
  package func applyRetention(_ retention: Retention) async {
    guard retention != Retention() else { return }
    do {
      let pruned = try await store.prune(retention) { [daemon] in await daemon.live }
      for sentence in pruned.sentences { log.write(LogEvent(.info, "retention", sentence)) }
      if pruned != Pruned() { daemon.enqueue(.limited(pruned)) }
    } catch {
      log.write(LogEvent(.warning, "retention.failed", "\(error)"))
    }
  }

  /// Stops background work; the caller closes the store.
  package func stop() async { await branches.stop() }
}

// Connection callbacks, for callers on the network's executor.
extension DaemonParts {
  /// A connection was upgraded.
  package func opened(
    _ connection: any DaemonConnection, as role: PeerRole, through entrance: Entrance,
    host: String
  ) {
    daemon.assumeIsolated { $0.opened(connection, role, entrance, host: host) }
  }

  package func received(_ message: SocketMessage, from connection: any DaemonConnection) {
    daemon.assumeIsolated { $0.received(message, from: connection) }
  }

  /// The queue of a connection has room again, or is empty.
  package func drained(_ connection: any DaemonConnection) {
    daemon.assumeIsolated { $0.drained(connection) }
  }

  /// Whether a request on a connection is in progress.
  package func isBusy(_ connection: any DaemonConnection) -> Bool {
    daemon.assumeIsolated { $0.hub.isBusy(PeerID(connection.id)) }
  }

  package func closed(_ connection: any DaemonConnection) {
    daemon.assumeIsolated { $0.closed(connection) }
  }

  /// The timelines that a connected recorder writes.
  package var live: Set<TimelineID> { daemon.assumeIsolated { $0.live } }

  /// The bytes of entries that wait for the disk.
  package var waitingBytes: Int { daemon.assumeIsolated { $0.hub.waitingBytes } }
}

extension StoreState {
  /// The problem that keeps the store from writing.
  fileprivate var problem: String? {
    switch self {
    case .open, .closed: nil
    case .refusing(let why): why
    }
  }
}
