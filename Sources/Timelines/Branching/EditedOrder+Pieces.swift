import JSONCore

extension EditedOrder {
  enum Piece {
    /// Unchanged entries at their homes.
    case run(ClosedRange<Int64>)
    /// One entry, with its new event, if any.
    case entry(Int64, event: JSONSlice?, edits: [Int], isMoved: Bool)
    case new(JSONSlice, edit: Int)
    /// Entries were lost before this one.
    case loss(before: Int64)
  }

  /// The order from the first entry after the start.
  func pieces() -> [Piece] {
    var pieces: [Piece] = []
    var next: Int64? = shape.first
    for mark in marks() {
      let loss = shape.lostRange(in: mark - 1...mark - 1)
      if let from = next { addHomes(from, before: loss?.lowerBound ?? mark, to: &pieces) }
      addSlot(.before(mark), to: &pieces)
      if loss != nil, mark > slots.openBehind, mark <= lossesThrough {
        pieces.append(.loss(before: mark))
      }
      if !vacant.contains(mark), mark != start { pieces.append(home(mark)) }
      next = mark == .max ? nil : mark + 1
    }
    if let from = next, from <= shape.through {
      addHomes(from, before: shape.through, to: &pieces)
      addHomes(shape.through, before: nil, to: &pieces)
    }
    addSlot(.end, to: &pieces)
    return Self.merged(Self.normalized(pieces))
  }

  /// The homes at which a piece begins, ascending.
  private func marks() -> [Int64] {
    var marks = Set(replaced.keys)
    for case .before(let seq) in slots.filled { marks.insert(seq) }
    // A loss ends before an entry, so the number after it exists.
    for lost in shape.lost where lost.upperBound < shape.through && lost.lowerBound > shape.first {
      marks.insert(lost.upperBound + 1)
    }
    return marks.filter { $0 > shape.first && $0 <= shape.through }.sorted()
  }

  /// Adds the entries that are at home from a seq up to another one or to the end.
  private func addHomes(_ from: Int64, before end: Int64?, to pieces: inout [Piece]) {
    let last = end.map { $0 - 1 } ?? from
    guard from <= last else { return }
    for range in vacant.holes(in: from...last) {
      if range.contains(start) {
        if range.lowerBound < start { pieces.append(.run(range.lowerBound...start - 1)) }
        if start < range.upperBound { pieces.append(.run(start + 1...range.upperBound)) }
      } else {
        pieces.append(.run(range))
      }
    }
  }

  private func addSlot(_ slot: EditedSlots.Slot, to pieces: inout [Piece]) {
    for item in slots.items(in: slot) {
      switch item {
      case .new(let event, let edit): pieces.append(.new(event, edit: edit))
      case .moved(let seq, let edit):
        let new = replaced[seq]
        let edits = [edit] + (new.map { [$0.edit] } ?? [])
        pieces.append(.entry(seq, event: new?.event, edits: edits, isMoved: true))
      }
    }
  }

  private func home(_ seq: Int64) -> Piece {
    guard let new = replaced[seq] else { return .run(seq...seq) }
    return .entry(seq, event: new.event, edits: [new.edit], isMoved: false)
  }

  /// Treats entries that were moved back to their old order as unmoved.
  private static func normalized(_ pieces: [Piece]) -> [Piece] {
    var leastAfter: [Int64] = Array(repeating: .max, count: pieces.count)
    var least = Int64.max
    for index in pieces.indices.reversed() {
      leastAfter[index] = least
      least = min(least, pieces[index].seqs?.lowerBound ?? .max)
    }
    var greatest: Int64 = -1
    return zip(pieces, leastAfter).map { piece, least in
      defer { greatest = max(greatest, piece.seqs?.upperBound ?? -1) }
      guard case .entry(let seq, let event, let edits, true) = piece, greatest < seq, seq < least
      else { return piece }
      return .entry(seq, event: event, edits: edits, isMoved: false)
    }
  }

  /// Joins adjacent runs.
  private static func merged(_ pieces: [Piece]) -> [Piece] {
    var merged: [Piece] = []
    for piece in pieces {
      if case .run(let range) = piece, case .run(let last)? = merged.last,
        last.upperBound == range.lowerBound - 1
      {
        merged[merged.count - 1] = .run(last.lowerBound...range.upperBound)
      } else {
        merged.append(piece)
      }
    }
    return merged
  }
}

extension EditedOrder.Piece {
  /// The parent's seqs in the piece.
  var seqs: ClosedRange<Int64>? {
    switch self {
    case .run(let range): range
    case .entry(let seq, _, _, _): seq...seq
    case .new, .loss: nil
    }
  }
}
