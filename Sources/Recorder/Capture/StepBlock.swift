public import Synchronization

/// A stretch of steps in memory: a machine's thread fills it from the front, and the recorder's
/// takes out of it from the front, both at once.
///
/// Events lie one behind the other, and so do states, and the notes of those steps that have one. A
/// step is there for the reader when the counts say so, which the writer stores last; so neither needs
/// a lock, and a step costs the writer the bytes that it has.
// Safe: `@unchecked` because the writer alone touches what is behind the counts, and the reader what
// is before them; the counts are stored releasing and loaded acquiring. What else varies is guarded by
// the inbox's lock, or the reader's.
@usableFromInline
final class StepBlock<State: Sendable, Payload: Sendable>: @unchecked Sendable {
  /// How many steps, notes and states there are, from the lowest bits on: 21 bits each, of which a
  /// block of 512 steps uses ten.
  @usableFromInline typealias Counts = Atomic<UInt64>

  @usableFromInline let capacity: Int
  @usableFromInline let payloads: UnsafeMutablePointer<Payload?>
  @usableFromInline let notes: UnsafeMutablePointer<StepNote>
  /// The states of the steps, in their order.
  @usableFromInline let states: UnsafeMutablePointer<State>
  @usableFromInline let counts: UnsafeMutablePointer<Counts>

  /// How many steps were taken out: written by the reader alone, but the end of the process asks too.
  private let taken = Atomic<Int>(0)
  var stepsTaken: Int {
    get { taken.load(ordering: .relaxed) }
    set { taken.store(newValue, ordering: .relaxed) }
  }
  /// How many notes and states were taken out: the reader's.
  var notesTaken = 0
  var statesTaken = 0
  /// Whether nothing more is left here; guarded by the inbox's lock.
  var isFull = false
  /// How many steps with states are in the block, when it is full; guarded by the inbox's lock.
  var kept = 0
  /// How many steps were lost between the block before and this one; guarded by the inbox's lock.
  var lostBefore = 0
  /// Whether the reader has it; guarded by the inbox's lock.
  var isClaimed = false

  init(capacity: Int) {
    self.capacity = capacity
    payloads = .allocate(capacity: capacity)
    notes = .allocate(capacity: Self.notes(in: capacity))
    states = .allocate(capacity: Self.notes(in: capacity))
    counts = .allocate(capacity: 1)
    counts.initialize(to: Counts(0))
  }

  deinit {
    empty()
    payloads.deallocate()
    notes.deallocate()
    states.deallocate()
    counts.deinitialize(count: 1)
    counts.deallocate()
  }

  /// How many notes have room beside so many steps: one each, and both of a single one.
  @usableFromInline
  static func notes(in capacity: Int) -> Int { capacity + 1 }

  /// Packs counts into one word, so that the reader sees all of a step or nothing.
  @inlinable
  @inline(__always)
  static func packed(steps: Int, notes: Int, states: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: steps) | UInt64(truncatingIfNeeded: notes) << 21
      | UInt64(truncatingIfNeeded: states) << 42
  }

  /// How many steps, notes and states there are for the reader.
  var count: (steps: Int, notes: Int, states: Int) {
    let counts = counts.pointee.load(ordering: .acquiring)
    let mask: UInt64 = 1 << 21 - 1
    return (Int(counts & mask), Int(counts >> 21 & mask), Int(counts >> 42))
  }

  /// Whether there is a step that was not taken out.
  var hasMore: Bool { stepsTaken < count.steps }

  /// Lets go of everything that was not taken out; only when there is no writer any more.
  func empty() {
    let (steps, notes, states) = count
    (payloads + stepsTaken).deinitialize(count: steps - stepsTaken)
    (self.states + statesTaken).deinitialize(count: states - statesTaken)
    (self.notes + notesTaken).deinitialize(count: notes - notesTaken)
    (stepsTaken, notesTaken, statesTaken, kept, lostBefore) = (0, 0, 0, 0, 0)
    (isFull, isClaimed) = (false, false)
    counts.pointee.store(0, ordering: .relaxed)
  }

  /// Takes out the event of the next step; there must be one.
  @inline(__always)
  func takePayload() -> Payload? {
    defer { stepsTaken += 1 }
    return (payloads + stepsTaken).move()
  }

  /// Takes out the next note, when it is one of the next step.
  func takeNote() -> StepNote? {
    guard notesTaken < count.notes, notes[notesTaken].index == UInt32(stepsTaken) else {
      return nil
    }
    defer { notesTaken += 1 }
    return (notes + notesTaken).move()
  }

  /// Takes out the next state; there must be one.
  @inline(__always)
  func takeState() -> State {
    defer { statesTaken += 1 }
    return (states + statesTaken).move()
  }

  /// What was begun and is not yet there for the reader.
  ///
  /// Only while the writer stands still after it has begun a step.
  var begun: Payload? { payloads[count.steps] }
}
