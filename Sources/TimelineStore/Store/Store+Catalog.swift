package import Timelines
package import Wire

extension Store {
  /// Names a timeline; `nil` removes the name.
  package nonisolated func rename(_ id: TimelineID, to name: String?) async throws {
    try checkWriting()
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in [.rename(row: live.row, name)] }
    }
  }

  /// Marks an entry with a text; `nil` removes the mark.
  package nonisolated func mark(_ id: TimelineID, at seq: Int64, _ text: String?) async throws {
    try checkWriting()
    let exists = try await read { reader in
      try reader.entry(of: reader.lineage(of: id), at: seq) != nil
    }
    guard exists || text == nil else { throw StoreError(.noEntry(id, seq: seq)) }
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in
        [.mark(row: live.row, seq: seq, text)]
      }
    }
  }

  /// Deletes a timeline; returns all deleted timelines.
  ///
  /// A timeline with branches is refused, with their names, unless they are deleted too. Its rows
  /// are removed in the background; it is invisible from now on.
  @discardableResult
  package nonisolated func delete(
    _ id: TimelineID, cascading: Bool = false
  ) async throws -> [TimelineID] {
    try checkWriting()
    var deleted: [TimelineID] = []
    defer { if !deleted.isEmpty { caches.clear() } }
    for _ in 1..<Self.deletionAttempts {
      do {
        try await deleteFamily(of: id, cascading, &deleted)
        return deleted
      } catch let error as StoreError {
        // A branch has started since the family was read.
        guard case .hasBranches(_, branches: []) = error.reason else { throw error }
      }
    }
    try await deleteFamily(of: id, cascading, &deleted)
    return deleted
  }

  /// Each attempt fails only if a branch started during it.
  private static let deletionAttempts = 100

  private nonisolated func deleteFamily(
    of id: TimelineID, _ isCascading: Bool, _ deleted: inout [TimelineID]
  ) async throws {
    let all = try await read { reader in try reader.timelines() }
    guard let record = all.first(where: { $0.id == id }) else {
      if try await read({ try $0.isGone(id) }) { throw StoreError(.gone(id)) }
      throw StoreError(.notFound(id))
    }
    let family = all.descendants(of: record)
    guard isCascading || family.isEmpty else {
      throw StoreError(.hasBranches(id, branches: family.map { $0.name ?? $0.id.text }))
    }
    // Branches first: no branch is ever without its parent, even if the daemon is killed here.
    for next in family.reversed().map(\.id) + [id] {
      try await deleteAlone(next)
      deleted.append(next)
    }
  }

  private nonisolated func deleteAlone(_ id: TimelineID) async throws {
    try await answer { done in
      change(id, done: done) { [now] live throws(StoreError) in
        [.delete(row: live.row, id, at: now())]
      }
    }
  }

  /// Starts a branch: everything before its header's `parent.start` is read from the parent.
  ///
  /// Its first own entry has that seq and is a keyframe. With `computing` it counts as incomplete
  /// until ``complete(_:ended:)``.
  package nonisolated func createBranch(
    _ header: Header, computing: Int64? = nil
  ) async throws -> Opened {
    try checkWriting()
    guard let parent = header.parent else {
      throw StoreError(.conflict(header.timeline, why: "its header names no parent"))
    }
    let shared = try await read { reader in try reader.shared(by: parent) }
    return try await answer { done in
      submit(
        .open(header, BranchRequest(parent: shared, computing: computing), isImport: false, done))
    }
  }

  /// Marks a branch as complete; `ended` is the reason if it ends early.
  package nonisolated func complete(_ id: TimelineID, ended: BranchEnd? = nil) async throws {
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in
        [.computing(row: live.row, through: nil, ended: ended)]
      }
    }
  }

  /// Refuses a user's request at once, where a recorder's entries would wait.
  nonisolated func checkWriting() throws {
    switch state {
    case .open: return
    case .refusing(let why): throw StoreError(.refusing(why))
    case .closed: throw StoreError(.closed)
    }
  }
}

extension [TimelineRecord] {
  /// The branches of a timeline and their branches, parents before children.
  func descendants(of record: TimelineRecord) -> [TimelineRecord] {
    var found: [TimelineRecord] = []
    var rows: Set<Int64> = [record.row]
    // A branch has a greater row than its parent.
    for next in sorted(by: { $0.row < $1.row }) {
      guard let parent = next.parent?.row, rows.contains(parent) else { continue }
      rows.insert(next.row)
      found.append(next)
    }
    return found
  }
}

extension StoreReader {
  /// What a branch shares with its parent.
  func shared(by parent: Header.Parent) throws(StoreError) -> TimelineRow.Shared {
    let lineage = try lineage(of: parent.timeline)
    var shared = TimelineRow.Shared(
      row: lineage.row, start: parent.start, count: 0, t: 0, isKnown: false)
    guard parent.start > 0 else { return shared }
    guard let last = try entry(of: lineage, at: parent.start - 1) else {
      throw StoreError(.noEntry(parent.timeline, seq: parent.start - 1))
    }
    shared.t = last.t
    shared.isKnown = !last.isThinned
    shared.first = try piece(of: lineage, at: 0)?.seqs.lowerBound
    shared.count = try count(of: lineage, before: parent.start)
    return shared
  }

  /// The number of entries before a seq, without lost ones.
  private func count(of lineage: Lineage, before end: Int64) throws(StoreError) -> Int64 {
    var count: Int64 = 0
    for step in lineage.steps where step.seqs.lowerBound < end {
      let upper = Swift.min(step.seqs.upperBound, end - 1)
      count += try rows.entryCount(of: step.row, in: step.seqs.lowerBound...upper)
    }
    return count
  }
}
