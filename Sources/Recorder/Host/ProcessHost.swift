#if canImport(Glibc)
  import Glibc
  import JSONCore
  import Synchronization
  package import Timelines

  /// Runs reducers in another process: an executable that `ReducerHost` made a host of, mostly the
  /// app's own.
  ///
  /// The process is started with the first request, kept warm, started again when it died, and ended
  /// when a reducer takes longer or more memory than it may. One thread does all of that; requests
  /// are run one after the other.
  package final class ProcessHost: ReducerRunner {
    /// What is started.
    package struct Executable: Sendable {
      /// The file.
      package var path: String
      /// What follows its name.
      package var arguments: [String]

      /// An executable with its arguments.
      package init(path: String, arguments: [String] = []) {
        self.path = path
        self.arguments = arguments
      }

      /// The one that this process runs, also when its file was replaced meanwhile.
      package static var own: Executable {
        Executable(path: "/proc/self/exe", arguments: Array(CommandLine.arguments.dropFirst()))
      }
    }

    struct Request: Sendable {
      let reduce: ToRecorder.Reduce
      let answer: CommandAnswer
    }

    private struct Shared {
      var waiting: [Request] = []
      var current: RequestID?
      var isCancelled = false
      var hasThread = false
      var isStopped = false
    }

    private let executable: Executable
    private let limits: HostLimits
    private let machines: [String]
    private let shared = Mutex(Shared())
    private let wakes: (reads: Int32, writes: Int32)

    /// A host that the executable is; `makes` is what it can make, as far as that is known before it
    /// runs.
    package init?(
      _ executable: Executable, makes: [String], limits: HostLimits = HostLimits()
    ) {
      self.executable = executable
      self.limits = limits
      machines = makes
      guard let pipe = OpenStreams.pipe(isBlocking: false) else { return nil }
      wakes = pipe
    }

    deinit {
      close(wakes.reads)
      close(wakes.writes)
    }

    package var offer: FromRecorder.HostOffer {
      FromRecorder.HostOffer {
        $0.place = .process
        $0.makes = machines
      }
    }

    package func reduce(_ reduce: ToRecorder.Reduce, answer: CommandAnswer) {
      enum Step { case start, wake, refuse(String) }
      let step: Step = shared.withLock { shared in
        guard !shared.isStopped else { return .refuse("The recorder has ended.") }
        guard shared.waiting.count < 64 else { return .refuse("Too many requests wait.") }
        shared.waiting.append(Request(reduce: reduce, answer: answer))
        guard !shared.hasThread else { return .wake }
        shared.hasThread = true
        return .start
      }
      switch step {
      case .refuse(let sentence): answer.error(.failed, sentence)
      case .wake: wake()
      case .start:
        guard !HostThread.start({ self.work() }) else { return }
        let waiting = shared.withLock { shared in
          defer { shared.waiting = [] }
          shared.hasThread = false
          return shared.waiting
        }
        for request in waiting { request.answer.error(.failed, "The system gave no thread.") }
      }
    }

    package func cancel(_ request: RequestID) {
      let waiting = shared.withLock { shared -> Request? in
        if shared.current == request { shared.isCancelled = true }
        guard let place = shared.waiting.firstIndex(where: { $0.answer.id == request }) else {
          return nil
        }
        return shared.waiting.remove(at: place)
      }
      waiting?.answer.error(.cancelled, "The request was cancelled.")
      wake()
    }

    package func cancelAll() {
      shared.withLock { shared in
        shared.waiting = []
        shared.isCancelled = shared.current != nil
      }
      wake()
    }

    package func stop() {
      cancelAll()
      shared.withLock { $0.isStopped = true }
      wake()
    }

    private func wake() {
      var byte: UInt8 = 1
      // A full pipe wakes as well.
      _ = write(wakes.writes, &byte, 1)
    }

    // MARK: The thread

    /// How long a process without work is kept: as long as somebody may still be at it. Its thread
    /// ends with it.
    private static let idle = Duration.seconds(300)

    private func work() {
      HostThread.blockPipeSignal()
      var relay = HostRelay(executable: executable, limits: limits, wakes: wakes.reads)
      while true {
        let next = shared.withLock { shared -> Request? in
          guard !shared.isStopped, !shared.waiting.isEmpty else { return nil }
          let request = shared.waiting.removeFirst()
          shared.current = request.answer.id
          shared.isCancelled = false
          return request
        }
        if let next {
          relay.run(next) { self.shared.withLock { $0.isCancelled || $0.isStopped } }
          shared.withLock { $0.current = nil }
          continue
        }
        let wasWoken = relay.waitForWork(Self.idle)
        let ends = shared.withLock { shared in
          let ends = shared.isStopped || (!wasWoken && shared.waiting.isEmpty)
          if ends { shared.hasThread = false }
          return ends
        }
        if ends { return }
      }
    }
  }
#endif
