import StatesCore
import Synchronization

/// Reads steps from an inbox, in order.
struct StepReader<State: Sendable, Payload: Sendable> {
  private let inbox: Inbox<State, Payload>
  private var block: StepBlock<State, Payload>?

  /// The number of steps lost before the next one.
  private(set) var lost = 0
  /// The values for steps without a note of their own.
  private var number = 0
  private var time: UInt64 = 0
  private var callSite = CallSite()
  private var hasState = false

  init(_ inbox: Inbox<State, Payload>) {
    self.inbox = inbox
  }

  /// Polls for new steps. Their senders see the poll count.
  mutating func poll(at time: UInt64) {
    inbox.polls.add(1, ordering: .relaxed)
    if self.time == 0 { self.time = time }
  }

  /// Reads the next step into an empty one. Returns false if there is none, or if steps were lost
  /// before it that were not reported with ``removeLost()`` yet.
  ///
  /// `willRead` is called before the step leaves the block, so that it is always counted in at
  /// least one place.
  @inline(__always)
  mutating func next(
    _ step: inout CapturedStep<State, Payload>, willRead: () -> Void
  ) -> Bool {
    while true {
      if let block, block.hasMore {
        willRead()
        read(&step, from: block)
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

  /// Returns and resets the number of steps lost before the next one.
  mutating func removeLost() -> Int {
    defer { lost = 0 }
    return lost
  }

  /// Clears the losses that ``removeLost()`` returned: until then the inbox still counts them.
  func clearLosses() {
    if let block { inbox.clearLosses(before: block) }
  }

  @inline(__always)
  private mutating func read(
    _ step: inout CapturedStep<State, Payload>, from block: StepBlock<State, Payload>
  ) {
    number += 1
    while let note = block.popNote() {
      guard !note.isBefore else {
        step.before = block.popState()
        continue
      }
      step.extra = note.extra
      (number, time, callSite) = (note.number, note.time, note.callSite)
      hasState = note.hasState
    }
    (step.number, step.time, step.callSite) = (number, time, callSite)
    if hasState { step.after = block.popState() }
    step.payload = block.popPayload()
  }
}
