import Synchronization
package import Timelines

extension Store {
  /// Deletes what exceeds the retention limits; returns a report.
  ///
  /// Timelines that are being written stay, but if nothing else is left, the beginning of the
  /// largest is cut off: up to a keyframe, which then has a `gap`. Concurrent calls run one after
  /// the other, so that two do not delete for the same excess.
  ///
  /// - Parameter live: returns the timelines that are being written. It is called after the
  ///   timelines were read: one that begins during the wait for the disk must not be deleted.
  package nonisolated func prune(
    _ retention: Retention, live: @escaping @Sendable () async -> Set<TimelineID>
  ) async throws -> Pruned {
    // Also while another one waits for the disk.
    try checkWriting()
    let turn = pruning.withLock { last in
      let before = last
      // A runner makes the order of the steps deterministic.
      let turn = Task(executorPreference: options.runner as? any TaskExecutor) {
        _ = await before?.result
        return try await self.pruneInTurn(retention, live: live)
      }
      last = turn
      return turn
    }
    return try await turn.value
  }

  private nonisolated func pruneInTurn(
    _ asked: Retention, live findLive: @Sendable () async -> Set<TimelineID>
  ) async throws -> Pruned {
    try checkWriting()
    let (records, used, isSettled) = try await read { reader in
      (try reader.timelines(), try reader.usedBytes(), try reader.isSettled())
    }
    let live = await findLive()
    var retention = asked
    var pruned = Pruned()
    if let bytes = asked.bytes, used > bytes, !isSettled {
      // The used bytes are not meaningful yet: some rows belong to no kept timeline.
      retention.bytes = nil
      pruned.isWaiting = true
      pruned.sentences.append(
        "The limit of \(bytes) bytes waits: something is still being removed or imported.")
    }
    let now = now()
    let plan = retention.plan(
      TimelineTree.all(of: records, now: now), live: live, used: used, now: now)
    for (tree, why) in plan.doomed {
      do {
        pruned.deleted += try await delete(tree.root.id, cascading: true)
        pruned.sentences.append("Deleted \(tree.title): \(why).")
      } catch let error as StoreError {
        // Another request deleted it meanwhile.
        switch error.reason {
        case .notFound, .gone: continue
        default: throw error
        }
      }
    }
    guard plan.excess > 0 else { return pruned }
    let candidates =
      records
      .filter { live.contains($0.id) && $0.marks.isEmpty && $0.branches == 0 && $0.parent == nil }
      .sorted { $0.stored > $1.stored }
    guard let largest = candidates.first,
      let cut = try await cutHead(of: largest.id, by: plan.excess)
    else {
      pruned.sentences.append(
        "More than \(retention.bytes ?? 0) bytes remain, in timelines that are marked or being written."
      )
      return pruned
    }
    pruned.shortened.append(largest.id)
    pruned.sentences.append(
      "Cut the beginning of \(largest.name ?? largest.id.text) up to entry \(cut).")
    return pruned
  }

  /// Cuts about so many stored bytes off a timeline's beginning, up to a keyframe; returns its seq,
  /// or `nil` if no later chunk has one, or if nothing could be cut anymore.
  nonisolated func cutHead(of id: TimelineID, by bytes: Int64) async throws -> Int64? {
    let place = try await read { reader in try reader.keyframe(of: id, behind: bytes) }
    guard let place, place.keyframe > 0 else { return nil }
    let first = try place.run.entry(at: Int(place.keyframe - place.run.first))
    let head = try Self.head(first)
    var entries = [head]
    for seq in place.keyframe + 1..<place.run.last + 1 {
      entries.append(try place.run.entry(at: Int(seq - place.run.first)))
    }
    // The chunk as it would have been sealed if the timeline had started here.
    var known = true
    let runs = AppendBatch(id, entries).runs.map { run in
      known = run.isKnownAtEnd
      return WaitingRun(run: run, base: nil, isKnown: known)
    }
    let order = SealOrder(timeline: id, row: place.row, generation: 0, runs: runs, now: now())
    guard var sealed = sealer.sealed(order) else { return nil }
    sealed.chunk.ordinal = place.ordinal
    let (chunk, index) = (sealed.chunk, sealed.index)
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in
        guard live.row == place.row else { return [] }
        return [.cutHead(chunk, index, replacing: place.run.first)]
      }
    }
    caches.clear()
    // Cut nothing if another cut or a new branch came first.
    let kept = try await read { reader in try reader.timeline(id).first }
    return kept == place.keyframe ? kept : nil
  }

  /// A keyframe that reports everything before it as lost.
  private static func head(_ entry: Entry) throws(StoreError) -> Entry {
    var draft = EntryDraft(entry)
    draft.gap = Gap(lost: entry.seq, why: "retention")
    do {
      return try draft.entry()
    } catch {
      throw StoreError(.damaged("\(error)"))
    }
  }
}

extension StoreReader {
  /// The bytes of the database that are in use.
  package func usedBytes() throws(StoreError) -> Int64 {
    try rows.usedBytes()
  }

  /// Whether all rows belong to kept timelines: nothing is being deleted or imported.
  func isSettled() throws(StoreError) -> Bool {
    try rows.isSettled()
  }

  fileprivate struct KeyframePlace: Sendable {
    var row: Int64
    var ordinal: Int64
    var run: EntryRun
    var keyframe: Int64
  }

  /// The first keyframe of a chunk after so many stored bytes, and after the first entry in any
  /// case.
  fileprivate func keyframe(
    of id: TimelineID, behind bytes: Int64
  ) throws(StoreError) -> KeyframePlace? {
    let lineage = try lineage(of: id)
    let sizes = try rows.chunkSizes(of: lineage.row)
    var passed: Int64 = 0
    let candidates = sizes.filter { size in
      passed += size.stored
      return passed > bytes && size.hasKeyframes
    }
    let start = sizes.first?.first ?? 0
    for chunk in candidates.prefix(64) {
      guard let piece = try piece(of: lineage, at: chunk.first), let run = try? piece.content.get(),
        let keyframe = piece.keyframes?.first(where: { $0 > start })
      else { continue }
      return KeyframePlace(row: lineage.row, ordinal: chunk.ordinal, run: run, keyframe: keyframe)
    }
    return nil
  }
}
