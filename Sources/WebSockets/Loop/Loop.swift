internal import CLibWebsockets

/// A thread that serves connections, and the actor that runs on it.
///
/// All sessions, requests and timers of a loop have their callbacks on it. Whoever owns a loop may
/// run code of its own there, so that state which only the callbacks touch needs no lock:
///
///     let loop = try Loop.start()
///     let port = try await loop.run { loop in
///       let hub = Hub(loop)                            // not Sendable, and need not be
///       return try loop.listen(on: .tcp(host: "127.0.0.1", port: 0), handler: hub).port
///     }
///     …
///     await loop.stop()
///
/// From code that is not asynchronous, such as a recorder's thread, `enqueue` does the same without
/// waiting. Inside a callback, `loop` is at hand as the parameter `on`; elsewhere on the loop,
/// `loop.assumeIsolated { … }` traps when it is not true.
///
/// A process may have several loops. None of them installs a signal handler, changes the treatment
/// of SIGPIPE, or prints.
package actor Loop {
  /// What a loop is made with.
  package struct Options: Sendable {
    /// The thread's name, at most 15 bytes, as debuggers show it. Default: "websockets".
    package var name = "websockets"
    /// The most bytes of a request's or an answer's head. Default: 16 KiB.
    package var maxHeadBytes = 16 * 1024
    /// How many bytes are read at once. Default: 64 KiB; less costs a call for each.
    package var readBytes = 64 * 1024
    /// The stack of the thread. Default: 1 MiB; user code runs there, too.
    package var stackBytes = 1024 * 1024
    /// The most descriptors it may use, 0 for what the process may. Default: 0.
    package var maxDescriptors = 0

    /// Options, each at its default.
    package init() {}
  }

  nonisolated let executor = LoopExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let options: Options
  var context: Context?
  var isStopping = false
  /// Runs until this is set; then the context is destroyed.
  var isDone = false {
    didSet { if isDone { executor.wake() } }
  }
  /// Who waits for the end.
  var waiters: [CheckedContinuation<Void, Never>] = []
  var connections: [UInt64: Connection] = [:]
  var lastConnection: UInt64 = 0
  var listeners: [UInt32: ListenerRecord] = [:]
  var lastListener: UInt32 = 0
  var lastExchange: UInt64 = 0
  var clientHosts: [TLSTrust?: ClientHost] = [:]
  var alarms = Alarms()
  var clock: AlarmClock?
  let scratch = Scratch(capacity: Scratch.fragmentBytes)

  init(_ options: Options) {
    self.options = options
  }

  deinit {
    scratch.free()
  }

  /// Makes a loop, whose thread runs until `stop`.
  ///
  /// - Throws: `TransportError.loopNotStarted`.
  package static func start(_ options: Options = Options()) throws(TransportError) -> Loop {
    TransportLog.silence()
    let loop = Loop(options)
    try loop.begin()
    return loop
  }

  /// Runs a closure on the loop some time after this returns, in the order of the calls.
  ///
  /// From any thread. It never blocks.
  package nonisolated func enqueue(_ work: @escaping @Sendable (isolated Loop) -> Void) {
    executor.add(.closure { self.assumeIsolated { work($0) } })
  }

  /// Runs a closure on the loop and waits for its value.
  package func run<Value: Sendable, Failure>(
    _ body: @Sendable (isolated Loop) throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    try body(self)
  }

  /// Whether the caller is on the loop.
  package nonisolated var isCurrent: Bool { executor.isCurrent }

  /// How many connections there are, sessions and others.
  package var connectionCount: Int { connections.count }

  /// Runs a closure after a while, on the loop.
  ///
  /// - Returns: What `cancel` takes.
  @discardableResult
  package func schedule(
    after time: Duration, _ action: @escaping (isolated Loop) -> Void
  ) -> AlarmID {
    let id = alarms.add(at: lws_now_usecs() &+ max(0, time.microseconds), action)
    armAlarm()
    return id
  }

  /// Forgets what was scheduled. Does nothing when it has run.
  package func cancel(_ alarm: AlarmID) {
    alarms.remove(alarm)
  }
}
