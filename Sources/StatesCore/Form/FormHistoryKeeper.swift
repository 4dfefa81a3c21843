/// A form's history, with the part of the state it is about hidden from the form.
@usableFromInline
struct FormHistoryKeeper<State> {
  /// The state after going one step, and the number of the step it comes from.
  @usableFromInline typealias Return = (state: State, number: Int)

  /// Notes a step from one state to the next.
  @usableFromInline let change: (_ before: State, _ after: State, _ number: Int, UndoGroup?) -> Void
  @usableFromInline let undo: (_ current: State, _ number: Int) -> Return?
  @usableFromInline let redo: (_ current: State, _ number: Int) -> Return?
  @usableFromInline let counts: () -> (undo: Int, redo: Int)
  /// The numbers of the steps to which an undo and a redo would lead now.
  @usableFromInline let targets: () -> (undo: Int?, redo: Int?)
  /// The current state with what the history is about taken from an earlier one.
  @usableFromInline let merging: (_ current: State, _ past: State) -> State

  /// A history of whole states.
  @inlinable
  init(limit: Int) {
    var history = FormHistory<State>(limit: limit)
    change = { before, _, number, group in
      history.change(from: before, number: number, group: group)
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

  /// A history of one part; a change that leaves it equal is none.
  @inlinable
  init<Part: Equatable>(of path: WritableKeyPath<State, Part>, limit: Int) {
    var history = FormHistory<Part>(limit: limit)
    func returning(_ moment: FormHistory<Part>.Moment, into state: State) -> Return {
      var state = state
      state[keyPath: path] = moment.part
      return (state, moment.number)
    }
    change = { before, after, number, group in
      guard before[keyPath: path] != after[keyPath: path] else { return }
      history.change(from: before[keyPath: path], number: number, group: group)
    }
    undo = { current, number in
      history.undo(from: current[keyPath: path], number: number)
        .map { returning($0, into: current) }
    }
    redo = { current, number in
      history.redo(from: current[keyPath: path], number: number)
        .map { returning($0, into: current) }
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
