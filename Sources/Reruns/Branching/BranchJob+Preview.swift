internal import TimelineStore
package import Timelines
internal import Wire

/// What inspectors can read of a branch before it is durable: the host keeps the branch's steps and
/// computes a moment or a few entries on request.
package struct BranchPreview: Sendable {
  /// The host that keeps them.
  let host: any ReducerHosting
  /// The seqs that the host can compute.
  let seqs: ClosedRange<Int64>
  /// The moment after the last entry.
  let end: HostMoment
  /// The last entries.
  package let rows: [Entry]

  package var last: Int64 { seqs.upperBound }

  /// The time of the last entry.
  package var t: Int64 { rows.last?.t ?? 0 }
}

// Reading a branch before it is durable.
extension BranchJob {
  /// The moment after an entry that is not durable yet; `nil` if the store has it.
  func moment(at seq: Int64) async throws -> HostMoment? {
    guard let preview = await preview(upTo: seq) else { return nil }
    if seq == preview.seqs.upperBound { return preview.end }
    var request = running(preview.seqs.lowerBound, seq - preview.seqs.lowerBound + 1)
    request.quiet = request.count
    request.snapshot = true
    return try await answer(preview, request)?.end
  }

  /// Entries of a stretch that ends with entries that are not durable yet; `nil` if the store has
  /// all of them.
  func rows(from: Int64, count: Int64, isBackward: Bool) async throws -> [Entry]? {
    let last = draft.own.upperBound - 1
    let high = min(last, isBackward ? from : from.addingReportingOverflow(count - 1).partialValue)
    let low = isBackward ? max(0, high - count + 1) : from
    guard low <= high, let preview = await preview(upTo: high) else { return nil }
    let first = max(low, durable + 1, preview.seqs.lowerBound)
    guard first <= high else { return nil }
    return try await rows(first...high, preview)
  }

  private func rows(_ seqs: ClosedRange<Int64>, _ preview: BranchPreview) async throws -> [Entry]? {
    let known = preview.rows.filter { seqs.contains($0.seq) }
    if known.count == Int(seqs.upperBound - seqs.lowerBound + 1) { return known }
    var request = running(preview.seqs.lowerBound, seqs.upperBound - preview.seqs.lowerBound + 1)
    request.quiet = seqs.lowerBound - preview.seqs.lowerBound
    return try await answer(preview, request)?.entries
  }

  /// The host's answer; `nil` if it no longer has the steps, so that the caller waits for the
  /// store.
  private func answer(_ preview: BranchPreview, _ request: ToRecorder.Reduce) async throws
    -> HostAnswerParts?
  {
    do {
      let answer = try await preview.host.collect(request)
      return answer.ended == nil ? answer : nil
    } catch is Refusal {
      return nil
    }
  }

  /// Waits until the whole branch can be read, or is not going to be readable before it is durable.
  func waitForPreview(milliseconds: Int64) async {
    guard case .running = phase, mayLook, preview == nil else { return }
    await waiters.wait(upTo: draft.own.upperBound - 1, milliseconds: milliseconds)
  }

  /// The preview, if it has a seq that is not durable; waits until either is known.
  private func preview(upTo seq: Int64) async -> BranchPreview? {
    while case .running = phase, seq < draft.own.upperBound, durable < seq {
      if let preview = preview { return preview.seqs.contains(seq) ? preview : nil }
      guard mayLook else { return nil }
      await waiters.wait(upTo: seq, milliseconds: 1_000)
      if Task.isCancelled { return nil }
    }
    return nil
  }
}
