internal import CLibWebsockets
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Loop {
  /// Makes the context, then the thread that serves it.
  nonisolated func begin() throws(TransportError) {
    // Safe: the thread holds the loop until the context has been destroyed.
    let owner = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    let made = BrokenPipeSignal.preserving { Context.make(options, owner: owner) }
    guard let made else {
      throw .loopNotStarted("the library made no context (\(ErrorText.last))")
    }
    let failure = BrokenPipeSignal.blockingSignals {
      LoopThread.start(loop: self, context: made)
    }
    guard failure == 0 else {
      lws_context_destroy(made.pointer)
      throw .loopNotStarted("no thread: \(ErrorText.of(failure))")
    }
  }

  /// The thread's whole life.
  nonisolated func serve(_ made: Context) {
    executor.claim(made)
    assumeIsolated { $0.opened(made) }
    var isDone = false
    while !isDone {
      // With a negative time the library looks, and does not wait.
      if lws_service(made.pointer, executor.hasWork ? -1 : 0) < 0 { break }
      executor.work()
      isDone = assumeIsolated { $0.isDone }
    }
    executor.detach()
    // Calls back for what is still open; so the thread is the loop until after it.
    lws_context_destroy(made.pointer)
    let waiters = assumeIsolated { $0.closed() }
    repeat { executor.work() } while !executor.finish()
    for waiter in waiters { waiter.resume() }
  }

  private func opened(_ made: Context) {
    context = made
    clock = AlarmClock(of: self)
  }

  private func closed() -> [CheckedContinuation<Void, Never>] {
    isDone = true
    context = nil
    alarms.removeAll()
    clock?.free()
    clock = nil
    for connection in connections.values { ended(connection) }
    connections = [:]
    for listener in listeners.values { listener.free() }
    listeners = [:]
    for host in clientHosts.values { host.free() }
    clientHosts = [:]
    defer { waiters = [] }
    return waiters
  }

  /// Ends the loop in order: nothing new is accepted, each session is closed with 1001, answers that
  /// are being written go on; at the end of the time, what is left is cut.
  ///
  /// Returns when the thread's work is over. Sessions have been told that they are closed by then.
  /// Code that still comes to the loop runs nevertheless, without connections.
  package nonisolated func stop(within time: Duration = .seconds(5)) async {
    await withCheckedContinuation { continuation in
      enqueue { $0.beginStop(within: time, continuation) }
    }
  }

  private func beginStop(
    within time: Duration, _ continuation: CheckedContinuation<Void, Never>
  ) {
    guard context != nil, !isDone else { return continuation.resume() }
    waiters.append(continuation)
    guard !isStopping else { return }
    isStopping = true
    for connection in connections.values {
      if let session = connection.session {
        session.close(code: .goingAway, reason: "the program ends")
      } else if connection.isIdle {
        connection.wire?.kill()
      }
    }
    schedule(after: time) { $0.isDone = true }
    endIfStopped()
  }

  /// Has the service end when a stop was asked for and nobody is left.
  func endIfStopped() {
    if isStopping, connections.isEmpty { isDone = true }
  }
}

extension Context {
  /// Whether the library has begun to use TLS.
  ///
  /// Each time it is told to begin, it gives the place where a TLS connection keeps its own another
  /// number, and handshakes under way on other loops fail. So only the first context tells it.
  private static let hasBegunTLS = Atomic(false)

  /// Makes a context without listeners; `nil` when the library refuses.
  static func make(_ options: Loop.Options, owner: UInt) -> Context? {
    var info = lws_context_creation_info()
    info.port = shim_port_none()
    let isFirst = !Self.hasBegunTLS.exchange(true, ordering: .relaxed)
    // A program may end while a loop is in the middle of TLS: what OpenSSL would free then is in use.
    if isFirst { shim_keep_tls_at_exit() }
    info.options = shim_context_options(isFirst ? 1 : 0)
    info.user = UnsafeMutableRawPointer(bitPattern: owner)
    info.pt_serv_buf_size = UInt32(clamping: max(4096, options.readBytes))
    info.max_http_header_data2 = UInt32(clamping: max(1024, options.maxHeadBytes))
    info.fd_limit_per_thread = UInt32(clamping: options.maxDescriptors)
    info.count_threads = 1
    return lws_create_context(&info).map(Context.init)
  }
}

/// What the thread is started with.
private final class LoopThread: Sendable {
  private let loop: Loop
  private let context: Context

  private init(_ loop: Loop, _ context: Context) {
    self.loop = loop
    self.context = context
  }

  /// Starts the thread, which nobody joins: `Loop.stop` waits for the end of its work.
  ///
  /// - Returns: 0, or the system's error.
  static func start(loop: Loop, context: Context) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // What the system needs at least, in whole pages.
    let stack = max(loop.options.stackBytes, 128 * 1024)
    pthread_attr_setstacksize(&attributes, (stack + 65_535) / 65_536 * 65_536)
    var thread = pthread_t()
    // Safe: the thread takes over this reference; when there is none it is released here.
    let start = Unmanaged.passRetained(LoopThread(loop, context))
    let failure = pthread_create(&thread, &attributes, loopThreadBody, start.toOpaque())
    if failure != 0 {
      start.release()
    }
    return failure
  }

  func run() {
    let name = String(decoding: loop.options.name.utf8.prefix(15), as: UTF8.self)
    shim_name_thread(name)
    loop.serve(context)
  }
}

/// A free function: see `transportCallback`.
private func loopThreadBody(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let start else { return nil }
  // Safe: the reference that LoopThread.start retained, taken once.
  Unmanaged<LoopThread>.fromOpaque(start).takeRetainedValue().run()
  return nil
}

/// The system's words for its errors.
enum ErrorText {
  /// For the last one of this thread.
  static var last: String { of(errno) }

  /// For that one.
  static func of(_ error: Int32) -> String {
    // Safe: the text stays until the thread asks again, and is copied here.
    guard let text = strerror(error) else { return "error \(error)" }
    return String(cString: text)
  }
}
