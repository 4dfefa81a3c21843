public import JSONCore

extension EditScript {
  /// Plans the branch that the script makes of a timeline.
  ///
  /// - Throws: The first edit that cannot be applied, and why.
  public func plan(for timeline: Timeline, through: Int64? = nil) throws(EditError) -> ForkPlan {
    try plan(for: TimelineShape(of: timeline, through: through)) { seq in
      timeline[seq]?.event
    } state: { seq in
      timeline.state(at: seq)
    }
  }

  /// Plans the branch that the script makes of a timeline with this shape.
  ///
  /// - Parameters:
  ///   - shape: The shape of the timeline.
  ///   - event: Returns the event of an entry. Only called for entries with a replaced event.
  ///   - state: Returns the state after an entry, if known. Only called for the timeline's first entry,
  ///     if the script replaces its state.
  /// - Throws: The first edit that cannot be applied, and why.
  public func plan(
    for shape: TimelineShape, event: (Int64) -> JSONSlice?, state: (Int64) -> JSON?
  ) throws(EditError) -> ForkPlan {
    guard shape.has(shape.through) else { throw EditError(.throughDoesNotExist(shape.through)) }
    var order = EditedOrder(shape)
    for (index, edit) in edits.enumerated() { try order.apply(edit, index: index) }
    return try order.plan(event: event, state: state)
  }
}

extension EditedOrder {
  /// Plans the computation of this order; see ``EditScript/plan(for:event:state:)``.
  func plan(
    event: (Int64) -> JSONSlice?, state: (Int64) -> JSON?
  ) throws(EditError) -> ForkPlan {
    let pieces = pieces()
    var base = ForkPlan.Base.after(shape.first)
    var firstOwn = 0
    if let given = givenState, state(start) != given.value {
      base = .given(given, at: start)
    } else if start != shape.first {
      base = .at(start)
    } else {
      (base, firstOwn) = sharedPrefix(of: pieces, event: event)
    }
    let own = pieces[firstOwn...]
    let end = own.firstIndex { if case .loss = $0 { true } else { false } } ?? own.endIndex
    var gap: Int64?
    if end < own.endIndex, case .loss(let seq) = own[end] { gap = seq }
    return try ForkPlan(
      order: self, base: base, pieces: own[..<end], endedBeforeGapAt: gap,
      unreached: gap.map { unreached(behind: $0, own[end...]) } ?? [])
  }

  /// The last entry of the common prefix with the parent, and the first piece after it.
  private func sharedPrefix(
    of pieces: [Piece], event: (Int64) -> JSONSlice?
  ) -> (ForkPlan.Base, firstOwn: Int) {
    var last = shape.first
    // The fallback if the entries after a loss differ: a branch cannot begin there, because the state
    // before them is unknown.
    var beforeLoss: (seq: Int64, index: Int)?
    for (index, piece) in pieces.enumerated() {
      if case .loss(let seq) = piece {
        guard shape.lostRange(in: seq - 1...seq - 1)?.lowerBound == last + 1 else {
          return (.after(last), index)
        }
        beforeLoss = (last, index)
        last = seq - 1
        continue
      }
      guard let range = piece.seqs, range.lowerBound == last + 1, isUnchanged(piece, event) else {
        let place = beforeLoss ?? (last, index)
        return (.after(place.seq), place.index)
      }
      last = range.upperBound
      beforeLoss = nil
    }
    if let beforeLoss { return (.after(beforeLoss.seq), beforeLoss.index) }
    return (.after(last), pieces.count)
  }

  private func isUnchanged(_ piece: Piece, _ event: (Int64) -> JSONSlice?) -> Bool {
    guard case .entry(let seq, let new?, _, _) = piece else { return true }
    return event(seq)?.value == new.value
  }

  /// The edits that only affect entries after a loss.
  private func unreached(behind gap: Int64, _ pieces: ArraySlice<Piece>) -> [Int] {
    var edits = Set(touched.filter { $0.seq >= gap }.map(\.edit))
    for piece in pieces {
      switch piece {
      case .new(_, let edit): edits.insert(edit)
      case .entry(_, _, let own, _): edits.formUnion(own)
      case .run, .loss: break
      }
    }
    for touch in touched where touch.seq < gap { edits.remove(touch.edit) }
    return edits.sorted()
  }
}
