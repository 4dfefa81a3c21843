package import Timelines
package import Wire

extension Store {
  /// Begins a copy of a timeline, unless there is one.
  ///
  /// A copy that `shares` the entries of its parent needs the parent first, with all shared entries.
  package nonisolated func beginCopy(_ header: Header, shares: Bool) async throws {
    try checkWriting()
    let id = header.timeline
    if let stored = try await read({ try $0.header(of: id) }) {
      if let why = HeaderIdentity(stored).difference(from: HeaderIdentity(header)) {
        throw StoreError(.conflict(id, why: why))
      }
      return
    }
    var branch: BranchRequest?
    if shares {
      guard let parent = header.parent, (0...Entry.lastNumber).contains(parent.start) else {
        throw StoreError(.conflict(id, why: "its header names no parent"))
      }
      branch = BranchRequest(parent: try await read { try $0.shared(by: parent) }, computing: nil)
    }
    // Hidden until it is published: an interruption in between leaves nothing visible.
    _ = try await answer { [branch] done in submit(.open(header, branch, isImport: true, done)) }
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in [.publish(row: live.row)] }
    }
  }

  /// Appends chunks to a copy, and returns its last seq once they are durable.
  ///
  /// They are checked like the entries of a file, and stored as they are. All are stored, or none.
  package nonisolated func adopt(_ chunks: [PackedRun], into id: TimelineID) async throws -> Int64?
  {
    try checkWriting()
    let end = try await read { reader in try reader.copyEnd(of: id) }
    var check = try CopyCheck(after: end.last, t: end.t, end: end.snapshot, indexer: indexer)
    let checked = try chunks.map { chunk throws(StoreError) in try check.check(chunk) }
    try await answer { done in
      change(id, done: done) { [now] live throws(StoreError) in
        var live = live
        guard live.isSealed else {
          throw StoreError(.conflict(id, why: "a recorder wrote it there, and has not ended it"))
        }
        var changes: [RowChange] =
          live.isClosed ? [.close(row: live.row, isClosed: false, lost: nil)] : []
        for chunk in checked { changes.append(try live.adopt(chunk, now: now())) }
        return changes
      }
    }
    return checked.last?.draft.last ?? end.last
  }

  /// Adds to a copy what it does not have yet.
  package nonisolated func finishCopy(_ id: TimelineID, _ extras: CopyExtras) async throws {
    try checkWriting()
    let (record, places) = try await read { reader in
      let lineage = try reader.lineage(of: id)
      var places: [Int64: Bool] = [:]
      for mark in extras.marks {
        places[mark.seq] = try reader.entry(of: lineage, at: mark.seq) != nil
      }
      return (try reader.timeline(id), places)
    }
    let missing = extras.marks.first { places[$0.seq] != true }
    if let missing { throw StoreError(.noEntry(id, seq: missing.seq)) }
    let marked = Set(record.marks.map(\.seq))
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in
        var changes: [RowChange] = extras.marks.filter { !marked.contains($0.seq) }.map {
          .mark(row: live.row, seq: $0.seq, $0.text)
        }
        if record.name == nil, let name = extras.name {
          changes.append(.rename(row: live.row, name))
        }
        if let ended = extras.ended, record.ended == nil {
          changes.append(.computing(row: live.row, through: nil, ended: ended))
        }
        if extras.isClosed, !live.isClosed {
          changes.append(.close(row: live.row, isClosed: true, lost: extras.lostAtEnd))
        }
        return changes
      }
    }
  }
}

/// What belongs to a timeline apart from its header and entries.
package struct CopyExtras: Sendable {
  /// The name that a person gave it.
  package var name: String?
  package var marks: [TimelineRecord.Mark] = []
  /// Whether its recorder ended it.
  package var isClosed = false
  /// What was lost after its last entry.
  package var lostAtEnd: Gap?
  /// Why a branch ends early.
  package var ended: BranchEnd?

  package init() {}
}

extension StoreReader {
  /// The end of a copy, to which the next chunk must fit.
  fileprivate func copyEnd(
    of id: TimelineID
  ) throws(StoreError) -> (last: Int64?, t: Int64, snapshot: Snapshot?) {
    let lineage = try lineage(of: id)
    guard let last = try ownExtent(of: id)?.last else {
      // The first own entry of a branch is a keyframe, so the parent's state does not matter.
      let start = lineage.steps.last?.seqs.lowerBound ?? 0
      guard start > 0, let shared = try entry(of: lineage, at: start - 1) else {
        return (nil, 0, nil)
      }
      return (start - 1, shared.t, nil)
    }
    guard let entry = try entry(of: lineage, at: last) else {
      throw StoreError(.damaged("entry \(last) cannot be read"))
    }
    guard case .known(let snapshot)? = try moment(of: lineage, at: last) else {
      return (last, entry.t, nil)
    }
    return (last, entry.t, snapshot)
  }

  /// The header of a timeline, if there is one.
  fileprivate func header(of id: TimelineID) throws(StoreError) -> Header? {
    let line: [UInt8]
    do {
      line = try timeline(id).header
    } catch {
      guard case .notFound = error.reason else { throw error }
      return nil
    }
    do {
      return try Header(reading: line)
    } catch {
      throw StoreError(.damaged("a header cannot be read: \(error)"))
    }
  }
}
