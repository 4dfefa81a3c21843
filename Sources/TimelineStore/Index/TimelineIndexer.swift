internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// Makes the index of a chunk from its lines.
package struct TimelineIndexer: ChunkIndexer {
  package init() {}

  /// The version of the index format.
  static let formatVersion: Int64 = 2

  package let version = formatVersion

  package func rows(for chunk: EntryRun) -> IndexRows {
    var pass = IndexPass()
    chunk.bytes.withUnsafeBufferPointer { bytes in
      for index in 0..<chunk.count {
        pass.add(LineFields(bytes, line: chunk.place(at: index)), bytes, at: UInt32(index))
      }
    }
    return pass.rows
  }

  /// The summary of a longer stretch; an unreadable part counts as empty.
  package func summary(of parts: [[UInt8]]) -> [UInt8] {
    var sum = StretchSummary()
    for part in parts { StretchSummary(encoded: part).map { sum.add($0) } }
    sum.trimNames()
    return sum.encoded
  }

  /// The summary of some entries of a run.
  static func summary(of run: EntryRun, in seqs: ClosedRange<Int64>) -> StretchSummary {
    var pass = IndexPass()
    run.bytes.withUnsafeBufferPointer { bytes in
      for seq in seqs {
        let index = Int(seq - run.first)
        pass.count(LineFields(bytes, line: run.place(at: index)), bytes, at: UInt32(index))
      }
    }
    return pass.summary
  }
}

/// One pass over the lines of a chunk.
private struct IndexPass {
  private var counts = StretchSummary()
  private var names: [EventName: PlaceSet] = [:]
  private var changes = PostingBuilder()
  private var hidden = PostingBuilder()
  private var redacted = PlaceSet()
  private var unknown = PlaceSet()
  private var gaps = PlaceSet()
  private var hiddenEvents = PlaceSet()

  /// The maximum number of names whose positions a chunk stores, in one row each. The other names
  /// share one row, and a query for one of them reads all entries in it.
  private static let nameLimit = 256

  mutating func add(
    _ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>, at place: UInt32
  ) {
    count(fields, bytes, at: place)
    if !fields.gap.isEmpty { gaps.add(place) }
    // Nothing precedes entry 0, so nothing changes there.
    if bytes.integer(at: fields.seq) != 0 {
      if fields.patch.isEmpty { unknown.add(place) }
      record(fields.patch, .state, bytes, at: place)
      record(fields.outputs, .outputs, bytes, at: place)
    }
    if !fields.redacted.isEmpty {
      redacted.add(place)
      recordHidden(fields.redacted, bytes, at: place)
    }
  }

  mutating func count(
    _ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>, at place: UInt32
  ) {
    counts.entries += 1
    if !fields.error.isEmpty { counts.errors += 1 }
    if fields.isKeyframe { counts.keyframes += 1 }
    if fields.isThinned { counts.thinned += 1 }
    if fields.event.isEmpty { counts.eventless += 1 }
    if !fields.gap.isEmpty {
      let (sum, overflow) = counts.lost.addingReportingOverflow(bytes.lost(in: fields.gap))
      counts.lost = overflow ? .max : sum
    }
    if let name = bytes.eventName(at: fields.event) {
      names[EventName(text: name), default: PlaceSet()].add(place)
    }
  }

  private mutating func record(
    _ patch: Range<Int>, _ root: PostingBuilder.Root, _ bytes: UnsafeBufferPointer<UInt8>,
    at place: UInt32
  ) {
    var operations = PatchOperations(bytes, patch: patch)
    while let operation = operations.next() {
      let isShift = operation.kind != .replace
      if bytes.hasEscape(operation.path) {
        Array(bytes.text(inside: operation.path).utf8).withUnsafeBufferPointer {
          changes.record($0, in: root, isShift: isShift, at: place)
        }
      } else {
        let path = UnsafeBufferPointer(rebasing: bytes[operation.path])
        changes.record(path, in: root, isShift: isShift, at: place)
      }
    }
  }

  private mutating func recordHidden(
    _ redacted: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, at place: UInt32
  ) {
    var members = LineMembers(bytes, object: redacted)
    while let member = members.next() {
      let pointer = bytes.text(inside: member.key)
      guard let path = try? Pointer(pointer) else { continue }
      if path.tokens.isEmpty || pointer == "/event" { hiddenEvents.add(place) }
      for (root, name) in [(PostingBuilder.Root.state, "state"), (.outputs, "outputs")] {
        guard path.tokens.first.map({ $0 == name }) ?? true else { continue }
        let rest = Pointer(tokens: Array(path.tokens.dropFirst())).description
        Array(rest.utf8).withUnsafeBufferPointer {
          hidden.record($0, in: root, isShift: false, at: place)
        }
      }
    }
  }

  var summary: StretchSummary {
    var counts = counts
    counts.add(
      names: names.map { StretchSummary.Name(text: $0.text, count: Int64($1.places.count)) }
        .sorted { $0.text.precedesByBytes($1.text) })
    return counts
  }

  /// The rows, sorted, so that two indexes of the same lines are equal.
  var rows: IndexRows {
    var summary = summary
    let kept = StretchSummary.mostFrequent(summary.names, count: Self.nameLimit)
    var rows = IndexRows()
    rows.names = kept.sorted { $0.text.precedesByBytes($1.text) }.map { name in
      IndexRows.Name(
        name: name.text, count: name.count,
        entries: names[EventName(text: name.text)]?.encoded ?? [])
    }
    let keptNames = Set(kept.map { EventName(text: $0.text) })
    let others = names.filter { !keptNames.contains($0.key) }.flatMap(\.value.places).sorted()
    summary.trimNames()
    rows.summary = summary.encoded
    var postings = changes.postings()
    if !redacted.isEmpty {
      postings.append((.redacted, redacted))
      postings += hidden.postings(hidden: true)
    }
    if !unknown.isEmpty { postings.append((.unknown, unknown)) }
    if !gaps.isEmpty { postings.append((.gap, gaps)) }
    if !hiddenEvents.isEmpty { postings.append((.hiddenEvent, hiddenEvents)) }
    if !others.isEmpty { postings.append((.otherName, PlaceSet(others))) }
    // Two paths may share a key.
    let byKey = Dictionary(postings.map { ($0.key.number, $0.places) }) { left, right in
      PlaceSet(Set(left.places + right.places).sorted())
    }
    rows.postings = byKey.sorted { $0.key < $1.key }
      .map { IndexRows.Posting(key: $0.key, seqs: $0.value.encoded) }
    return rows
  }
}
