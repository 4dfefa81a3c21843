/// How a form is run again from a recording, on a fresh one that nobody observes, and driven.
extension StateForm {
  /// The state that the reducer makes of an event.
  package func replay(_ event: Event, in state: State) -> State {
    kernel.restore(state, at: CallSite())
    kernel.send(.event(event, group: nil), at: CallSite(), evenWhileHeld: true)
    return kernel.state
  }

  /// The state after going back, or forward again, to an earlier one: whole, or as far as the
  /// history is about it.
  package func returning(from current: State, to past: State) -> State {
    history.merging(current, past)
  }

  /// The numbers of the steps to which an undo and a redo would lead now; nil where there is nothing
  /// to go to.
  package var returnTargets: (undo: Int?, redo: Int?) { history.targets() }
}
