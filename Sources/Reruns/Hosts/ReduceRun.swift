internal import HostProcesses
internal import JSONCore
internal import Timelines
internal import Wire

/// One `reduce` request to a host: checks the numbers of the entries and passes them on; the host
/// is notified if the caller stops waiting.
struct ReduceRun: Sendable {
  /// The host's name, for messages.
  let host: String
  let request: ToRecorder.Reduce

  /// Runs the request to its end.
  ///
  /// - Parameters:
  ///   - begin: sends the request; the host's answer goes to the closure.
  ///   - cancel: notifies the host that the request was canceled.
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
          // The host still works on a request that was given up because its answer was too large.
          isOver = error.code != .limit
          throw error.thrown(byHost: host)
        case .reduced(let reduced):
          isOver = !reduced.more
          try check.accept(reduced)
          try await part(reduced)
        }
      }
    } catch {
      if !isOver { await cancel() }
      throw error
    }
  }
}

/// The numbers that the entries of an answer may have. An answer with others is refused before it
/// is stored.
struct ReducedSequence {
  private let host: String
  private let last: Int64
  private var next: Int64?
  private let first: Int64

  /// The expected numbers of the answer to a request.
  init(_ request: ToRecorder.Reduce, host: String) {
    self.host = host
    first = request.seq
    // Entry 0 is the start itself, not one of the steps.
    last = request.seq + request.stepCount - (request.seq == 0 ? 0 : 1)
  }

  /// Checks a part of the answer.
  mutating func accept(_ reduced: FromRecorder.Reduced) throws(Refusal) {
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
