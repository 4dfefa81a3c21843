internal import TimelineStore
internal import Timelines

/// What can be looked at before it is durable: the host keeps the branch's steps, and tells a moment
/// or a few entries at once.
struct QuickLook: Sendable {
  /// Who keeps them.
  let host: any ReducerHosting
  /// The seqs that the host answers.
  let seqs: ClosedRange<Int64>
  /// The moment after the last entry.
  let end: BranchBase
  /// The last entries.
  let rows: [Entry]

  /// The last seq.
  var last: Int64 { seqs.upperBound }

  /// Its time.
  var t: Int64 { rows.last?.t ?? 0 }
}

// Looking.
extension BranchJob {
  /// The moment after an entry that is not durable yet; `nil` where the store tells it.
  func moment(at seq: Int64) async throws -> BranchBase? {
    guard let look = await look(upTo: seq) else { return nil }
    if seq == look.seqs.upperBound { return look.end }
    var request = running(look.seqs.lowerBound, seq - look.seqs.lowerBound + 1)
    request.quiet = request.count
    request.snapshot = true
    return try await answer(look, request)?.end
  }

  /// Entries that are not durable yet, of a stretch that may begin with some that are; `nil` where
  /// the store tells all.
  func rows(from: Int64, count: Int64, isBackward: Bool) async throws -> [Entry]? {
    let last = draft.own.upperBound - 1
    let high = min(last, isBackward ? from : from.addingReportingOverflow(count - 1).partialValue)
    let low = isBackward ? max(0, high - count + 1) : from
    guard low <= high, let look = await look(upTo: high) else { return nil }
    let first = max(low, durable + 1, look.seqs.lowerBound)
    guard first <= high else { return nil }
    return try await rows(first...high, look)
  }

  private func rows(_ seqs: ClosedRange<Int64>, _ look: QuickLook) async throws -> [Entry]? {
    let known = look.rows.filter { seqs.contains($0.seq) }
    if known.count == Int(seqs.upperBound - seqs.lowerBound + 1) { return known }
    var request = running(look.seqs.lowerBound, seqs.upperBound - look.seqs.lowerBound + 1)
    request.quiet = seqs.lowerBound - look.seqs.lowerBound
    return try await answer(look, request)?.entries
  }

  /// What the host tells; `nil` when it cannot any more, so that the store has to be waited for.
  private func answer(_ look: QuickLook, _ request: ToRecorder.Reduce) async throws -> KeptAnswer? {
    do {
      let answer = try await ask(look.host, request)
      return answer.ended == nil ? answer : nil
    } catch is Refusal {
      return nil
    }
  }

  /// Waits until the branch can be looked at to its end, or is not going to be.
  func untilLook(milliseconds: Int64) async {
    guard case .running = phase, mayLook, quickLook == nil else { return }
    await waiters.wait(upTo: draft.own.upperBound - 1, milliseconds: milliseconds)
  }

  /// What can be looked at when a seq is not durable; waits until that or the other is true.
  private func look(upTo seq: Int64) async -> QuickLook? {
    while case .running = phase, seq < draft.own.upperBound, durable < seq {
      if let look = quickLook { return look.seqs.contains(seq) ? look : nil }
      guard mayLook else { return nil }
      await waiters.wait(upTo: seq, milliseconds: 1_000)
      if Task.isCancelled { return nil }
    }
    return nil
  }
}
