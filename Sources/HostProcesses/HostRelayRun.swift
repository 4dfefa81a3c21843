import Wire

#if canImport(Glibc)
  import JSONCore
  import Timelines

  /// A request that a host process works on, and its progress.
  struct HostRelayRun {
    let request: HostProcess.Request

    private let number: Int64
    private var seq: Int64

    /// The process is ended after this.
    private(set) var deadline: ContinuousClock.Instant

    /// Whether the process was asked to cancel the request.
    private(set) var isCancelled = false

    /// Whether the process reported a trap.
    private(set) var hasTrapped = false

    /// The memory limit of the process in bytes.
    let memory: Int64

    private let time: Duration

    /// Added to the limit, so that a host is not ended for memory the app uses before it does any work.
    private static let baseMemory: Int64 = 256 << 20

    /// How long a host may exceed its time at an event.
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
      // Loading an executable may take long; the reducer's time does not include it.
      deadline = .now + (isStarted ? time : .milliseconds(limits.startMilliseconds))
      memory = min(max(0, work?.bytes ?? .max), limits.bytes) + Self.baseMemory
    }

    /// Handles the offer of the process; returns whether that ends the request.
    mutating func started(_ offer: FromRecorder.HostOffer) -> Bool {
      guard request.work == nil else {
        deadline = isCancelled ? min(deadline, .now + Self.grace) : .now + time
        return false
      }
      request.answer(.greeted(offer))
      return true
    }

    /// Gives the process a moment to end the request by itself.
    mutating func cancel() {
      isCancelled = true
      deadline = min(deadline, .now + Self.grace)
    }

    /// Why a message of the process is the wrong answer; `nil` if it is the right one, or none.
    func mistake(in envelope: Envelope<FromRecorder>) -> MessageError? {
      switch envelope.body {
      case .reduced, .confirmed:
        guard envelope.re != .number(number) else { return nil }
        let rule = "it is the 'id' of the request, \(number)"
        return MessageError(.wrongValue(rule), path: "re")
      case .hello, .open, .append, .close, .done, .released, .error: return nil
      }
    }

    /// Handles an answer of the process; returns whether it ends the request.
    mutating func receive(_ envelope: Envelope<FromRecorder>) -> Bool {
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
      case .hello, .open, .append, .close, .done, .released:
        return false
      }
    }

    /// Answers for a process that ended before it answered.
    func answerDeath(by signal: Int32?) {
      answer(.trap, "The host ended\(signal.map { " by signal \($0)" } ?? "").", isGuess: true)
    }

    /// Answers for a process that was ended because it exceeded a limit.
    func answerLimit(_ sentence: String) {
      if isCancelled { return answerCanceled() }
      answer(.limit, sentence)
    }

    func answerCanceled() { request.answer(.error(.canceled, "The request was canceled.")) }

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
