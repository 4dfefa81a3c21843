public import StatesCore
public import Synchronization

/// The recorder's place around a function from state and event to state.
///
/// It belongs to whoever calls the function, as a machine belongs to whoever sends to it.
@usableFromInline
package final class FunctionTap<State: Sendable, Event: Sendable> {
  @usableFromInline let end: CaptureEnd<State, Event>
  @usableFromInline let site: CallSite
  /// Whether the step before was captured with its state.
  // Safe: as in `CaptureEnd`.
  @exclusivity(unchecked) @usableFromInline var hadState = true
  /// Up to which look of the recorder's thread there is no room for a state.
  @exclusivity(unchecked) @usableFromInline var refusedAt = -1

  private let watch: CallSiteWatch?
  private let name: String

  init(_ admission: Admission<State, Event>, at site: CallSite, watch: CallSiteWatch? = nil) {
    end = CaptureEnd(admission)
    self.site = site
    self.watch = watch
    name = admission.machine.name
  }

  deinit {
    watch?.noteEnd(of: name, at: site, steps: end.noted.number)
  }

  /// Calls a pure function: it copies what it changes with or without the recorder.
  @inlinable
  func call(_ before: State, _ event: Event, _ body: (State) -> State) -> State {
    end.begin(event)
    let after = body(before)
    finish(before, after)
    return after
  }

  /// Calls a function that changes its state in place: it copies what the recorder still holds.
  @inlinable
  func change<Answer>(
    _ state: inout State, _ event: Event, _ body: (inout State) -> Answer
  ) -> Answer {
    change(&state, event, body) { _ in nil }
  }

  /// The same for a function after which more is known of the event.
  @inlinable
  @inline(__always)
  func change<Answer>(
    _ state: inout State, _ event: Event, _ body: (inout State) -> Answer,
    completing complete: (Answer) -> Event?
  ) -> Answer {
    // Until the thread has looked again the answer is the same, so a burst does not even ask.
    let look = end.inbox.looks.load(ordering: .relaxed)
    guard look != refusedAt else {
      end.begin(event)
      let answer = body(&state)
      if let event = complete(answer) { end.complete(event) }
      finishThinned()
      return answer
    }
    let begun = end.time
    end.begin(event)
    guard end.wantsState(isCopied: true, now: begun) else {
      refusedAt = look
      let answer = body(&state)
      if let event = complete(answer) { end.complete(event) }
      finishThinned()
      return answer
    }
    // Holding on to a state that the recorder does not have already would cost one more copy.
    let before = hadState ? state : nil
    let answer = body(&state)
    if let event = complete(answer) { end.complete(event) }
    let now = end.time
    hadState = true
    // A clock of one's own may go back.
    let duration = now > begun ? now &- begun : 1
    end.copyTime = min(end.copyTime, duration)
    let extra = StepExtra.extra(cause: Cause.current, duration: duration)
    if let before {
      end.finish(before, state, number: end.nextNumber, callSite: site, extra: extra, time: now)
    } else {
      end.finish(state, number: end.nextNumber, callSite: site, extra: extra, time: now)
    }
    return answer
  }

  /// Leaves a step that was begun.
  @inlinable
  func finish(_ before: State?, _ after: State) {
    let now = end.now()
    hadState = true
    let extra = StepExtra.extra(cause: Cause.current, duration: end.duration(until: now))
    if let before {
      end.finish(before, after, number: end.nextNumber, callSite: site, extra: extra, time: now)
    } else {
      end.finish(after, number: end.nextNumber, callSite: site, extra: extra, time: now)
    }
  }

  /// Leaves a step that was begun with no event: the state was given.
  func replace(by state: State) {
    hadState = true
    end.finish(
      state, number: end.nextNumber, callSite: site, extra: StepExtra.extra(cause: Cause.current),
      time: end.now(), isReplaced: true)
  }

  /// Leaves a step without its state; of most, without anything but the event.
  @inlinable
  @inline(__always)
  func finishThinned() {
    hadState = false
    let isSame = end.isMonotonic && end.stepsSinceLook % Self.stepsPerNote != 0
    guard isSame, end.noteCount > 0, !end.noted.hasState, Cause.current == nil else {
      return finishThinnedWithNote()
    }
    end.finishBarely()
  }

  /// One in how many thinned steps says what time it is: what is thinned comes in bursts.
  @inlinable static var stepsPerNote: Int { 64 }

  @inlinable
  @inline(never)
  func finishThinnedWithNote() {
    end.finishThinned(
      number: end.nextNumber, callSite: site, extra: StepExtra.extra(cause: Cause.current),
      time: end.time)
  }
}
