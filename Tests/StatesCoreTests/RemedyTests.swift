import StatesCore
import Testing

@Suite("What StatesCore's errors advise")
struct StatesCoreRemedyTests {
  @Test(
    "a dispatcher's errors",
    arguments: [
      (DispatchError.refused(state: "locked()"), "To fix, apply it after resuming."),
      (
        .mutationsNeverRun(state: "locked()"),
        "To fix, call the transition's second argument once, before the third."
      ),
      (
        .mutationsRunTwice(state: "locked()"),
        """
        ran its mutations twice; the second call was ignored. To fix, call the transition's \
        second argument once.
        """
      ),
      (
        .completedTwice(state: "locked()"),
        """
        The transition to locked() completed twice; the second call was ignored. To fix, call the \
        transition's third argument once.
        """
      ),
      (
        .neverCompleted(state: "locked()"),
        """
        The transition to locked() can no longer complete; the dispatcher continued. To fix, call \
        the transition's third argument once.
        """
      ),
      (
        .timeLimitExceeded(state: "locked()"),
        "To fix, call the transition's third argument, or allow more time."
      ),
      (
        .notCurrent(state: "locked()", current: nil),
        "locked() was not updated because no state is current. To fix, apply it first."
      ),
      (.doesNotUpdate(state: "locked()"), "To fix, add .onUpdate { … } or .alsoOnUpdate() to it."),
      (.inTransition(to: "locked()"), "To fix, wait until it completes."),
      (
        .notDispatchable(state: "locked()", type: "Door"),
        "To fix, add it to `static var dispatchable`."
      ),
    ])
  func dispatcherErrors(error: DispatchError, advice: String) {
    #expect(error.description.hasSuffix(advice), "\(error)")
  }

  @Test(
    "a chart's errors",
    arguments: [
      (
        ChartError.tooManyTransitions(limit: 3, trail: ["a", "b"]),
        """
        To fix, look for hooks that send the chart back and forth, or raise the limit in \
        ChartOptions.
        """
      ),
      (
        .payloadMismatch(message: "go", state: "open", expected: "Int", found: nil),
        "but got nothing. To fix, send the message with a payload of that type."
      ),
      (
        .invalid([.missingRoot(found: [])]),
        """
        The chart has no state "root" at its top, but nothing. To fix, put it under "root".
        """
      ),
      (
        .invalid([.duplicateName("open", paths: [["root", "open"], ["root", "a", "open"]])]),
        "root/open and root/a/open. To fix, rename all but one."
      ),
      (
        .invalid([.duplicateHandler(message: "go", path: ["root"])]),
        "root handles \"go\" more than once. To fix, keep one handler."
      ),
      (
        .invalid([.danglingTarget("opne", trigger: .message("go"), path: ["root"])]),
        "but there is no such state. To fix, correct the name or add the state."
      ),
      (
        .invalid([.unreachableState(path: ["root", "attic"])]),
        """
        To fix, go there from somewhere, remove it, or leave out the check for unreachable states.
        """
      ),
      (
        .invalid([.misplaced(key: "subStates", path: ["root"])]),
        """
        To fix, give "subStates" and every state a dictionary, and everything else a closure or \
        the name of a state.
        """
      ),
    ])
  func chartErrors(error: ChartError, advice: String) {
    #expect(error.description.hasSuffix(advice), "\(error)")
  }

  @Test(
    "errors of feedback",
    arguments: [
      (
        FeedbackError.queueIsFull(limit: 3),
        """
        To fix, look for a loop that responds to every state with an event, or raise eventLimit \
        in FeedbackOptions.
        """
      ),
      (
        .sentAfterReturning,
        """
        To fix, keep the effect waiting for as long as it has something to send, for example with \
        withCheckedContinuation.
        """
      ),
    ])
  func errorsOfFeedback(error: FeedbackError, advice: String) {
    #expect(error.description.hasSuffix(advice), "\(error)")
  }

  @Test(
    "a chart that cannot be replayed anywhere",
    arguments: [
      (ChartReplayability.onItsOwner, "To replay it anywhere, make it from a ChartDefinition."),
      (.notAtAll, "To replay it, make it from a ChartDefinition."),
    ])
  func chartThatCannotBeReplayedAnywhere(chart: ChartReplayability, advice: String) {
    #expect(chart.sentence.hasSuffix(advice))
  }

  @Test("the limits that errors name can be raised")
  func limitsThatErrorsNameCanBeRaised() {
    #expect(FeedbackOptions(eventLimit: 100_000).eventLimit == 100_000)
    #expect(ChartOptions(transitionLimit: 1_000).transitionLimit == 1_000)
  }
}
