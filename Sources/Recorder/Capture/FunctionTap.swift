public import StatesCore
public import Synchronization

/// The recorder's place around a function from state and event to state.
///
/// It belongs to whoever calls the function, as a machine belongs to whoever sends to it.
@usableFromInline
package final class FunctionTap<State: Sendable, Event: Sendable> {
  @usableFromInline let inbox: Inbox<State, Event>
  @usableFromInline let clock: RecorderClock
  @usableFromInline let site: CallSite
  @usableFromInline let slot: InFlightSlot<Event, Event>
  /// Whether the step before was captured with its state.
  @usableFromInline var hadState = true
  /// Up to which look of the recorder's thread there is no room for a state.
  @usableFromInline var refusedAt = -1

  init(_ admission: Admission<State, Event>, at site: CallSite) {
    inbox = admission.inbox
    clock = admission.clock
    self.site = site
    slot = admission.inbox.makeSlot { $0 }
  }

  deinit {
    inbox.end()
  }

  /// Calls a pure function: it copies what it changes with or without the recorder.
  @inlinable
  func call(_ before: State, _ event: Event, _ body: (State) -> State) -> State {
    slot.note(event)
    let begun = clock.now
    let after = body(before)
    push(event, before, after, begun: begun)
    return after
  }

  /// Calls a function that changes its state in place: it copies what the recorder still holds.
  @inlinable
  func change<Answer>(
    _ state: inout State, _ event: Event, _ body: (inout State) -> Answer
  ) -> Answer {
    slot.note(event)
    // Until the thread has looked again the answer is the same, so a burst does not even ask.
    let look = inbox.looks.load(ordering: .relaxed)
    let begun = look == refusedAt ? 0 : clock.now
    guard look != refusedAt, inbox.wantsState(isCopied: true, now: begun) else {
      refusedAt = look
      let answer = body(&state)
      pushThinned(event, begun: begun)
      return answer
    }
    // Holding on to a state that the recorder does not have already would cost one more copy.
    let before = hadState ? state : nil
    let answer = body(&state)
    push(event, before, state, begun: begun)
    return answer
  }

  @inlinable
  func push(_ event: Event, _ before: State?, _ after: State, begun: UInt64) {
    let now = clock.now
    slot.note(nil)
    hadState = true
    inbox.push(
      CapturedStep(
        payload: event, before: before, after: after, details: details, time: now,
        duration: now &- begun))
  }

  @inlinable
  func pushThinned(_ event: Event, begun: UInt64) {
    slot.note(nil)
    hadState = false
    inbox.push(
      CapturedStep(
        payload: event, before: nil, after: nil, details: details, time: begun, duration: nil))
  }

  /// The scribe counts the steps.
  @inlinable
  var details: StepDetails {
    StepDetails(
      number: 0, cause: Cause.current, origin: .app, callSite: site, error: nil, isHeld: false)
  }
}
