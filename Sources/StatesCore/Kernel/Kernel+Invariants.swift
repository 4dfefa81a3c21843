extension Kernel {
  /// Sentences about what should hold between two calls and does not; for tests.
  package func checkInvariants() -> [String] {
    var violations: [String] = []
    func check(_ condition: Bool, _ sentence: String) {
      if !condition { violations.append(sentence) }
    }
    check(
      mode.has(.observed) == !(observers.isEmpty && middleware.isEmpty),
      "the observed bit tells whether there are observers")
    check(
      mode.has(.recorded) == !middleware.isEmpty,
      "the recorded bit tells whether there is middleware")
    check(mode.has(.tapped) == (_tap != nil), "the tapped bit tells whether there is a tap")
    check(
      mode.has(.waiting) == !queue.isEmpty,
      "the waiting bit tells whether something waits")
    check(observers.allSatisfy { $0.action != nil }, "a cancelled observer is not in the list")
    if !isBusy {
      check(_handling == nil, "an idle machine handles nothing")
      check(effects.isEmpty, "an idle machine has no effect left")
      check(failure == nil, "an idle machine has settled its errors")
      check(!mode.has(.eventful), "an idle machine has no eventful step")
      check(isHeld || queue.isEmpty, "only in a held machine something waits")
    }
    return violations
  }
}
