import StatesCore
import Synchronization

/// The recorder's end of an inbox: takes steps out, in their order.
struct TakenSteps<State: Sendable, Payload: Sendable> {
  private let inbox: Inbox<State, Payload>
  private var block: StepBlock<State, Payload>?
  /// How many steps were lost before the next one.
  private(set) var lost = 0
  /// What the steps have that have no note of their own.
  private var number = 0
  private var time: UInt64 = 0
  private var callSite = CallSite()
  private var hasState = false

  init(_ inbox: Inbox<State, Payload>) {
    self.inbox = inbox
  }

  /// Looks for steps that have come; their senders see that somebody did.
  mutating func look(at time: UInt64) {
    inbox.looks.add(1, ordering: .relaxed)
    if self.time == 0 { self.time = time }
  }

  /// Takes the next step into an empty one; false when there is none, or steps were lost before it
  /// that were not yet told with ``takeLost()``.
  mutating func next(_ step: inout CapturedStep<State, Payload>) -> Bool {
    while true {
      if let block, block.hasMore {
        take(&step, from: block)
        return true
      }
      guard let next = inbox.claim(after: block), next !== block || next.hasMore else {
        return false
      }
      guard next !== block else { continue }
      block = next
      guard next.lostBefore == 0 else {
        lost = next.lostBefore
        number += lost
        return false
      }
    }
  }

  /// How many steps were lost before the next one.
  mutating func takeLost() -> Int {
    defer { lost = 0 }
    return lost
  }

  @inline(__always)
  private mutating func take(
    _ step: inout CapturedStep<State, Payload>, from block: StepBlock<State, Payload>
  ) {
    number += 1
    while let note = block.takeNote() {
      guard !note.isBefore else {
        step.before = block.takeState()
        continue
      }
      step.extra = note.extra
      (number, time, callSite) = (note.number, note.time, note.callSite)
      hasState = note.hasState
    }
    (step.number, step.time, step.callSite) = (number, time, callSite)
    if hasState { step.after = block.takeState() }
    step.payload = block.takePayload()
  }
}
