internal import JSONCore
internal import Synchronization
internal import Timelines

/// Keeps the executables that are hosts, and finds the host for a machine, among them and among the
/// recorders.
actor HostKeeper: ReducerHosts {
  private let settings: HostSettings
  private let log: any Log
  private let output: HostOutput
  private var executables: [ExecutableHost] = []
  private var recorders: (any RecorderHosts)?
  private let rebuilt: @Sendable () -> Void
  private var told: [ToInspector.HostSummary] = []
  private let lastNumber = NumberSource()
  private let fresh: FreshHosts
  private let changes: AsyncStream<Void>
  private let noteChange: AsyncStream<Void>.Continuation

  /// A keeper of the executables that its settings name; none is started yet.
  ///
  /// - Parameters:
  ///   - output: where lines go that hosts write to their standard error streams. Default: the log.
  ///   - rebuilt: is called when the file of one was built anew.
  init(
    _ settings: HostSettings, log: any Log, output: HostOutput? = nil,
    rebuilt: @escaping @Sendable () -> Void = {}
  ) {
    self.settings = settings
    self.log = log
    self.output = output ?? HostOutput(log)
    self.rebuilt = rebuilt
    fresh = FreshHosts(most: settings.mostFreshHosts)
    (changes, noteChange) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Says who knows the recorders.
  func connect(_ recorders: any RecorderHosts) { self.recorders = recorders }

  /// What is told of the executables.
  var summaries: [ToInspector.HostSummary] { executables.map(\.summary) }

  /// Tends the executables until the task is cancelled: finds out what each can make, looks for files
  /// that were built anew, and tells when something is another one than before.
  func tend(_ tell: @escaping @Sendable ([ToInspector.HostSummary]) -> Void) async {
    for spec in settings.executables { executables.append(makeHost(spec)) }
    await withTaskGroup { group in
      // One that is missing is told at once, too.
      for host in executables { group.addTask { try? await host.prepare() } }
      group.addTask { await self.watchChanges(tell) }
      group.addTask { await self.watchFiles() }
    }
    for host in executables { host.stop() }
  }

  private func watchChanges(_ tell: @Sendable ([ToInspector.HostSummary]) -> Void) async {
    noteChange.yield()
    for await _ in changes {
      let now = summaries
      guard now != told else { continue }
      write(from: told, to: now)
      told = now
      tell(now)
      // A branch is made by many short requests: nobody sees more of them than this.
      do { try await Task.sleep(for: Self.newsInterval) } catch { return }
    }
  }

  /// How often the state of the hosts is told at most.
  private static let newsInterval = Duration.milliseconds(200)

  private func watchFiles() async {
    while !Task.isCancelled {
      output.flush()
      await withTaskGroup { group in
        for host in executables where host.isOutdated {
          // What it says is in its summary, and in the log.
          group.addTask { try? await host.prepare() }
        }
      }
      do { try await Task.sleep(for: .milliseconds(settings.watchMilliseconds)) } catch { return }
    }
  }

  /// Tells the log what was found out.
  private func write(
    from old: [ToInspector.HostSummary], to new: [ToInspector.HostSummary]
  ) {
    for host in new {
      let before = old.first { $0.name == host.name }
      if let problem = host.problem, problem != before?.problem {
        log.write(LogEvent(.warning, "host.failed", "\(host.name): \(problem)"))
      } else if let started = host.started, started != before?.started {
        let makes = host.makes.isEmpty ? "nothing" : host.makes.joined(separator: ", ")
        log.write(
          LogEvent(
            .info, "host.started",
            "\(host.name) makes \(makes).\(host.restarted.map { " \($0)" } ?? "")"))
      }
    }
  }

  private func makeHost(_ spec: HostSpec) -> ExecutableHost {
    ExecutableHost(
      spec, named: name(for: spec), settings: settings,
      changed: { [noteChange] in noteChange.yield() }, rebuilt: rebuilt, output: output)
  }

  /// The file's own name, with a number where there are several of it.
  private func name(for spec: HostSpec) -> String {
    let file = spec.path.split(separator: "/").last.map(String.init) ?? spec.path
    let taken = Set(executables.map(\.summary.name))
    if !taken.contains(file) { return file }
    return (2...).lazy.map { "\(file)-\($0)" }.first { !taken.contains($0) } ?? file
  }
}

// What inspectors ask.
extension HostKeeper {
  /// Ends the executables.
  func stop() {
    for host in executables { host.stop() }
  }

  /// Starts an executable as a host, and keeps it when it is one.
  func answer(_ asked: FromInspector.Host) async -> LookAnswer {
    let path = asked.executable
    guard !path.isEmpty, !path.utf8.contains(0) else {
      return .refused(Refusal(.wrongValue, "The path is empty.", path: "executable"))
    }
    let spec = HostSpec(
      path: path.hasPrefix("/") ? path : settings.workingDirectory + "/" + path,
      arguments: asked.arguments ?? [], app: asked.app)
    do {
      if let known = executables.first(where: { $0.spec == spec }) {
        try await known.prepare()
        return .message(.done(ToInspector.Done()))
      }
      guard executables.count < settings.mostExecutables else {
        throw Refusal(.limit, "The daemon has \(settings.mostExecutables) hosts already.")
      }
      let host = makeHost(spec)
      try await host.prepare()
      if !executables.contains(where: { $0.spec == spec }) { executables.append(host) }
      noteChange.yield()
      return .message(.done(ToInspector.Done()))
    } catch {
      return .refused(Refusal(of: error))
    }
  }
}

// Who runs what.
extension HostKeeper {
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
          output: output)
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

  /// The first executable that makes the machine, once it is known what those make that may.
  private func executable(for selection: HostSelection) async throws -> ExecutableHost? {
    for host in executables where selection.mayBe(host.summary) {
      // Why it can not be used is in its summary, and told when nobody else can make the machine.
      try? await host.prepare()
      try Task.checkCancellation()
      if host.summary.problem == nil, selection.makes(host.summary) { return host }
    }
    return nil
  }
}

/// Numbers that are never used again.
final class NumberSource: Sendable {
  private let last = Atomic<Int64>(0)

  /// The next one.
  var next: @Sendable () -> Int64 {
    { self.last.add(1, ordering: .relaxed).newValue }
  }
}
