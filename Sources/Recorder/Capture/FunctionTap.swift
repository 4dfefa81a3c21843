public import StatesCore
public import Synchronization

/// Records the calls of a function from state and event to state.
///
/// Only the thread that calls the function may use it, just as only one thread at a time sends to a
/// machine.
@usableFromInline
package final class FunctionTap<State: Sendable, Event: Sendable> {
  @usableFromInline let writer: StepWriter<State, Event>
  @usableFromInline let site: CallSite
  /// Whether the previous step was captured with its state.
  // Safe: `@exclusivity(unchecked)` for the reason given in `StepWriter`.
  @exclusivity(unchecked) @usableFromInline var hadState = true
  /// The poll count until which there is no room for a state.
  @exclusivity(unchecked) @usableFromInline var fullAtPoll = -1

  private let watch: CallSiteWatch?
  private let name: String

  init(_ registration: Registration<State, Event>, at site: CallSite, watch: CallSiteWatch? = nil) {
    writer = StepWriter(registration)
    self.site = site
    self.watch = watch
    name = registration.machine.name
  }

  deinit {
    watch?.recordEnd(of: name, at: site, steps: writer.lastNote.number)
  }

  /// Calls a pure function, which copies what it changes anyway.
  @inlinable
  func call(_ before: State, _ event: Event, _ body: (State) -> State) -> State {
    writer.begin(event)
    let after = body(before)
    finish(before, after)
    return after
  }

  /// Calls a function that changes its state in place. It copies what the recorder still holds.
  @inlinable
  func change<Answer>(
    _ state: inout State, _ event: Event, _ body: (inout State) -> Answer
  ) -> Answer {
    change(&state, event, body) { _ in nil }
  }

  /// Calls a function that changes its state in place, and completes the event from its result.
  @inlinable
  @inline(__always)
  func change<Answer>(
    _ state: inout State, _ event: Event, _ body: (inout State) -> Answer,
    completing complete: (Answer) -> Event?
  ) -> Answer {
    // The answer stays the same until the thread polls again, so a burst does not even ask.
    let poll = writer.inbox.polls.load(ordering: .relaxed)
    guard poll != fullAtPoll else {
      writer.begin(event)
      let answer = body(&state)
      if let event = complete(answer) { writer.complete(event) }
      finishThinned()
      return answer
    }
    let begun = writer.time
    writer.begin(event)
    guard writer.wantsState(isCopied: true, now: begun) else {
      fullAtPoll = poll
      let answer = body(&state)
      if let event = complete(answer) { writer.complete(event) }
      finishThinned()
      return answer
    }
    // Retaining a state that the recorder does not have already would cost another copy.
    let before = hadState ? state : nil
    let answer = body(&state)
    if let event = complete(answer) { writer.complete(event) }
    let now = writer.time
    hadState = true
    // A custom clock may go backwards.
    let duration = now > begun ? now &- begun : 1
    writer.copyTime = min(writer.copyTime, duration)
    let extra = StepExtra.extra(cause: Cause.current, duration: duration)
    if let before {
      writer.finish(
        before, state, number: writer.nextNumber, callSite: site, extra: extra, time: now)
    } else {
      writer.finish(state, number: writer.nextNumber, callSite: site, extra: extra, time: now)
    }
    return answer
  }

  @inlinable
  func finish(_ before: State?, _ after: State) {
    let now = writer.now()
    hadState = true
    let extra = StepExtra.extra(cause: Cause.current, duration: writer.duration(until: now))
    if let before {
      writer.finish(
        before, after, number: writer.nextNumber, callSite: site, extra: extra, time: now)
    } else {
      writer.finish(after, number: writer.nextNumber, callSite: site, extra: extra, time: now)
    }
  }

  /// Finishes a step without an event: the state was given.
  func replace(by state: State) {
    hadState = true
    writer.finish(
      state, number: writer.nextNumber, callSite: site,
      extra: StepExtra.extra(cause: Cause.current),
      time: writer.now(), isReplaced: true)
  }

  /// Finishes the step without its state, and for most steps with the event only.
  @inlinable
  @inline(__always)
  func finishThinned() {
    hadState = false
    let isSame = writer.isMonotonic && writer.stepsSincePoll % Self.stepsPerNote != 0
    guard isSame, writer.noteCount > 0, !writer.lastNote.hasState, Cause.current == nil else {
      return finishThinnedWithNote()
    }
    writer.finishEventOnly()
  }

  /// One in this many thinned steps has a time. Thinned steps come in bursts.
  @inlinable static var stepsPerNote: Int { 64 }

  @inlinable
  @inline(never)
  func finishThinnedWithNote() {
    writer.finishThinned(
      number: writer.nextNumber, callSite: site, extra: StepExtra.extra(cause: Cause.current),
      time: writer.time)
  }
}
