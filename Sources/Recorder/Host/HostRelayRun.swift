import JSONCore
import Timelines

/// A request that a host's process works on, and how far it is.
struct HostRelayRun {
  private let request: ProcessHost.Request
  private let number: Int64
  private var seq: Int64
  private var isStarted = false
  private let time: Duration

  /// When the process is ended.
  var deadline: ContinuousClock.Instant

  /// Whether the process was told to end the request.
  var isCancelled = false

  /// Whether the process told that it trapped.
  private(set) var hasTrapped = false

  /// The memory that the process may take.
  let memory: Int64

  /// What a process takes before it has done anything, at most: the debugger does not end a host for
  /// the app's own constants.
  private static let baseMemory: Int64 = 256 << 20

  init(
    _ request: ProcessHost.Request, number: Int64, limits: HostLimits, startTime: Duration
  ) {
    self.request = request
    self.number = number
    seq = request.reduce.seq
    time = .milliseconds(
      min(max(0, request.reduce.milliseconds ?? .max), limits.milliseconds) + 500)
    deadline = .now + startTime + time
    memory = min(max(0, request.reduce.bytes ?? .max), limits.bytes) + Self.baseMemory
  }

  /// Takes a line of the process; whether it ends the request.
  mutating func take(_ line: LineBuffer.Line) -> Bool {
    guard case .whole(let bytes) = line else {
      request.answer.error(.limit, "The host answered with a line that is too long.")
      return true
    }
    guard let envelope = try? Envelope<FromRecorder>(reading: bytes, maxMessage: bytes.count) else {
      // Somebody wrote to a stream that is not theirs; the request is not answered by that.
      return false
    }
    if case .hello = envelope.body {
      // Loading an executable may take long, and is not the reducer's time.
      if !isStarted { deadline = .now + time }
      isStarted = true
      return false
    }
    guard envelope.re == .number(number) else { return false }
    switch envelope.body {
    case .reduced(let reduced):
      seq += Int64(reduced.entries.count)
      hasTrapped = reduced.ended?.why == .trap
      request.answer.reduced(reduced)
      return !reduced.more
    case .error(let error):
      request.answer.error(error.code, error.message, path: error.path)
      return true
    default:
      return false
    }
  }

  /// Answers for a process that ended without a word.
  func answerDeath(by signal: Int32?) {
    guard isStarted || signal != nil else {
      return request.answer.error(
        .failed,
        """
        The executable ended before it said what it can make. \
        To fix, let it call ReducerHost.run(…) or ReducerHost.runIfAsked(…) first.
        """)
    }
    answer(.trap, "The host ended\(signal.map { " by signal \($0)" } ?? "").")
  }

  /// Answers for a process that was ended.
  func answerLimit(_ sentence: String) {
    if isCancelled { return request.answer.error(.cancelled, "The request was cancelled.") }
    answer(.limit, sentence)
  }

  private func answer(_ why: BranchEnd, _ sentence: String) {
    request.answer.reduced(
      FromRecorder.Reduced {
        $0.ended = EarlyEnd {
          $0.why = why
          $0.seq = seq
          $0.message = sentence
        }
      })
  }
}
