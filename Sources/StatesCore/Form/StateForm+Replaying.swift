/// Replays a recording, on a fresh form without observers.
extension StateForm {
  /// The state after the reducer has handled an event.
  package func replay(_ event: Event, in state: State) -> State {
    kernel.restore(state, at: CallSite())
    kernel.send(.event(event, group: nil), at: CallSite(), evenWhileHeld: true)
    return kernel.state
  }

  /// The state after an undo or redo to `past`: the whole state, or the part that the history
  /// covers.
  package func returning(from current: State, to past: State) -> State {
    history.merging(current, past)
  }

  /// The numbers of the steps to which an undo and a redo would lead now; nil if there is nothing
  /// to undo or redo.
  package var returnTargets: (undo: Int?, redo: Int?) { history.targets() }
}
