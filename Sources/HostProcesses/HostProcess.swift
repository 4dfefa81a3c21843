#if canImport(Glibc)
  import Glibc
  import Synchronization
  package import Timelines

  /// Runs reducers in another process: an executable that `ReducerHost` made a host of.
  ///
  /// The process is started with the first request, kept warm, started again when it died or when its
  /// file is another one than before, and ended when a reducer takes longer or more memory than it
  /// may. One thread does all of that; requests are run one after the other.
  ///
  /// ```
  /// let host = HostProcess(HostProcess.Settings(HostExecutable(path: "build/Commute")))
  /// host?.greet(id: .number(1)) { answer in … }
  /// ```
  package final class HostProcess: Sendable {
    /// What it is set up with.
    package struct Settings: Sendable {
      /// What is started.
      package var executable: HostExecutable

      /// What it is held to. Default: as ``HostProcessLimits`` says.
      package var limits = HostProcessLimits()

      /// The variables that it is started with, besides those that make it a host; asked for at each
      /// start. Default: those of this process.
      package var environment: @Sendable () -> [String: String] = { HostEnvironment.inherited }

      /// Is told what becomes of the process, on its thread. Default: does nothing.
      package var tell: @Sendable (HostProcessNews) -> Void = { _ in }

      /// Receives the lines that the process writes to its standard error stream, on its thread; each is
      /// cut. Default: `nil`, which leaves the process this one's stream.
      package var hear: (@Sendable (String) -> Void)?

      /// The settings for an executable.
      package init(_ executable: HostExecutable) {
        self.executable = executable
      }
    }

    struct Request: Sendable {
      /// What is to be done; nil asks for what the host can make.
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

    /// A host that is not started yet; nil when there are no more files to be had, or the system can
    /// not start a process that inherits none of them.
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

    /// Starts it when it does not run or its file has changed, and asks what it can make.
    package func greet(id: RequestID, answer: @escaping @Sendable (HostAnswer) -> Void) {
      add(Request(work: nil, id: id, answer: answer))
    }

    /// Runs a request, and answers it later, in parts. It does not wait.
    package func reduce(
      _ reduce: ToRecorder.Reduce, id: RequestID, answer: @escaping @Sendable (HostAnswer) -> Void
    ) {
      perform(.reduce(reduce), id: id, answer: answer)
    }

    /// Does what is asked, and answers it later. It does not wait.
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
          return .refuse("Too many requests wait for the host.")
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
        for request in takeWaiting() {
          request.answer(.error(.failed, "The system gave no thread."))
        }
      }
    }

    /// Ends a request.
    package func cancel(_ id: RequestID) {
      let waiting = shared.withLock { shared -> Request? in
        if shared.current == id { shared.isCancelled = true }
        guard let place = shared.waiting.firstIndex(where: { $0.id == id }) else { return nil }
        return shared.waiting.remove(at: place)
      }
      waiting?.answer(.error(.cancelled, "The request was cancelled."))
      wake()
    }

    /// Ends everything that is under way.
    package func cancelAll() {
      shared.withLock { $0.isCancelled = $0.current != nil }
      for request in takeWaiting() {
        request.answer(.error(.cancelled, "The request was cancelled."))
      }
      wake()
    }

    /// Ends for good, with the process.
    package func stop() {
      shared.withLock { $0.isStopped = true }
      cancelAll()
    }

    private func takeWaiting() -> [Request] {
      shared.withLock { shared in
        defer { shared.waiting = [] }
        return shared.waiting
      }
    }

    private func wake() {
      // A full pipe wakes as well.
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
      shared.withLock { $0.isStopped ? .stopped : $0.isCancelled ? .cancelled : .wanted }
    }
  }
#endif
