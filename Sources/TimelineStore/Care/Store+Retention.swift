import Synchronization
package import Timelines

extension Store {
  /// Deletes what is more than may be kept; answers what it did, in words.
  ///
  /// Timelines that are being written stay, but the beginning of the largest goes when nothing else
  /// is left: up to a keyframe, which then says `gap`. One that is asked for while another is under
  /// way comes after it, so that both do not let go of the same.
  package nonisolated func prune(
    _ retention: Retention, live: Set<TimelineID>
  ) async throws -> Pruned {
    // Also while another one waits for the disk.
    try checkWriting()
    let turn = pruning.withLock { last in
      let before = last
      // With a runner, the steps come in the same order in each run.
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
    _ asked: Retention, live: Set<TimelineID>
  ) async throws -> Pruned {
    try checkWriting()
    let (records, used, isSettled) = try await read { reader in
      (try reader.timelines(), try reader.usedBytes(), try reader.isSettled())
    }
    var retention = asked
    var pruned = Pruned()
    if let bytes = asked.bytes, used > bytes, !isSettled {
      // The bytes that are used say too much: they have rows that no kept timeline has.
      retention.bytes = nil
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
        // Somebody else deleted it meanwhile.
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
        "More than \(retention.bytes ?? 0) bytes are kept: what is left is marked or being written."
      )
      return pruned
    }
    pruned.shortened.append(largest.id)
    pruned.sentences.append(
      "Cut the beginning of \(largest.name ?? largest.id.text) up to entry \(cut).")
    return pruned
  }

  /// Cuts about so many stored bytes off a timeline's beginning, up to a keyframe; answers its seq,
  /// or `nil` when no chunk behind has one, or when nothing could be cut any more.
  nonisolated func cutHead(of id: TimelineID, by bytes: Int64) async throws -> Int64? {
    let place = try await read { reader in try reader.keyframe(of: id, behind: bytes) }
    guard let place, place.keyframe > 0 else { return nil }
    let first = try place.run.entry(at: Int(place.keyframe - place.run.first))
    let head = try Self.head(first)
    var entries = [head]
    for seq in place.keyframe + 1..<place.run.last + 1 {
      entries.append(try place.run.entry(at: Int(seq - place.run.first)))
    }
    // The chunk as it would have been sealed had the timeline begun here.
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
    // Nothing is cut when somebody cut meanwhile, or began a branch.
    let kept = try await read { reader in try reader.timeline(id).first }
    return kept == place.keyframe ? kept : nil
  }

  /// A keyframe that says that everything before it is gone.
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
    try asking { () throws(DatabaseError) in try database.usedBytes() }
  }

  /// Whether all rows belong to timelines that are kept: nothing is being deleted or imported.
  func isSettled() throws(StoreError) -> Bool {
    try asking { () throws(DatabaseError) in
      try database.integer("SELECT count(*) FROM timeline WHERE phase <> 0") == 0
    }
  }

  fileprivate struct KeyframePlace: Sendable {
    var row: Int64
    var ordinal: Int64
    var run: EntryRun
    var keyframe: Int64
  }

  /// The first keyframe of a chunk behind so many stored bytes, behind the first entry in any case.
  fileprivate func keyframe(
    of id: TimelineID, behind bytes: Int64
  ) throws(StoreError) -> KeyframePlace? {
    let lineage = try lineage(of: id)
    var chunks: [(ordinal: Int64, first: Int64)] = []
    var start: Int64?
    try asking { () throws(DatabaseError) in
      var passed: Int64 = 0
      try database.forEach(
        """
        SELECT ordinal, first, length(lines), length(keyframes) FROM chunk WHERE timeline = ?
        ORDER BY last
        """, .int(lineage.row)
      ) { row in
        passed += row.int(2)
        start = start ?? row.int(1)
        if passed > bytes, row.int(3) > 0, chunks.count < 64 {
          chunks.append((row.int(0), row.int(1)))
        }
      }
    }
    for (ordinal, first) in chunks {
      guard let piece = try piece(of: lineage, at: first), let run = try? piece.content.get(),
        let keyframe = piece.keyframes?.first(where: { $0 > start ?? 0 })
      else { continue }
      return KeyframePlace(row: lineage.row, ordinal: ordinal, run: run, keyframe: keyframe)
    }
    return nil
  }
}
