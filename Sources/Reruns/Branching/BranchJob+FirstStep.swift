internal import Timelines
internal import Wire

// Whether a host can run what the script adds.
extension BranchJob {
  /// Waits until the first step has run, has failed, or is not going to run soon.
  ///
  /// - Returns: the reason why the branch cannot exist as requested: the host cannot decode the
  ///   event or the state that the script starts with. `nil` otherwise.
  func refusedBeginning(milliseconds: Int64) async -> EarlyEnd? {
    if !isDecided, mayBeginWithGiven { await decided.wait(upTo: 0, milliseconds: milliseconds) }
    guard case .finished = phase, let early, early.why == .undecodable,
      runner.next <= draft.plan.firstStep, isBeginningGiven
    else { return nil }
    return early
  }

  /// Whether the script supplies an event or a state. Other scripts need not wait for the host.
  private var mayBeginWithGiven: Bool {
    draft.header.parent?.edits.edits.contains { edit in
      switch edit {
      case .replace, .insert, .append, .start: true
      case .drop, .move, .cut, .startAt: false
      }
    } ?? false
  }

  /// Marks the result of the first step as known.
  func decide() {
    guard !isDecided else { return }
    isDecided = true
    decided.releaseAll()
  }

  /// Whether the step that failed is from the script, not from the recording.
  private var isBeginningGiven: Bool {
    if case .given = draft.plan.base, runner.needsFirst { return true }
    guard let step = runner.expected.first?.step else { return false }
    guard let was = step.was else { return true }
    return draft.header.parent?.edits.edits.contains { edit in
      if case .replace(was, _) = edit { true } else { false }
    } ?? false
  }
}
