import JSONCore
import Timelines
import Wire

extension Store {
  /// Reads everything that is stored and reports problems.
  ///
  /// It works chunk by chunk, next to other work. With `thorough`, it also applies patches and
  /// compares the index with a rebuilt one.
  ///
  /// - Parameter progress: called with the number of entries read so far.
  package nonisolated func check(
    thorough: Bool = false, progress: (Int64) -> Void = { _ in }
  ) async throws -> CheckReport {
    var report = CheckReport()
    let faults = try await read { reader in try reader.rows.integrityFaults() }
    for fault in faults { report.add("The database says: \(fault).") }
    let records = try await read { reader in try reader.timelines() }
    for record in records {
      report.timelines += 1
      if (try? Header(reading: record.header)) == nil {
        report.add("Its header cannot be read.", record.id)
      }
      var check = TimelineCheck(record: record, isThorough: thorough)
      do {
        while check.isUnfinished {
          let now = check
          check = try await read { reader in
            var check = now
            try check.step(reader)
            return check
          }
          progress(report.entries + check.entries)
        }
        if thorough {
          for difference in try await indexDifferences(of: record.id) {
            check.report.add("The index is not what the entries say: \(difference).", record.id)
          }
        }
      } catch let error as StoreError {
        // Without a timeline: there may be missing rows that are not referenced anywhere.
        guard let fault = error.damage else { throw error }
        report.add("The rest of timeline \(record.id) cannot be read: \(fault).")
      }
      report.entries += check.entries
      report.unindexed += check.report.unindexed
      for finding in check.report.findings {
        report.add(finding.text, finding.timeline, finding.seqs, from: finding.origin)
      }
    }
    return report
  }
}

/// The check of one timeline's own entries, piece by piece.
private struct TimelineCheck: Sendable {
  let record: TimelineRecord
  let isThorough: Bool
  var report = CheckReport()
  var entries: Int64 = 0
  var isUnfinished = true
  private var next: Int64
  private var chain: EntryChain

  /// Whether the state for the next patches is missing.
  private var isBaseMissing = false

  private let senders: EntrySenders

  init(record: TimelineRecord, isThorough: Bool) {
    self.record = record
    self.isThorough = isThorough
    senders = EntrySenders(record)
    next = record.parent?.start ?? 0
    chain = EntryChain(after: next > 0 ? next - 1 : nil)
  }

  /// Checks some dozens of pieces.
  mutating func step(_ reader: StoreReader) throws(StoreError) {
    let lineage: Lineage
    do {
      lineage = try reader.lineage(of: record.id)
    } catch {
      // It was deleted meanwhile.
      isUnfinished = false
      return
    }
    for _ in 0..<16 {
      guard let piece = try reader.piece(of: lineage, at: next), piece.row == record.row,
        piece.seqs.upperBound < .max
      else {
        isUnfinished = false
        if let expected = record.last, next <= expected, record.entries > 0 {
          report.add("The last entries are missing.", record.id, next...expected)
        }
        return
      }
      if isThorough, next > 0, next == record.parent?.start { checkFirst(piece, reader, lineage) }
      check(piece)
      next = piece.seqs.upperBound + 1
    }
  }

  /// Compares the changes of a branch's first entry with the state that it shares. That entry needs
  /// no earlier state, so the chain does not have it.
  private mutating func checkFirst(
    _ piece: StoredPiece, _ reader: StoreReader, _ lineage: Lineage
  ) {
    guard let first = try? piece.entry(at: next),
      case .known(let base)? = try? reader.moment(of: lineage, at: next - 1)
    else { return }
    let shared = EntryChain(after: next - 1, end: base)
    if let contradiction = shared.contradiction(of: first, sentBy: senders.sender(of: next)) {
      report.add(contradiction, record.id, next...next, from: .recorder)
    }
  }

  private mutating func check(_ piece: StoredPiece) {
    let run: EntryRun
    switch piece.content {
    case .success(let content): run = content
    case .failure(let error):
      report.add("\(error)", record.id, piece.seqs)
      restart(after: piece.seqs.upperBound)
      return
    }
    if piece.chunk != nil, !piece.isIndexed { report.unindexed += 1 }
    guard run.holdsEntries else {
      report.add("The lines are not the entries that they should be.", record.id, piece.seqs)
      restart(after: piece.seqs.upperBound)
      return
    }
    entries += Int64(run.count)
    for index in 0..<run.count where isThorough || index == 0 {
      guard let entry = try? run.entry(at: index) else { continue }
      do {
        if isThorough, !isBaseMissing || entry.isKeyframe || entry.isThinned {
          let sender = senders.sender(of: entry.seq)
          if let contradiction = chain.contradiction(of: entry, sentBy: sender) {
            report.add(contradiction, record.id, entry.seq...entry.seq, from: .recorder)
          }
          try chain.append(entry)
          isBaseMissing = isBaseMissing && !entry.isKeyframe
        } else {
          try chain.checkPlace(of: entry)
          chain = EntryChain(after: entry.seq)
        }
      } catch {
        addProblem(error, entry)
        restart(after: entry.seq)
      }
    }
    if !isThorough { chain = EntryChain(after: run.last) }
  }

  private mutating func addProblem(_ error: TimelineError, _ entry: Entry) {
    switch error.reason {
    case .patch(let patch), .outputs(let patch):
      let beginning =
        patch.isOfLimit
        ? "A patch exceeds a limit"
        : "\(senders.sender(of: entry.seq)) sent a patch that does not apply"
      report.add(
        """
        \(beginning): \(error). States are unknown from there up to the next keyframe; the entries \
        themselves are intact.
        """, record.id, entry.seq...entry.seq, from: .recorder)
    case .notAfter, .skips, .gapDoesNotFit, .beyondNumbers, .timeBeyondNumbers, .timeDecreases,
      .patchWithoutBase,
      .changesMissing:
      report.add("\(error).", record.id, entry.seq...entry.seq)
    }
  }

  /// Continues after a problem, without reporting its consequences.
  private mutating func restart(after seq: Int64) {
    chain = EntryChain(after: seq)
    isBaseMissing = true
  }
}
