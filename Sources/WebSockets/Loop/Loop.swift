internal import CLibWebsockets

/// A thread that serves connections, and the actor that runs on it.
///
/// All sessions, requests, and timers of a loop call back on it. The owner of a loop can run code
/// there, too, so that state which only the callbacks use needs no lock:
///
///     let loop = try Loop.start()
///     let port = try await loop.run { loop in
///       let hub = Hub(loop)                            // not Sendable, and need not be
///       return try loop.listen(on: .tcp(host: "127.0.0.1", port: 0), handler: hub).port
///     }
///     …
///     await loop.stop()
///
/// Synchronous code, such as a recorder's thread, uses `enqueue`, which does not wait. Callbacks
/// receive the loop as the parameter `on`; other code on the loop uses `loop.assumeIsolated { … }`.
///
/// A process may have several loops. They do not install signal handlers, change the disposition of
/// SIGPIPE, or print.
package actor Loop {
  package struct Options: Sendable {
    /// The thread's name in debuggers, at most 15 bytes (default: "websockets").
    package var name = "websockets"
    /// The maximum length of the head of a request or response (default: 16 KiB).
    package var maxHeadBytes = 16 * 1024
    /// The bytes that one call reads (default: 64 KiB).
    package var readBytes = 64 * 1024
    /// The thread's stack, on which handlers also run (default: 1 MiB).
    package var stackBytes = 1024 * 1024
    /// The maximum bytes of unfinished messages of all sessions together; beyond it, the session is
    /// closed whose message began first (default: 256 MiB, 16 of a recorder's longest messages).
    package var unfinishedBytes = 256 << 20
    /// The maximum number of descriptors (default: 0, which uses the limit of the process).
    package var maxDescriptors = 0

    package init() {}
  }

  nonisolated let executor = LoopExecutor()
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  let options: Options
  var context: Context?
  var isStopping = false
  /// Once set, the service ends and the context is destroyed.
  var isDone = false {
    didSet { if isDone { executor.wake() } }
  }
  /// The callers of `stop` that wait for the end.
  var waiters: [CheckedContinuation<Void, Never>] = []
  var connections: [UInt64: Connection] = [:]
  var lastConnection: UInt64 = 0
  var listeners: [UInt32: ListenerRecord] = [:]
  var lastListener: UInt32 = 0
  var lastExchange: UInt64 = 0
  var clientHosts: [TLSTrust?: ClientHost] = [:]
  var timers = TimerQueue()
  var libraryTimer: LoopTimer?
  /// The bytes of unfinished messages of all sessions.
  var unfinishedBytes = 0
  let scratch = Scratch(capacity: Scratch.fragmentBytes)

  init(_ options: Options) {
    self.options = options
  }

  deinit {
    scratch.free()
  }

  /// Starts a loop, whose thread runs until `stop`.
  ///
  /// - Throws: `TransportError.loopNotStarted`.
  package static func start(_ options: Options = Options()) throws(TransportError) -> Loop {
    TransportLog.silence()
    DeferredFrees.install()
    let loop = Loop(options)
    try loop.begin()
    return loop
  }

  /// Enqueues a closure to run on the loop, in the order of the calls.
  ///
  /// Can be called from any thread, and never blocks.
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

  /// The number of connections, including sessions.
  package var connectionCount: Int { connections.count }

  /// Runs a closure on the loop after some time.
  ///
  /// - Returns: The timer, for `cancel`.
  @discardableResult
  package func schedule(
    after time: Duration, _ action: @escaping (isolated Loop) -> Void
  ) -> TimerID {
    let id = timers.add(at: lws_now_usecs() &+ max(0, time.microseconds), action)
    scheduleNextTimer()
    return id
  }

  /// Cancels a timer. Does nothing if it has already run.
  package func cancel(_ timer: TimerID) {
    timers.remove(timer)
  }
}
