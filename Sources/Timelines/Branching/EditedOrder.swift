import JSONCore

/// The order of entries that a script produces.
///
/// Only entries in the script are listed. Each entry has a *home*, its place in the parent. Before
/// each home there is a *slot* for new events and for entries that left their own home. So the cost
/// depends on the script, not on the timeline.
struct EditedOrder {
  let shape: TimelineShape

  /// The entry with whose moment the branch begins.
  private(set) var start: Int64
  /// The state that replaces that moment's state, if any.
  private(set) var givenState: JSONSlice?
  /// The empty homes.
  private(set) var vacant = SeqSet()
  private(set) var slots = EditedSlots()
  private(set) var replaced: [Int64: (event: JSONSlice, edit: Int)] = [:]
  /// Losses up to and including this home are skipped.
  private(set) var lossesThrough: Int64
  /// The first entry that each edit changed at its home, for edits that leave no entry in the order.
  private(set) var touched: [(edit: Int, seq: Int64)] = []

  init(_ shape: TimelineShape) {
    self.shape = shape
    start = shape.first
    slots.close(through: shape.first)
    lossesThrough = shape.through
  }

  /// Applies one edit. After an error, the order is invalid.
  mutating func apply(_ edit: Edit, index: Int) throws(EditError) {
    do {
      try perform(edit, index)
    } catch {
      throw EditError(error, index: index)
    }
  }

  private mutating func perform(_ edit: Edit, _ index: Int) throws(EditError.Reason) {
    switch edit {
    case .drop(let range): try drop(range, index)
    case .replace(let seq, let event):
      try checkEvent(seq)
      replaced[seq] = (event, index)
    case .insert(let event, let seq): try put(.new(event, edit: index), before: seq)
    case .move(let seq, let target):
      try checkEvent(seq)
      try checkTarget(target)
      guard seq != target else { return }
      touched.append((index, seq))
      leave(seq)
      try put(.moved(seq, edit: index), before: target)
    case .append(let event): slots.append(.new(event, edit: index), to: .end)
    case .cut(let seq):
      touched.append((index, seq))
      try cut(after: seq)
    case .start(let state): givenState = state
    case .startAt(let seq):
      try begin(at: seq)
      givenState = nil
    }
  }
}

extension EditedOrder {
  private func checkAlive(_ seq: Int64) throws(EditError.Reason) {
    guard shape.has(seq) else { throw .doesNotExist(seq) }
    guard seq == start || slots.slot(of: seq) != nil || !vacant.contains(seq) else {
      throw .removed(seq)
    }
  }

  /// Checks that an entry can be dropped, moved, or replaced.
  private func checkEvent(_ seq: Int64) throws(EditError.Reason) {
    try checkAlive(seq)
    guard seq != start else { throw .isStart(seq) }
    guard !shape.isFixedPoint(seq) else { throw .isFixedPoint(seq) }
  }

  /// Checks that an insertion before an entry is possible.
  private func checkTarget(_ seq: Int64) throws(EditError.Reason) {
    guard !isEnd(seq) else { return }
    try checkAlive(seq)
    guard seq != start else { throw .isStart(seq) }
  }

  private func isEnd(_ seq: Int64) -> Bool { seq > shape.through && seq - 1 == shape.through }

  private mutating func put(
    _ item: EditedSlots.Item, before seq: Int64
  ) throws(EditError.Reason) {
    try checkTarget(seq)
    if isEnd(seq) {
      slots.append(item, to: .end)
    } else if slots.slot(of: seq) != nil {
      slots.insert(item, before: seq)
    } else {
      slots.append(item, to: .before(seq))
    }
  }

  /// Removes an entry from its current place.
  private mutating func leave(_ seq: Int64) {
    if !slots.remove(seq) { vacant.insert(seq...seq) }
  }

  private mutating func drop(
    _ range: ClosedRange<Int64>, _ index: Int
  ) throws(EditError.Reason) {
    if let reason = whyNotDropped(range) { throw reason }
    for part in vacant.parts(in: range) {
      for seq in part { leave(seq) }
    }
    vacant.insert(range)
    touched.append((index, range.lowerBound))
  }

  /// The error of the first entry of a range that cannot be dropped.
  private func whyNotDropped(_ range: ClosedRange<Int64>) -> EditError.Reason? {
    var found: [(seq: Int64, reason: EditError.Reason)] = []
    var missing = [shape.lostRange(in: range)?.clamped(to: range).lowerBound]
    if range.lowerBound < shape.first { missing.append(range.lowerBound) }
    if range.upperBound > shape.through {
      // The range goes beyond `through`, so the next number exists.
      missing.append(max(range.lowerBound, shape.through + 1))
    }
    if let seq = missing.compactMap(\.self).min() { found.append((seq, .doesNotExist(seq))) }
    // Stops at the first removed entry, so it checks at most the moved ones.
    let removed = vacant.parts(in: range).lazy.joined().first { seq in
      slots.slot(of: seq) == nil && seq != start
    }
    if let removed { found.append((removed, .removed(removed))) }
    if range.contains(start) { found.append((start, .isStart(start))) }
    if let seq = shape.fixedPoint(in: range) { found.append((seq, .isFixedPoint(seq))) }
    return found.min { $0.seq < $1.seq }?.reason
  }

  private mutating func cut(after seq: Int64) throws(EditError.Reason) {
    try checkAlive(seq)
    let slot = seq == start ? nil : slots.slot(of: seq)
    if slot != nil { slots.removeAll(behind: seq) }
    if slot != .end { slots.emptyEnd() }
    switch slot {
    case nil where seq == start:
      slots.close(behind: slots.openBehind)
      vacant.insert(shape.first...shape.through)
      lossesThrough = slots.openBehind
    case nil:
      slots.close(behind: seq)
      if seq < shape.through { vacant.insert(seq + 1...shape.through) }
      lossesThrough = min(lossesThrough, seq)
    case .before(let home):
      slots.close(behind: home)
      vacant.insert(home...shape.through)
      // Insertions before the entry after a loss come before the loss.
      lossesThrough = min(lossesThrough, home - 1)
    case .end: break
    }
  }

  private mutating func begin(at seq: Int64) throws(EditError.Reason) {
    try checkAlive(seq)
    guard seq != start else { return }
    defer { start = seq }
    let slot = slots.slot(of: seq)
    if slot != nil { slots.removeAll(through: seq) }
    let last: Int64 =
      switch slot {
      case nil: seq
      case .before(let home): home - 1
      case .end: shape.through
      }
    slots.close(through: last)
    vacant.insert(shape.first...last)
  }
}
