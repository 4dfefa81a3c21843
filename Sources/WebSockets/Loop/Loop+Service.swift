internal import CLibWebsockets
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#endif

extension Loop {
  /// Creates the context, then starts the thread that serves it.
  nonisolated func begin() throws(TransportError) {
    // Safe: the thread retains the loop until the context is destroyed.
    let owner = UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    let made = BrokenPipeSignal.preserving { Context.make(options, owner: owner) }
    guard let made else {
      let code = errno
      throw .loopNotStarted(
        "the library could not create a context (\(ErrorText.of(code)))", code: code)
    }
    let failure = BrokenPipeSignal.blockingSignals {
      LoopThread.start(loop: self, context: made)
    }
    guard failure == 0 else {
      lws_context_destroy(made.pointer)
      throw .loopNotStarted(
        "the system could not start a thread (\(ErrorText.of(failure)))", code: failure)
    }
  }

  /// The body of the thread.
  nonisolated func serve(_ made: Context) {
    executor.claim(made)
    assumeIsolated { $0.opened(made) }
    DeferredFrees.onThisThread { frees in
      var isDone = false
      while !isDone {
        // With a negative time the library polls without waiting.
        if lws_service(made.pointer, executor.hasWork ? -1 : 0) < 0 { break }
        executor.work()
        isDone = assumeIsolated { $0.isDone }
        frees.release()
      }
    }
    executor.detach()
    // Destroying the context calls back for open connections, so the thread is still the loop.
    lws_context_destroy(made.pointer)
    let waiters = assumeIsolated { $0.closed() }
    repeat { executor.work() } while !executor.finish()
    for waiter in waiters { waiter.resume() }
  }

  private func opened(_ made: Context) {
    context = made
    libraryTimer = LoopTimer(of: self)
  }

  private func closed() -> [CheckedContinuation<Void, Never>] {
    isDone = true
    context = nil
    timers.removeAll()
    libraryTimer?.free()
    libraryTimer = nil
    for connection in connections.values { ended(connection) }
    connections = [:]
    for listener in listeners.values { listener.free() }
    listeners = [:]
    for host in clientHosts.values { host.free() }
    clientHosts = [:]
    defer { waiters = [] }
    return waiters
  }

  /// Stops the loop: accepts no connections, closes each session with 1001, finishes responses, and
  /// cuts the remaining connections after the time limit.
  ///
  /// Returns when the thread has ended. By then every handler has received `closed`. Code that is
  /// enqueued later still runs, without connections.
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
        session.close(code: .goingAway, reason: "the program is ending")
      } else if connection.isIdle {
        connection.handle?.kill()
      }
    }
    schedule(after: time) { $0.isDone = true }
    endIfStopped()
  }

  /// Ends the service if it is stopping and no connection is left.
  func endIfStopped() {
    if isStopping, connections.isEmpty { isDone = true }
  }
}

extension Context {
  /// Whether the library has initialized TLS.
  ///
  /// Each initialization changes the index of the library's data in TLS connections, which breaks
  /// handshakes in progress on other loops. So only the first context initializes TLS.
  private static let hasBegunTLS = Atomic(false)

  /// Creates a context without listeners; `nil` if the library fails.
  static func make(_ options: Loop.Options, owner: UInt) -> Context? {
    var info = lws_context_creation_info()
    info.port = shim_port_none()
    let isFirst = !Self.hasBegunTLS.exchange(true, ordering: .relaxed)
    // At exit, OpenSSL would free memory that a loop may be using.
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

/// The argument of the thread.
private final class LoopThread: Sendable {
  private let loop: Loop
  private let context: Context

  private init(_ loop: Loop, _ context: Context) {
    self.loop = loop
    self.context = context
  }

  /// Starts the detached thread. `Loop.stop` waits for the end of its work.
  ///
  /// - Returns: 0 or an error number.
  static func start(loop: Loop, context: Context) -> Int32 {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // At least the minimum of the system, in whole pages.
    let stack = max(loop.options.stackBytes, 128 * 1024)
    pthread_attr_setstacksize(&attributes, (stack + 65_535) / 65_536 * 65_536)
    var thread = pthread_t()
    // Safe: the thread takes ownership of this reference; if it does not start, it is released here.
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

/// A free function; see `transportCallback`.
private func loopThreadBody(_ start: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let start else { return nil }
  // Safe: consumes the reference that LoopThread.start retained.
  Unmanaged<LoopThread>.fromOpaque(start).takeRetainedValue().run()
  return nil
}

/// The system's error messages.
enum ErrorText {
  /// The message for this thread's `errno`.
  static var last: String { of(errno) }

  /// The message for an error number.
  static func of(_ error: Int32) -> String {
    // Safe: the text is valid until this thread's next call, and is copied here.
    guard let text = strerror(error) else { return "error \(error)" }
    return String(cString: text)
  }
}
