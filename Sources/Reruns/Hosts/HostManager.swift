internal import JSONCore
internal import Synchronization
internal import TimelineStore
package import Timelines
package import Wire

/// Manages the executables that are hosts, and finds the host for a machine among them and the
/// recorders.
package actor HostManager: ReducerHosts {
  private let settings: HostSettings
  private let observer: any HostObserver
  private var executables: [ExecutableHost] = []
  private var recorders: (any RecorderHosts)?
  private let rebuilt: @Sendable () -> Void
  private var report: (@Sendable ([ToInspector.HostSummary]) -> Void)?
  private var reported: [ToInspector.HostSummary] = []
  private let lastNumber = NumberSource()
  private let fresh: FreshHosts
  private let changes: AsyncStream<Void>
  private let changed: AsyncStream<Void>.Continuation

  /// Manages the executables in its settings; none is started yet.
  ///
  /// - Parameters:
  ///   - observer: receives what happens to hosts, and the lines that they write.
  ///   - rebuilt: called when the file of a host was rebuilt.
  package init(
    _ settings: HostSettings, observer: any HostObserver = SilentHostObserver(),
    rebuilt: @escaping @Sendable () -> Void = {}
  ) {
    self.settings = settings
    self.observer = observer
    self.rebuilt = rebuilt
    fresh = FreshHosts(most: settings.mostFreshHosts)
    (changes, changed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Sets the source of recorders that can run reducers.
  package func connect(_ recorders: any RecorderHosts) { self.recorders = recorders }

  package var summaries: [ToInspector.HostSummary] { executables.map(\.summary) }

  /// Runs until the task is canceled: asks each executable what it can make, watches the files for
  /// rebuilds, and reports changes of the summaries.
  package func run(_ report: @escaping @Sendable ([ToInspector.HostSummary]) -> Void) async {
    self.report = report
    for spec in settings.executables { executables.append(makeHost(spec)) }
    await withTaskGroup { group in
      // A missing file is reported at once, too.
      for host in executables { group.addTask { try? await host.prepare() } }
      group.addTask { await self.watchChanges() }
      group.addTask { await self.watchFiles() }
    }
    for host in executables { host.stop() }
  }

  private func watchChanges() async {
    changed.yield()
    for await _ in changes {
      guard reportChanges() else { continue }
      // A branch is made by many short requests; more updates than this would not be seen.
      do { try await Task.sleep(for: Self.newsInterval) } catch { return }
    }
  }

  /// Reports the summaries if they have changed, and returns whether they have.
  @discardableResult private func reportChanges() -> Bool {
    let now = summaries
    guard let report, now != reported else { return false }
    notify(from: reported, to: now)
    reported = now
    report(now)
    return true
  }

  /// The minimum interval between reports of the hosts' state.
  private static let newsInterval = Duration.milliseconds(200)

  private func watchFiles() async {
    while !Task.isCancelled {
      observer.flush()
      await withTaskGroup { group in
        for host in executables where host.isOutdated {
          // The result is in its summary and in the log.
          group.addTask { try? await host.prepare() }
        }
      }
      do { try await Task.sleep(for: .milliseconds(settings.watchMilliseconds)) } catch { return }
    }
  }

  /// Reports to the observer what has changed.
  private func notify(
    from old: [ToInspector.HostSummary], to new: [ToInspector.HostSummary]
  ) {
    for host in new {
      let before = old.first { $0.name == host.name }
      if let problem = host.problem, problem != before?.problem {
        observer.failed(host, problem: problem)
      } else if let started = host.started, started != before?.started {
        observer.started(host)
      }
    }
  }

  private func makeHost(_ spec: HostSpec) -> ExecutableHost {
    ExecutableHost(
      spec, named: name(for: spec), settings: settings,
      changed: { [changed] in changed.yield() }, rebuilt: rebuilt, observer: observer)
  }

  /// The file's own name and its version, with a number if several hosts have that name.
  private func name(for spec: HostSpec) -> String {
    let file = spec.path.split(separator: "/").last.map(String.init) ?? spec.path
    let name = [file, spec.version].compactMap(\.self).joined(separator: "-")
    let taken = Set(executables.map(\.summary.name))
    if !taken.contains(name) { return name }
    return (2...).lazy.map { "\(name)-\($0)" }.first { !taken.contains($0) } ?? name
  }
}

// Requests of inspectors.
extension HostManager {
  /// Ends the executables.
  package func stop() {
    for host in executables { host.stop() }
  }

  /// Starts an executable, and adds it if it is a host.
  package func add(_ asked: FromInspector.Host) async throws(Refusal) {
    let path = asked.executable
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw Refusal(.wrongValue, "The path is empty.", path: "executable")
    }
    guard asked.version == nil || asked.app != nil else {
      throw Refusal(.wrongValue, "A version needs the app that has it.", path: "version")
    }
    if let version = asked.version, !HostSpec.isVersion(version) {
      throw Refusal(
        .wrongValue,
        "A version has 1 to \(HostSpec.versionLength) characters, without spaces at its ends.",
        path: "version")
    }
    let spec = HostSpec(
      path: path.hasPrefix("/") ? path : settings.workingDirectory + "/" + path,
      arguments: asked.arguments ?? [], app: asked.app, version: asked.version)
    do {
      if let known = executables.first(where: { $0.spec == spec }) {
        try await known.prepare()
        reportChanges()
        return
      }
      guard executables.count < settings.maximumExecutables else {
        throw Refusal(.limit, "The daemon already has \(settings.maximumExecutables) hosts.")
      }
      let host = makeHost(spec)
      try await host.prepare()
      if !executables.contains(where: { $0.spec == spec }) { executables.append(host) }
      // Before the answer: who asks for the hosts next has to see this one.
      reportChanges()
    } catch {
      throw Refusal(of: error)
    }
  }
}

// Finding the host for a machine.
extension HostManager {
  package func host(for header: Header, named name: String?) async throws -> any ReducerHosting {
    let selection = try HostSelection(header, named: name)
    if let host = try await executable(for: selection) { return host }
    let offers = await recorders?.recorderOffers() ?? []
    if let recorders, let offer = selection.ordered(offers).first {
      return RecorderHost(offer, of: recorders, number: lastNumber.next)
    }
    throw selection.refusal(
      asked: summaries + offers.map(\.summary), hasDaemon: recorders != nil,
      data: settings.dataOption)
  }

  package func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting {
    let selection = try HostSelection(header, named: name)
    if let host = try await executable(for: selection) {
      return try fresh.make {
        ExecutableHost(
          host.spec, named: host.summary.name, settings: settings, environment: environment,
          observer: observer)
      }
    }
    let offers = await recorders?.recorderOffers() ?? []
    guard let offer = selection.ordered(offers).first else {
      throw selection.refusal(
        asked: summaries + offers.map(\.summary), hasDaemon: recorders != nil,
        data: settings.dataOption)
    }
    throw Refusal(
      .noHost,
      """
      Fresh processes are those that the daemon starts itself, and \(selection.make) is made by the \
      app \(offer.summary.app ?? offer.summary.name) alone. To fix, give the daemon the executable: \
      debugd host \(selection.executable.map { ".build/debug/\($0)" } ?? "PATH")\(settings.dataOption)
      """, timeline: header.timeline)
  }

  /// The first executable that makes the machine, after asking those that may.
  private func executable(for selection: HostSelection) async throws -> ExecutableHost? {
    for host in selection.ordered(executables) {
      // The reason is in its summary, and reported if no other host can make the machine.
      try? await host.prepare()
      try Task.checkCancellation()
      if host.summary.problem == nil, selection.makes(host.summary) { return host }
    }
    return nil
  }
}

/// A source of unique numbers.
final class NumberSource: Sendable {
  private let last = Atomic<Int64>(0)

  var next: @Sendable () -> Int64 {
    { self.last.add(1, ordering: .relaxed).newValue }
  }
}
