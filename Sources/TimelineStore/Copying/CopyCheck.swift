import JSONCore
import Timelines

// Safe: arrays lend their bytes for the length of a call, and zstd reads and writes within the lengths
// that it is given.

/// Checks the chunks of a copy like the entries of a file, one after another.
///
/// Nothing in a chunk is trusted: neither its numbers nor its frame, lines, order, or patches.
struct CopyCheck {
  private var chain: EntryChain
  private let zstd: Zstd
  private let indexer: any ChunkIndexer

  /// A check of the entries after a seq, with the moment after it if it is known.
  init(after last: Int64?, t: Int64, end: Snapshot?, indexer: any ChunkIndexer) throws(StoreError) {
    guard let zstd = Zstd() else { throw StoreError(.packing("there is no memory")) }
    self.zstd = zstd
    self.indexer = indexer
    chain = EntryChain(after: last, t: t, end: end)
  }

  mutating func check(_ packed: PackedRun) throws(StoreError) -> CheckedRun {
    let run = try unpacked(packed)
    var draft: DraftRun?
    var keyframes: [KeyframePlaces.Place] = []
    for index in 0..<run.count {
      let entry = try self.entry(at: index, of: run)
      do {
        try chain.append(entry)
      } catch {
        throw StoreError(.order(error))
      }
      if entry.isKeyframe {
        keyframes.append(.init(index: index, offset: run.place(at: index).lowerBound))
      }
      if draft == nil { draft = DraftRun(first: entry.seq, gap: entry.gap) }
      draft?.append(entry)
    }
    guard let draft, draft.bytes == run.bytes else {
      throw StoreError(.chunk("a line has white space around its entry"))
    }
    return CheckedRun(
      draft: draft, keyframes: KeyframePlaces.encoded(keyframes), index: indexer.rows(for: run),
      frame: packed.frame)
  }

  private func entry(at index: Int, of run: EntryRun) throws(StoreError) -> Entry {
    let seq = run.first + Int64(index)
    let entry: Entry
    do {
      entry = try Entry(reading: JSONSlice(validating: Array(run.line(at: index))))
    } catch {
      throw StoreError(.chunk("the line of entry \(seq) is not an entry: \(error)"))
    }
    guard entry.seq == seq else {
      throw StoreError(.chunk("the line of entry \(seq) has the seq \(entry.seq)"))
    }
    guard index == 0 || entry.gap == nil else {
      throw StoreError(.chunk("entry \(seq) has a 'gap', so it must begin a chunk"))
    }
    return entry
  }

  private func unpacked(_ packed: PackedRun) throws(StoreError) -> EntryRun {
    let limit = PackedRun.maximumBytes
    guard packed.first >= 0, packed.first <= packed.last, packed.last <= Entry.lastNumber else {
      throw StoreError(.chunk("it cannot have the entries \(packed.first) to \(packed.last)"))
    }
    guard packed.bytes > 0, packed.bytes <= limit, packed.frame.count <= PackedRun.maximumFrame
    else { throw StoreError(.chunk("it has more than \(limit) bytes of lines, or none")) }
    guard
      packed.bytes <= PackedRun.freeBytes
        || packed.bytes / PackedRun.maximumRatio <= packed.frame.count
    else {
      throw StoreError(.chunk("it unpacks to more than \(PackedRun.maximumRatio) times its size"))
    }
    let lines = packed.frame.withUnsafeBytes { frame in
      zstd.isOneFrameWithChecksum(frame) ? zstd.unpack(frame, count: Int(packed.bytes)) : nil
    }
    guard let lines else {
      throw StoreError(
        .chunk("its data is not one zstd frame of \(packed.bytes) bytes with a checksum"))
    }
    guard let run = EntryRun(first: packed.first, lines: lines), run.last == packed.last else {
      throw StoreError(
        .chunk("its lines are not those of the entries \(packed.first) to \(packed.last)"))
    }
    return run
  }
}

/// A chunk of a copy that may be stored after the entries that it was checked against.
struct CheckedRun: Sendable {
  var draft: DraftRun
  var keyframes: [UInt8]
  var index: IndexRows
  var frame: [UInt8]
}

extension LiveTimeline {
  /// Appends a chunk of a copy; returns the row to store.
  mutating func adopt(_ checked: CheckedRun, now: Int64) throws(StoreError) -> RowChange {
    let run = checked.draft
    guard let start = run.facts.first, let end = run.facts.last else {
      throw StoreError(.chunk("it has no entries"))
    }
    try checkPlace(of: run)
    let chunk = ChunkRow(
      row: row, ordinal: nextOrdinal, seqs: run.first...run.last,
      times: start.t...max(start.t, end.t),
      base: newest, newest: run.newestKeyframe ?? newest, isKnown: run.isKnownAtEnd,
      bytes: run.bytes.count, keyframes: checked.keyframes, packed: checked.frame, now: now)
    advance(over: chunk)
    return .seal(chunk, checked.index)
  }

  /// Continues after a chunk that was never in the tail.
  mutating func advance(over chunk: ChunkRow) {
    last = chunk.seqs.upperBound
    t = chunk.times.upperBound
    newest = chunk.newest
    isKnown = chunk.isKnown
    nextOrdinal = chunk.ordinal + 1
  }

  /// Whether all its entries are in chunks, so that a chunk may follow.
  var isSealed: Bool { waiting.isEmpty && sealing == 0 && !isImporting }
}
