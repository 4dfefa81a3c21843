import JSONCore
package import Timelines

/// Imports a `.timeline` or `.timeline.zst` file while it arrives.
///
/// The timeline is not visible before it is complete: an import that is canceled, or whose process
/// ends, leaves nothing behind. If an import ends neither with ``finish()`` nor with an error, call
/// ``cancel()``. Memory is bounded by the longest line and the state.
///
/// ```swift
/// var file = store.makeImport()
/// while let bytes = try read() { try await file.add(bytes) }
/// let report = try await file.finish()
/// ```
package struct TimelineImport {
  package struct Report: Hashable, Sendable {
    package var timeline: TimelineID
    package var entries: Int64
    package var repairs: Repairs
    /// How many entries lost their state because a patch exceeds a limit, and which.
    var limited = 0
    var limit: PatchError?
    /// How many lines could not be read.
    package var skippedLines: Int
    /// An incomplete line at the end, which was omitted.
    package var torn: TornTail?

    /// What is missing from the file, as a sentence; `nil` if nothing is.
    package var note: String? {
      let notes = [tornNote, thinnedNote, limitNote].compactMap { $0 }
      return notes.isEmpty ? nil : notes.joined(separator: " ")
    }

    private var thinnedNote: String? {
      let wrong = repairs.thinned - limited
      guard wrong > 0 else { return nil }
      let entries = wrong == 1 ? "1 entry has" : "\(wrong) entries have"
      return """
        \(entries) patches that do not apply: the events were imported, but not the states after \
        them. Whatever recorded the file has a bug.
        """
    }

    private var limitNote: String? {
      guard limited > 0, let limit else { return nil }
      let entries = limited == 1 ? "1 entry has" : "\(limited) entries have"
      return """
        \(entries) no state, because a patch exceeds a limit: \(limit.reason). The events were \
        imported. To see the states, record more keyframes, or smaller changes.
        """
    }

    private var tornNote: String? {
      guard let torn else { return nil }
      let whole =
        switch entries {
        case 0: "No entry before it is whole"
        case 1: "The entry before it is whole"
        default: "The \(entries) entries before it are whole"
        }
      return """
        The file ends in the middle of line \(torn.line). \(whole); to get the rest, copy or export \
        the file again.
        """
    }
  }

  private let store: Store
  private let isRecovering: Bool
  private let limits: ImportLimits
  private var reader: TimelineFileReader
  private var unpacking: UnpackingStream?
  private var start: [UInt8]? = []
  private var chain = EntryChain()
  private var repairs = Repairs()

  /// Why a patch did not apply, until a keyframe follows.
  private var wrongPatch: PatchError?
  private var limited = 0
  private var limit: PatchError?

  private var count: Int64 = 0
  private var waiting: [Entry] = []
  private var waitingBytes = 0
  private var id: TimelineID?

  init(store: Store, isRecovering: Bool, limits: ImportLimits) {
    self.store = store
    self.isRecovering = isRecovering
    self.limits = limits
    reader = TimelineFileReader(
      mode: isRecovering ? .lenient : .strict, lineLimit: limits.lineBytes,
      headerLimit: limits.headerBytes)
  }

  /// Reads the next bytes of the file. An error cancels the import.
  package mutating func add(_ bytes: [UInt8]) async throws {
    do {
      try await parse(bytes)
    } catch {
      await cancel()
      throw error
    }
  }

  /// Completes the import and makes the timeline visible.
  package mutating func finish() async throws -> Report {
    do {
      if let start {
        self.start = nil
        try await read(start)
      }
      if unpacking?.isInside == true, !isRecovering {
        throw StoreError(
          .packed(
            "it ends inside a frame; to fix, copy or export the file again")
        )
      }
      var items: [TimelineFileReader.Item] = []
      let torn = try Self.mapping { () throws(TimelineFileError) in
        try reader.finish { items.append($0) }
      }
      try await store(items)
      try await flush()
      guard let id else { throw StoreError(.file(TimelineFileError(.empty, line: 1, at: 0))) }
      try await store.publish(id)
      self.id = nil
      return Report(
        timeline: id, entries: count, repairs: repairs, limited: limited, limit: limit,
        skippedLines: reader.skippedCount, torn: torn)
    } catch {
      await cancel()
      throw error
    }
  }

  package mutating func cancel() async {
    guard let id else { return }
    self.id = nil
    await store.removeImport(id)
  }

  private mutating func parse(_ bytes: [UInt8]) async throws {
    guard var start else {
      guard let unpacking else { return try await read(bytes) }
      // Store the output before decompressing more. Two KiB become at most 35 MiB.
      for slice in stride(from: 0, to: bytes.count, by: 2_048) {
        var parts: [[UInt8]] = []
        let end = min(slice + 2_048, bytes.count)
        try unpacking.unpack(Array(bytes[slice..<end])) { parts.append($0) }
        for part in parts { try await read(part) }
      }
      return
    }
    start += bytes
    self.start = start
    // The magic number of zstd has four bytes.
    guard start.count >= 4 else { return }
    self.start = nil
    if start.starts(with: [0x28, 0xB5, 0x2F, 0xFD]) {
      unpacking = UnpackingStream(limits: limits)
      guard unpacking != nil else { throw StoreError(.packed("there is no memory")) }
    }
    try await parse(start)
  }

  private mutating func read(_ bytes: [UInt8]) async throws {
    var items: [TimelineFileReader.Item] = []
    try Self.mapping { () throws(TimelineFileError) in
      try reader.read(bytes) { items.append($0) }
    }
    try await store(items)
  }

  private mutating func store(_ items: [TimelineFileReader.Item]) async throws {
    for item in items {
      switch item {
      case .header(let header):
        try await store.beginImport(header)
        id = header.timeline
      case .entry(let entry, let line, let offset):
        if let entry = try checked(entry, line: line, offset: offset) {
          waiting.append(entry)
          waitingBytes += entry.line.range.count
        }
      }
    }
    // A commit takes as long for a MiB as for a line.
    if waitingBytes >= 1 << 20 { try await flush() }
  }

  /// An entry that can follow the previous ones, repaired if requested.
  private mutating func checked(
    _ entry: Entry, line: Int, offset: Int
  ) throws(StoreError) -> Entry? {
    if isRecovering { return chain.appendRepaired(entry, &repairs) }
    do {
      try chain.append(entry)
    } catch {
      if let thinned = thinned(entry, because: error) { return thinned }
      throw StoreError(.file(TimelineFileError(.order(error), line: line, at: offset)))
    }
    if entry.isKeyframe { wrongPatch = nil }
    return entry
  }

  /// An entry without its state, from a patch that does not apply up to the next keyframe.
  ///
  /// A daemon may have stored such entries, and exports them unchanged; their events are worth
  /// keeping.
  private mutating func thinned(_ entry: Entry, because error: TimelineError) -> Entry? {
    switch error.reason {
    case .patch(let error), .outputs(let error): wrongPatch = error
    case .patchWithoutBase where wrongPatch != nil && entry.gap == nil: break
    case .notAfter, .skips, .gapDoesNotFit, .beyondNumbers, .timeBeyondNumbers, .timeDecreases,
      .patchWithoutBase,
      .changesMissing:
      return nil
    }
    let thinned = repairs.thinned
    defer {
      if wrongPatch?.isOfLimit == true {
        limited += repairs.thinned - thinned
        limit = limit ?? wrongPatch
      }
    }
    return chain.appendRepaired(entry, &repairs)
  }

  private mutating func flush() async throws {
    guard let id, !waiting.isEmpty else { return }
    _ = try await store.append(AppendBatch(id, waiting))
    count += Int64(waiting.count)
    (waiting, waitingBytes) = ([], 0)
  }

  private static func mapping<Value>(
    _ body: () throws(TimelineFileError) -> Value
  ) throws(StoreError) -> Value {
    do {
      return try body()
    } catch {
      throw StoreError(.file(error))
    }
  }
}

extension Store {
  /// Starts an import; with `recovering`, unreadable entries are omitted instead of refused.
  package nonisolated func makeImport(
    recovering: Bool = false, limits: ImportLimits = ImportLimits()
  ) -> TimelineImport {
    TimelineImport(store: self, isRecovering: recovering, limits: limits)
  }

  nonisolated func beginImport(_ header: Header) async throws {
    try checkWriting()
    _ = try await answer { done in submit(.open(header, nil, isImport: true, done)) }
  }

  nonisolated func publish(_ id: TimelineID) async throws {
    try await answer { done in
      change(id, done: done) { live throws(StoreError) in
        [.publish(row: live.row), .close(row: live.row, isClosed: true, lost: nil)]
      }
    }
  }

  nonisolated func removeImport(_ id: TimelineID) async {
    try? await answer { done in
      change(id, done: done) { live throws(StoreError) in [.discard(row: live.row)] }
    }
  }
}
