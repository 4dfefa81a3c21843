internal import JSONCore
internal import Timelines
internal import Wire

/// Runs steps on a host, as a value: steps in, requests out, parts of an answer in, entries out.
///
/// It knows which steps are not answered yet, what to request again, and how to find the step at
/// which a host dies. The caller sends the requests, waits, and uses the entries:
///
/// ```swift
/// var runner = Runner(make: make, next: seq, base: moment)
/// runner.add(steps)
/// while runner.begin() {
///   let request = runner.request()
///   for part in answer { entries += runner.receive(part).entries }
///   try runner.finish(by: host)
///   if let end = runner.end() { break }
/// }
/// ```
struct Runner: Sendable {
  /// A step, and what is known of its entry.
  struct Step: Sendable {
    var step: ToRecorder.ReduceStep
    /// The recorded entry, if its state is given: a host calls every given state a jump.
    var given: Entry?
  }

  /// What the entries of an answer must match.
  enum Rule: Sendable {
    /// Their numbers.
    case numbers
    /// Their numbers, and everything that a host copies from their step; all are captured.
    case steps
  }

  /// What entry 0 of a branch that shares nothing is made of.
  struct FirstEntry: Sendable {
    var was: Int64
    var t: Int64
  }

  let make: String
  let rule: Rule
  /// The number of the next entry.
  var next: Int64
  /// The moment before it, if it is known.
  var base: HostMoment?
  /// Whether the host answers entry 0 before the steps.
  private(set) var needsFirst = false
  /// The steps that are not answered.
  private(set) var expected: ArraySlice<Step> = []

  private var first: FirstEntry?
  /// The number of attempts since the last answered entry.
  private var attempts = 0
  /// The entry at which the host trapped in the last attempt.
  private var trapped: Int64?
  /// The number after a request during which a host died; one of its entries is the reason.
  private var suspectsEnd: Int64?

  private var request = Request()
  /// The last request, and how much of its answer has come.
  private struct Request: Sendable {
    /// `next` when the attempt began.
    var begin: Int64 = 0
    var steps = 0
    /// The number after its entries.
    var end: Int64 = 0
    var answered = 0
    /// The number of entries that it need not answer.
    var quiet: Int64 = 0
    var snapshot: HostMoment?
    var early: EarlyEnd?
  }

  init(make: String, next: Int64, base: HostMoment? = nil, rule: Rule = .numbers) {
    (self.make, self.next, self.base, self.rule) = (make, next, base, rule)
  }

  mutating func add(_ steps: some Sequence<Step>) {
    expected += steps
    (attempts, trapped) = (0, nil)
  }

  /// Lets the host answer entry 0 before the steps; it is kept as it is, or made into a branch's.
  mutating func addFirst(_ entry: FirstEntry? = nil) { (needsFirst, first) = (true, entry) }

  /// Begins an attempt; returns false if everything is answered.
  mutating func begin() -> Bool {
    request.begin = next
    return needsFirst || !expected.isEmpty
  }

  /// The entries that the undos of a form in the next request go back to.
  var undone: [Int64] { Set(expected.compactMap(\.step.event?.undone)).sorted() }

  /// The request for the unanswered steps, or for half of those among which a host died.
  ///
  /// - Parameter quiet: how many entries need not be answered.
  mutating func request(
    quiet: Int64? = nil, snapshot: Bool = false, remembered: [ToRecorder.RememberedState] = []
  ) -> ToRecorder.Reduce {
    // Entry 0 can be requested alone; otherwise a request has at least one step.
    let firstCount = needsFirst ? 1 : 0
    let most = suspectsEnd.map { max(1 - firstCount, (Int($0 - next) - firstCount) / 2) } ?? .max
    let steps = expected.prefix(most).map(\.step)
    request = Request(
      begin: request.begin, steps: steps.count,
      end: next + Int64(steps.count + firstCount), quiet: quiet ?? 0)
    return ToRecorder.Reduce {
      $0.make = make
      $0.state = base?.state
      $0.outputState = base?.outputs
      $0.seq = next
      $0.steps = steps
      $0.quiet = quiet
      $0.snapshot = snapshot
      $0.remembered = remembered.isEmpty ? nil : remembered
    }
  }
}

// The answer.
extension Runner {
  /// The entries of a part of an answer that passed the check, and why the next one did not.
  struct Received {
    var entries: [Entry] = []
    var problem: (any Error)?
  }

  /// Checks a part of the answer. The entries that pass are no longer expected.
  mutating func receive(_ part: FromRecorder.Reduced) -> Received {
    var received = Received()
    received.entries.reserveCapacity(part.entries.count)
    do {
      for slice in part.entries { received.entries.append(try accept(slice)) }
    } catch {
      received.problem = error
      return received
    }
    if var ended = part.ended {
      ended.message = ended.message.map(MessageError.cut)
      request.early = ended
    }
    if let state = part.state {
      request.snapshot = HostMoment(state: state, outputs: part.outputState)
    }
    return received
  }

  private mutating func accept(_ slice: JSONSlice) throws -> Entry {
    let entry: Entry
    do {
      entry = try Entry(reading: slice)
    } catch {
      throw Refusal(.failed, "The host answered with an invalid entry: \(error)")
    }
    skipQuiet()
    switch rule {
    case .numbers:
      guard entry.seq == next else {
        throw Refusal(
          .failed, "The host answered entry \(entry.seq) where \(next) was expected.")
      }
    case .steps:
      let step = needsFirst ? nil : expected.first?.step
      guard entry.seq == next, needsFirst ? !entry.isThinned : entry.patch != nil,
        needsFirst || step.map({ $0.was == entry.was && $0.t == entry.t }) ?? false
      else {
        throw Refusal(
          .failed, "The host answered with entry \(entry.seq), which was not requested.")
      }
      try CopiedKeys(entry, of: step).check()
    }
    next += 1
    request.answered += 1
    if needsFirst {
      needsFirst = false
      return try first.map { try entry.first(as: $0) } ?? entry
    }
    guard let given = expected.popFirst()?.given else { return entry }
    return try entry.given(as: given)
  }

  /// Passes over the steps whose entries the host need not answer.
  private mutating func skipQuiet() {
    guard request.quiet > 0 else { return }
    next += request.quiet
    request.answered += Int(request.quiet)
    expected.removeFirst(min(expected.count, Int(request.quiet)))
    request.quiet = 0
  }

  /// Checks that an answer that is over has all entries, or says why not.
  ///
  /// Without this check, an answer that makes no progress would be requested again without limit.
  mutating func finish(by host: String) throws(Refusal) {
    base = request.snapshot
    if request.early == nil { skipQuiet() }
    if let end = suspectsEnd, next >= end { suspectsEnd = nil }
    switch rule {
    case .numbers: try checkCount()
    case .steps: try checkIsWhole(host)
    }
    attempts = 0
  }

  private func checkCount() throws(Refusal) {
    let asked = Int(request.end - request.begin)
    guard request.answered <= asked, request.early != nil || request.answered == asked else {
      throw Refusal(
        .failed,
        "The host answered \(Counted.entries(request.answered)) where \(asked) were expected.")
    }
  }

  private func checkIsWhole(_ host: String) throws(Refusal) {
    guard request.early == nil else { return }
    let attempts = "\(Self.attemptLimit) times"
    if needsFirst {
      throw Refusal(
        .failed,
        """
        The host '\(host)' answered without entry 0, \(attempts). To fix, have it begin its answer \
        with entry 0 when 'seq' is 0.
        """)
    }
    guard next < request.end else { return }
    throw Refusal(
      .failed,
      """
      The host '\(host)' answered without entry \(next), \(attempts). To fix, have it answer one \
      entry for each step, or say by 'ended' why there are fewer.
      """)
  }
}

// Early ends and failures.
extension Runner {
  /// How often one entry is requested before the run fails.
  private static let attemptLimit = 3

  /// Why the last answer ended early, before it is known whether the run ends there.
  var early: EarlyEnd? { request.early }

  /// The moment after the last answered entry, if it was requested.
  var snapshot: HostMoment? { request.snapshot }

  /// How long to wait after a failed request before the next attempt; `nil` to give up.
  ///
  /// A host may return a useless answer because it was restarted.
  mutating func retryDelay() -> Duration? {
    attempts = next > request.begin ? 1 : attempts + 1
    guard attempts < Self.attemptLimit else { return nil }
    base = nil
    return .milliseconds(100 * attempts)
  }

  /// Where and why the run ends; `nil` if the next attempt continues it.
  mutating func end() -> EarlyEnd? {
    guard let end = request.early else { return nil }
    request.early = nil
    if isFinal(end) { return end }
    base = nil
    return nil
  }

  private mutating func isFinal(_ end: EarlyEnd) -> Bool {
    if end.why == .trap, end.guess, request.end - next > 1 {
      // It is not known which entry is at fault: keep halving until one is left.
      suspectsEnd = request.end
      return false
    }
    switch end.why {
    case .limit:
      // Time and memory limits apply to a request; try each entry in a request of its own.
      return next == request.begin
    case .trap:
      // The host may have been killed from outside. A real trap happens again.
      defer { trapped = next }
      return trapped == next
    case .undecodable, .gap, .canceled, .failed: return true
    }
  }
}
