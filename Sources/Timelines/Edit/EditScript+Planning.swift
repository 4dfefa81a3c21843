public import JSONCore

extension EditScript {
  /// What carrying out the script on a timeline takes.
  ///
  /// - Throws: The first edit that cannot be carried out, and why.
  public func plan(for timeline: Timeline, through: Int64? = nil) throws(EditError) -> ForkPlan {
    try plan(for: TimelineShape(of: timeline, through: through)) { seq in
      timeline[seq]?.event
    } state: { seq in
      timeline.state(at: seq)
    }
  }

  /// What carrying out the script on a timeline takes, told from its shape.
  ///
  /// - Parameters:
  ///   - shape: Which entries there are.
  ///   - event: The event of an entry. Asked only for entries that are given another one.
  ///   - state: The state after an entry, when it is known. Asked only for the entry that the
  ///     timeline begins with, when the script gives another state.
  /// - Throws: The first edit that cannot be carried out, and why.
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
  /// What it takes to compute this order; see ``EditScript/plan(for:event:state:)``.
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

  /// The last entry up to which the order is the parent's, and the first piece after it.
  private func sharedPrefix(
    of pieces: [Piece], event: (Int64) -> JSONSlice?
  ) -> (ForkPlan.Base, firstOwn: Int) {
    var last = shape.first
    // Where to go back to when what follows a loss differs: a branch cannot begin there, for the
    // state before is not known.
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

  /// The edits that only concern what is behind a loss.
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
