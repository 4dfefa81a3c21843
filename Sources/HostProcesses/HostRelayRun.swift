#if canImport(Glibc)
  import JSONCore
  import Timelines

  /// A request that a host's process works on, and how far it is.
  struct HostRelayRun {
    /// What is asked, and who waits for it.
    let request: HostProcess.Request

    private let number: Int64
    private var seq: Int64

    /// When the process is ended.
    private(set) var deadline: ContinuousClock.Instant

    /// Whether the process was told to end the request.
    private(set) var isCancelled = false

    /// Whether the process told that it trapped.
    private(set) var hasTrapped = false

    /// The memory that the process may take.
    let memory: Int64

    private let time: Duration

    /// What a process takes before it has done anything, at most: the debugger does not end a host
    /// for the app's own constants.
    private static let baseMemory: Int64 = 256 << 20

    /// How long beyond its time a host may be at an event.
    private static let grace = Duration.milliseconds(500)

    init(
      _ request: HostProcess.Request, number: Int64, limits: HostProcessLimits, isStarted: Bool
    ) {
      self.request = request
      self.number = number
      let work = request.work
      seq = work?.seq ?? 0
      time =
        .milliseconds(min(max(0, work?.milliseconds ?? .max), limits.milliseconds)) + Self.grace
      // Loading an executable may take long, and is not the reducer's time.
      deadline = .now + (isStarted ? time : .milliseconds(limits.startMilliseconds))
      memory = min(max(0, work?.bytes ?? .max), limits.bytes) + Self.baseMemory
    }

    /// The process has said what it can make; whether that ends the request.
    mutating func started(_ offer: FromRecorder.HostOffer) -> Bool {
      guard request.work == nil else {
        deadline = isCancelled ? min(deadline, .now + Self.grace) : .now + time
        return false
      }
      request.answer(.greeted(offer))
      return true
    }

    /// Nobody waits for it any more: it has a moment to end by itself.
    mutating func cancel() {
      isCancelled = true
      deadline = min(deadline, .now + Self.grace)
    }

    /// Takes an answer of the process; whether it ends the request.
    mutating func take(_ envelope: Envelope<FromRecorder>) -> Bool {
      guard envelope.re == .number(number) else { return false }
      switch envelope.body {
      case .reduced(let reduced):
        seq += Int64(reduced.entries.count)
        hasTrapped = reduced.ended?.why == .trap
        request.answer(.reduced(reduced))
        return !reduced.more
      case .confirmed(let confirmed):
        request.answer(.confirmed(confirmed))
        return true
      case .error(let error):
        request.answer(.error(error))
        return true
      default:
        return false
      }
    }

    /// Answers for a process that ended without a word.
    func answerDeath(by signal: Int32?) {
      answer(.trap, "The host ended\(signal.map { " by signal \($0)" } ?? "").", isGuess: true)
    }

    /// Answers for a process that was ended.
    func answerLimit(_ sentence: String) {
      if isCancelled { return answerCancelled() }
      answer(.limit, sentence)
    }

    /// Answers that it was cancelled.
    func answerCancelled() { request.answer(.error(.cancelled, "The request was cancelled.")) }

    private func answer(_ why: BranchEnd, _ sentence: String, isGuess: Bool = false) {
      request.answer(
        .reduced(
          FromRecorder.Reduced {
            $0.ended = EarlyEnd {
              $0.why = why
              $0.seq = seq
              $0.message = sentence
              $0.guess = isGuess
            }
          }))
    }
  }
#endif
