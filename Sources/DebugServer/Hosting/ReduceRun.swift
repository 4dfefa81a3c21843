internal import HostProcesses
internal import JSONCore
internal import Timelines

/// One request to a host, whatever it is: asks it, checks the numbering of what comes, hands it on,
/// and tells the host when nobody waits any more.
struct ReduceRun: Sendable {
  /// What the host is called, for sentences.
  let host: String
  /// What is asked.
  let request: ToRecorder.Reduce

  /// Runs the request to its end.
  ///
  /// - Parameters:
  ///   - begin: asks the host, and has it answer by the closure.
  ///   - cancel: tells the host that nobody waits.
  func callAsFunction(
    begin: (@escaping @Sendable (HostAnswer) -> Void) async -> Void,
    cancel: @escaping @Sendable () async -> Void,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws {
    try Task.checkCancellation()
    let answers = ReduceAnswers()
    var check = ReducedSequence(request, host: host)
    var isOver = false
    await begin { answers.add($0) }
    do {
      try await answers.forEach { answer in
        switch answer {
        case .greeted, .confirmed: return
        case .error(let error):
          // What is given up because it is too much goes on at the host.
          isOver = error.code != .limit
          throw error.thrown(byHost: host)
        case .reduced(let reduced):
          isOver = !reduced.more
          try check.admit(reduced)
          try await part(reduced)
        }
      }
    } catch {
      if !isOver { await cancel() }
      throw error
    }
  }
}

/// What numbers the entries of an answer may have: an answer that no host may give is refused
/// before anybody stores it.
struct ReducedSequence {
  private let host: String
  private let last: Int64
  private var next: Int64?
  private let first: Int64

  /// The numbers of the answer to a request.
  init(_ request: ToRecorder.Reduce, host: String) {
    self.host = host
    first = request.seq
    // Entry 0 is the beginning itself, and none of the steps.
    last = request.seq + request.stepCount - (request.seq == 0 ? 0 : 1)
  }

  /// Takes a part of the answer.
  mutating func admit(_ reduced: FromRecorder.Reduced) throws(Refusal) {
    for entry in reduced.entries {
      guard let seq = entry["seq"]?.int, seq <= last, next.map({ seq == $0 }) ?? (seq >= first)
      else {
        throw wrong("entry \(entry["seq"]?.int.map { "\($0)" } ?? "without a number")")
      }
      next = seq + 1
    }
    if let ended = reduced.ended, !(first...max(first, last)).contains(ended.seq) {
      throw wrong("an end at entry \(ended.seq)")
    }
    if !reduced.more, reduced.ended == nil, let next, next <= last {
      throw wrong("nothing from entry \(next) on")
    }
  }

  private func wrong(_ what: String) -> Refusal {
    Refusal(
      .failed,
      """
      \(host) answered \(what), where entries \(first) to \(last) were asked for. \
      To fix, build it with the recorder of this daemon's version.
      """)
  }
}
