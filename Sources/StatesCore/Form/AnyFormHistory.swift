/// A form's history, with the type of the part of the state it covers erased.
@usableFromInline
struct AnyFormHistory<State> {
  /// The state after an undo or redo, and the number of the step it comes from.
  @usableFromInline typealias Revert = (state: State, number: Int)

  @usableFromInline let recordChange:
    (_ before: State, _ after: State, _ number: Int, UndoGroup?) -> Void
  @usableFromInline let undo: (_ current: State, _ number: Int) -> Revert?
  @usableFromInline let redo: (_ current: State, _ number: Int) -> Revert?
  @usableFromInline let counts: () -> (undo: Int, redo: Int)
  /// The numbers of the steps to which an undo and a redo would lead now.
  @usableFromInline let targets: () -> (undo: Int?, redo: Int?)
  /// The current state, with the part that the history covers replaced by that of an earlier state.
  @usableFromInline let merging: (_ current: State, _ past: State) -> State

  /// A history of whole states.
  @inlinable
  init(limit: Int) {
    var history = FormHistory<State>(limit: limit)
    recordChange = { before, _, number, group in
      history.recordChange(from: before, number: number, group: group)
    }
    undo = { current, number in
      history.undo(from: current, number: number).map { ($0.part, $0.number) }
    }
    redo = { current, number in
      history.redo(from: current, number: number).map { ($0.part, $0.number) }
    }
    counts = { (history.undoable.count, history.redoable.count) }
    targets = { (history.undoable.last?.number, history.redoable.last?.number) }
    merging = { _, past in past }
  }

  /// A history of one part; a step that leaves it equal is not a change.
  @inlinable
  init<Part: Equatable>(of path: WritableKeyPath<State, Part>, limit: Int) {
    var history = FormHistory<Part>(limit: limit)
    func reverting(_ point: FormHistory<Part>.UndoPoint, into state: State) -> Revert {
      var state = state
      state[keyPath: path] = point.part
      return (state, point.number)
    }
    recordChange = { before, after, number, group in
      guard before[keyPath: path] != after[keyPath: path] else { return }
      history.recordChange(from: before[keyPath: path], number: number, group: group)
    }
    undo = { current, number in
      history.undo(from: current[keyPath: path], number: number)
        .map { reverting($0, into: current) }
    }
    redo = { current, number in
      history.redo(from: current[keyPath: path], number: number)
        .map { reverting($0, into: current) }
    }
    counts = { (history.undoable.count, history.redoable.count) }
    targets = { (history.undoable.last?.number, history.redoable.last?.number) }
    merging = { current, past in
      var state = current
      state[keyPath: path] = past[keyPath: path]
      return state
    }
  }
}
