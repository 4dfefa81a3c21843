package import Wire

#if canImport(Glibc)
  import Glibc
  import Synchronization
  import Timelines

  /// Runs reducers in another process: an executable that calls `ReducerHost`.
  ///
  /// The first request starts the process, which then stays alive. It is restarted when it died or
  /// its file changed, and ended when a reducer exceeds its limits of time or memory. One thread does
  /// all of that, and runs one request at a time.
  ///
  /// ```
  /// let host = HostProcess(HostProcess.Settings(HostExecutable(path: "build/Commute")))
  /// host?.greet(id: .number(1)) { answer in … }
  /// ```
  package final class HostProcess: Sendable {
    /// The configuration of a host process.
    package struct Settings: Sendable {
      package var executable: HostExecutable

      package var limits = HostProcessLimits()

      /// Returns the environment variables, besides those that make it a host; called at each start
      /// (default: those of this process).
      package var environment: @Sendable () -> [String: String] = { HostEnvironment.inherited }

      /// Receives changes of the process, on its thread (default: ignores them).
      package var onStatus: @Sendable (HostProcessStatus) -> Void = { _ in }

      /// Receives the lines that the process writes to standard error, truncated, on its thread
      /// (default: `nil`, so that the process shares this one's stream).
      package var onErrorLine: (@Sendable (String) -> Void)?

      package init(_ executable: HostExecutable) {
        self.executable = executable
      }
    }

    struct Request: Sendable {
      /// The work; `nil` asks which machines the host can make.
      let work: HostWork?
      let id: RequestID
      let answer: @Sendable (HostAnswer) -> Void
    }

    private struct Shared {
      var waiting: [Request] = []
      var current: RequestID?
      var isCancelled = false
      var hasThread = false
      var isStopped = false
    }

    private let settings: Settings
    private let shared = Mutex(Shared())
    private let wakes: (reads: Int32, writes: Int32)

    /// Creates a host without starting its process; `nil` if too many files are open, or if the system
    /// cannot start a process without inherited files.
    package init?(_ settings: Settings) {
      self.settings = settings
      guard LinuxCalls.closeFrom != nil, let pipe = HostPipe.open(isBlocking: false) else {
        return nil
      }
      wakes = pipe
    }

    deinit {
      close(wakes.reads)
      close(wakes.writes)
    }

    /// Asks which machines the host can make, and starts the process if necessary.
    package func greet(id: RequestID, answer: @escaping @Sendable (HostAnswer) -> Void) {
      add(Request(work: nil, id: id, answer: answer))
    }

    /// Runs a request without waiting for it. The answer arrives in parts.
    package func reduce(
      _ reduce: ToRecorder.Reduce, id: RequestID, answer: @escaping @Sendable (HostAnswer) -> Void
    ) {
      perform(.reduce(reduce), id: id, answer: answer)
    }

    /// Performs work without waiting for it.
    package func perform(
      _ work: HostWork, id: RequestID, answer: @escaping @Sendable (HostAnswer) -> Void
    ) {
      add(Request(work: work, id: id, answer: answer))
    }

    private func add(_ request: Request) {
      enum Step { case start, wake, refuse(String) }
      let step: Step = shared.withLock { shared in
        guard !shared.isStopped else { return .refuse("The host was stopped.") }
        guard shared.waiting.count < settings.limits.waiting else {
          return .refuse("Too many requests are waiting for the host.")
        }
        shared.waiting.append(request)
        guard !shared.hasThread else { return .wake }
        shared.hasThread = true
        return .start
      }
      switch step {
      case .refuse(let sentence): request.answer(.error(.failed, sentence))
      case .wake: wake()
      case .start:
        guard !HostThread.start({ self.work() }) else { return }
        shared.withLock { $0.hasThread = false }
        for request in removeWaiting() {
          request.answer(.error(.failed, "The system could not start a thread for the host."))
        }
      }
    }

    package func cancel(_ id: RequestID) {
      let waiting = shared.withLock { shared -> Request? in
        if shared.current == id { shared.isCancelled = true }
        guard let place = shared.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return shared.waiting.remove(at: place)
      }
      waiting?.answer(.error(.canceled, "The request was canceled."))
      wake()
    }

    /// Cancels all waiting and running requests.
    package func cancelAll() {
      shared.withLock { $0.isCancelled = $0.current != nil }
      for request in removeWaiting() {
        request.answer(.error(.canceled, "The request was canceled."))
      }
      wake()
    }

    /// Stops accepting requests, and ends the process.
    package func stop() {
      shared.withLock { $0.isStopped = true }
      cancelAll()
    }

    private func removeWaiting() -> [Request] {
      shared.withLock { shared in
        defer { shared.waiting = [] }
        return shared.waiting
      }
    }

    private func wake() {
      // If the pipe is full, the thread wakes up anyway.
      _ = writeAll([1], to: wakes.writes)
    }

    // MARK: The thread

    private func work() {
      HostThread.blockPipeSignal()
      var relay = HostRelay(settings, wakes: wakes.reads)
      while true {
        let next = shared.withLock { shared -> Request? in
          guard !shared.isStopped, !shared.waiting.isEmpty else { return nil }
          let request = shared.waiting.removeFirst()
          shared.current = request.id
          shared.isCancelled = false
          return request
        }
        if let next {
          relay.run(next) { interest }
          shared.withLock { $0.current = nil }
          continue
        }
        let isStopped = shared.withLock { $0.isStopped }
        let wasWoken = !isStopped && relay.waitForWork()
        let ends = shared.withLock { shared in
          let ends = shared.isStopped || (!wasWoken && shared.waiting.isEmpty)
          if ends { shared.hasThread = false }
          return ends
        }
        if ends { return }
      }
    }

    private var interest: HostRelay.Interest {
      shared.withLock { $0.isStopped ? .stopped : $0.isCancelled ? .canceled : .wanted }
    }
  }
#endif
