extension Kernel {
  /// The invariants that do not hold, as sentences; for tests, between two calls.
  package func checkInvariants() -> [String] {
    var violations: [String] = []
    func check(_ condition: Bool, _ sentence: String) {
      if !condition { violations.append(sentence) }
    }
    check(
      mode.has(.observed) == !(observers.isEmpty && middleware.isEmpty),
      "the observed bit is set exactly when there are observers")
    check(
      mode.has(.recorded) == !middleware.isEmpty,
      "the recorded bit is set exactly when there is middleware")
    check(mode.has(.tapped) == (_tap != nil), "the tapped bit is set exactly when there is a tap")
    check(
      mode.has(.waiting) == !queue.isEmpty,
      "the waiting bit is set exactly when the queue is not empty")
    check(observers.allSatisfy { $0.action != nil }, "a canceled observer is not in the list")
    if !isBusy {
      check(_handling == nil, "an idle machine handles nothing")
      check(effects.isEmpty, "an idle machine has no effect left")
      check(failure == nil, "an idle machine has recorded its errors")
      check(!mode.has(.eventful), "an idle machine has no eventful step")
      check(isHeld || queue.isEmpty, "only a held machine has queued inputs")
    }
    return violations
  }
}
