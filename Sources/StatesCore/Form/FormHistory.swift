/// What can be undone and redone: a bounded list of earlier values, each with the number of the
/// step that made it.
@usableFromInline
struct FormHistory<Part> {
  @usableFromInline
  struct UndoPoint {
    @usableFromInline let part: Part
    @usableFromInline let number: Int
    /// The group of the change that started at this point.
    @usableFromInline let group: UndoGroup?

    @inlinable
    init(part: Part, number: Int, group: UndoGroup?) {
      self.part = part
      self.number = number
      self.group = group
    }
  }

  @usableFromInline let limit: Int
  @usableFromInline var undoable: [UndoPoint] = []
  @usableFromInline var redoable: [UndoPoint] = []

  @inlinable
  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Records a new change, which started at the state `before`, and clears the redo list.
  @inlinable
  mutating func recordChange(from before: Part, number: Int, group: UndoGroup?) {
    let continuesGroup = group != nil && undoable.last?.group == group && redoable.isEmpty
    redoable.removeAll()
    guard limit > 0, !continuesGroup else { return }
    undoable.append(UndoPoint(part: before, number: number, group: group))
    // Moving a hundred references per change is cheap enough not to need a ring buffer.
    if undoable.count > limit { undoable.removeFirst() }
  }

  /// Goes back from `current`; returns nil when there is nothing to undo.
  @inlinable
  mutating func undo(from current: Part, number: Int) -> UndoPoint? {
    guard let point = undoable.popLast() else { return nil }
    redoable.append(UndoPoint(part: current, number: number, group: point.group))
    return point
  }

  /// Goes forward from `current`; returns nil when there is nothing to redo.
  @inlinable
  mutating func redo(from current: Part, number: Int) -> UndoPoint? {
    guard let point = redoable.popLast() else { return nil }
    undoable.append(UndoPoint(part: current, number: number, group: point.group))
    return point
  }
}
