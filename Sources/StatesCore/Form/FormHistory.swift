/// What can be undone and redone: a bounded list of earlier values, each with the number of the
/// step that made it.
@usableFromInline
struct FormHistory<Part> {
  @usableFromInline
  struct Moment {
    @usableFromInline let part: Part
    @usableFromInline let number: Int
    /// The group of the change that left this moment.
    @usableFromInline let group: UndoGroup?

    @inlinable
    init(part: Part, number: Int, group: UndoGroup?) {
      self.part = part
      self.number = number
      self.group = group
    }
  }

  @usableFromInline let limit: Int
  @usableFromInline var undoable: [Moment] = []
  @usableFromInline var redoable: [Moment] = []

  @inlinable
  init(limit: Int) {
    self.limit = max(0, limit)
  }

  /// Notes a fresh change, which left the moment `before`; what could be redone is gone.
  @inlinable
  mutating func change(from before: Part, number: Int, group: UndoGroup?) {
    let continuesGroup = group != nil && undoable.last?.group == group && redoable.isEmpty
    redoable.removeAll()
    guard limit > 0, !continuesGroup else { return }
    undoable.append(Moment(part: before, number: number, group: group))
    // One at a time: moving a hundred references is cheaper than a ring is complicated.
    if undoable.count > limit { undoable.removeFirst() }
  }

  /// Goes back from `current`; nil when there is nothing to go back to.
  @inlinable
  mutating func undo(from current: Part, number: Int) -> Moment? {
    guard let moment = undoable.popLast() else { return nil }
    redoable.append(Moment(part: current, number: number, group: moment.group))
    return moment
  }

  /// Goes forward from `current`; nil when there is nothing to go forward to.
  @inlinable
  mutating func redo(from current: Part, number: Int) -> Moment? {
    guard let moment = redoable.popLast() else { return nil }
    undoable.append(Moment(part: current, number: number, group: moment.group))
    return moment
  }
}
