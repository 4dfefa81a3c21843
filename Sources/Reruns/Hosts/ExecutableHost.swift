internal import HostProcesses
internal import Synchronization
internal import Timelines
internal import Wire

/// A configured executable as a host: a process that is started on demand.
///
/// The process ends when the value is released.
final class ExecutableHost: ReducerHosting {
  fileprivate struct State {
    var makes: [String] = []
    var confirms = false
    var keeps = false
    var expands = false
    var problem: String?
    /// Whether the system refused to run the file at the last attempt.
    var isRefused = false
    var started: Timestamp?
    var restarted: String?
    var running = 0
    var lastRequest: Int64 = 0
    /// The file that was last asked, or is being asked, what it can make.
    var asked: FileIdentity?
    var isKnown = false
    /// When that failed, and why.
    var failure: (time: ContinuousClock.Instant, refusal: Refusal)?
  }

  let spec: HostSpec

  private let name: String
  private let process: HostProcess?
  private let state: Shared
  private let changed: @Sendable () -> Void
  private let rebuilt: @Sendable () -> Void

  /// State that the process's thread updates and others read; it does not keep the host alive.
  private final class Shared: Sendable {
    let state = Mutex(State())
  }

  /// A host that is not started yet.
  ///
  /// - Parameters:
  ///   - environment: variables in addition to the few that every host gets.
  ///   - changed: called on any thread when the summary has changed.
  ///   - rebuilt: called before a rebuilt file is asked what it can make.
  ///   - observer: receives what the process writes to its standard error; `nil` passes on this
  ///    process's standard error.
  init(
    _ spec: HostSpec, named name: String, settings: HostSettings,
    environment: [String: String] = [:], changed: @escaping @Sendable () -> Void = {},
    rebuilt: @escaping @Sendable () -> Void = {}, observer: (any HostObserver)? = nil
  ) {
    self.spec = spec
    self.name = name
    self.changed = changed
    self.rebuilt = rebuilt
    let shared = Shared()
    state = shared
    var setup = HostProcess.Settings(HostExecutable(path: spec.path, arguments: spec.arguments))
    setup.limits.milliseconds = settings.milliseconds
    setup.limits.bytes = settings.bytes
    setup.limits.startMilliseconds = settings.startMilliseconds
    setup.limits.idleMilliseconds = settings.idleMilliseconds
    setup.environment = { HostEnvironment.minimal.merging(environment) { $1 } }
    setup.onStatus = { status in
      shared.state.withLock { $0.update(status) }
      changed()
    }
    if let observer { setup.onErrorLine = { observer.wrote($0, host: name) } }
    process = HostProcess(setup)
  }

  deinit { process?.stop() }

  /// Ends its process permanently.
  func stop() { process?.stop() }

  var summary: ToInspector.HostSummary {
    state.state.withLock { state in
      ToInspector.HostSummary {
        $0.name = name
        $0.place = .process
        $0.makes = state.makes
        $0.busy = state.running > 0
        $0.problem = state.problem
        $0.app = spec.app
        $0.version = spec.version
        $0.executable = spec.path
        $0.started = state.started?.text
        $0.restarted = state.restarted
      }
    }
  }

  var keeps: Bool { state.state.withLock { $0.keeps } }

  /// Whether its file has changed since it was last asked what it can make.
  var isOutdated: Bool {
    guard let found = FileIdentity(path: spec.path) else { return false }
    return state.state.withLock { $0.asked != found }
  }

  /// How long a file that was not a host is not started again: one that never answers takes long.
  private static let failureTime = Duration.seconds(30)

  /// Finds out what the file, as it is now, can make.
  ///
  /// - Throws: a ``Refusal`` that says why it cannot be a host.
  func prepare() async throws {
    let found = FileIdentity(path: spec.path)
    let (isKnown, isRebuilt) = try state.state.withLock { state in
      let isSame = found == state.asked
      if let failure = state.failure, isSame, found != nil,
        .now - failure.time < Self.failureTime
      {
        throw failure.refusal
      }
      // While the file is missing it is being built, and the previous answer holds.
      if state.isKnown, isSame || found == nil { return (true, false) }
      let isRebuilt = state.asked != nil && !isSame
      state.asked = found
      return (false, isRebuilt)
    }
    if isKnown { return }
    if isRebuilt { rebuilt() }
    do {
      try await greet()
      state.state.withLock { state in
        state.isKnown = true
        state.failure = nil
      }
    } catch let refusal as Refusal {
      state.state.withLock { state in
        state.isKnown = false
        // What costs nothing is tried again soon. The file may then be the same one.
        if state.isRefused { state.asked = nil }
        state.failure = state.isRefused ? nil : (.now, refusal)
      }
      throw refusal
    }
  }

  private func greet() async throws {
    guard let process else { throw Self.noProcess }
    let id = nextID()
    let answers = ReduceAnswers()
    process.greet(id: id) { answers.add($0) }
    try await withTaskCancellationHandler {
      try await answers.forEach { answer in
        if case .error(let error) = answer {
          throw Refusal(error.code, "\(name): \(MessageError.cut(error.message))")
        }
      }
    } onCancel: {
      process.cancel(id)
    }
  }

  func reduce(
    _ request: ToRecorder.Reduce, part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    guard let process else { throw Self.noProcess }
    let id = nextID()
    count(1)
    defer { count(-1) }
    try await ReduceRun(host: name, request: request)(
      begin: { answer in process.reduce(request, id: id, answer: answer) },
      cancel: { process.cancel(id) }, part: part)
  }

  func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? {
    guard let process else { throw Self.noProcess }
    if state.state.withLock({ $0.started == nil }) { try await greet() }
    guard state.state.withLock({ $0.confirms }) else { return nil }
    let id = nextID()
    count(1)
    defer { count(-1) }
    return try await ConfirmRun(host: name, request: request)(
      begin: { answer in process.perform(.confirm(request), id: id, answer: answer) },
      cancel: { process.cancel(id) })
  }

  func expands() async -> Bool {
    if state.state.withLock({ $0.started == nil }) { try? await greet() }
    return state.state.withLock { $0.expands }
  }

  private func count(_ change: Int) {
    state.state.withLock { $0.running += change }
    changed()
  }

  private func nextID() -> RequestID {
    state.state.withLock { state in
      state.lastRequest += 1
      return .number(state.lastRequest)
    }
  }

  private static var noProcess: Refusal {
    Refusal(
      .failed,
      """
      The daemon has too many files open to start a host, or its system is older than glibc 2.34. \
      To fix, let it open more files, or update the system.
      """)
  }
}

extension ExecutableHost.State {
  fileprivate mutating func update(_ status: HostProcessStatus) {
    isRefused = false
    switch status {
    case .started(let offer, let why):
      makes = offer.makes
      confirms = offer.confirms
      keeps = offer.keeps
      expands = offer.expands
      problem = nil
      started = .now
      restarted = why.map { "It was started again. \($0)" }
    case .failed(let sentence), .refused(let sentence):
      problem = sentence
      started = nil
      restarted = nil
      if case .refused = status { isRefused = true }
    case .idled:
      started = nil
      restarted = nil
    }
  }
}
