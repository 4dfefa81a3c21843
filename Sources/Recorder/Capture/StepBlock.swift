public import Synchronization

/// A block of steps in memory. A machine's thread appends while the recorder's thread removes from
/// the front.
///
/// Events are stored consecutively, and so are states, and the notes of those steps that have one.
/// A step is visible to the reader once the counts include it, which the writer stores last. So
/// neither side needs a lock, and a step costs the writer only the bytes it has.
///
/// In this block of four steps, three are visible, and the first of them was read. Step 1 has the
/// states before and after it, step 2 none. Step 3 is begun: only its event is there.
///
///                  stepsRead   steps
///                      v         v
///     payloads  |    | e1 | e2 | e3 |         capacity
///     notes     |    | B1 | N2 |    |    |    capacity + 1
///     states    |    | b1 | a1 |    |    |    capacity + 1
///     counts    steps 3, notes 3, states 3    one word
///
/// `B1` announces the state before step 1. What else there is to know about step 1 follows from the
/// note of step 0, which the reader remembers. `N2` says that step 2 has no state.
// Safe: `@unchecked` because the writer only touches elements beyond the counts, and the reader
// only those before them; the counts are stored releasing and loaded acquiring. The other
// properties are guarded by the inbox's lock or belong to the reader.
@usableFromInline
final class StepBlock<State: Sendable, Payload: Sendable>: @unchecked Sendable {
  /// The numbers of steps, notes, and states, from the lowest bits on: 21 bits each, of which a
  /// block of 512 steps uses ten.
  @usableFromInline typealias Counts = Atomic<UInt64>

  @usableFromInline let capacity: Int
  @usableFromInline let payloads: UnsafeMutablePointer<Payload?>
  @usableFromInline let notes: UnsafeMutablePointer<StepNote>
  /// The states of the steps, in order.
  @usableFromInline let states: UnsafeMutablePointer<State>
  @usableFromInline let counts: UnsafeMutablePointer<Counts>

  /// The number of steps read. Only the reader writes it, but the process exit handler also reads
  /// it.
  private let readCount = Atomic<Int>(0)
  var stepsRead: Int {
    get { readCount.load(ordering: .acquiring) }
    set { readCount.store(newValue, ordering: .releasing) }
  }
  /// The numbers of notes and states read. They belong to the reader.
  var notesRead = 0
  var statesRead = 0
  /// Whether the block is full. Guarded by the inbox's lock.
  var isFull = false
  /// The number of steps with states once the block is full. Guarded by the inbox's lock.
  var kept = 0
  /// The number of steps lost between the previous block and this one. Guarded by the inbox's lock.
  var lostBefore = 0
  /// Whether the reader uses the block. Guarded by the inbox's lock.
  var isClaimed = false

  init(capacity: Int) {
    self.capacity = capacity
    payloads = .allocate(capacity: capacity)
    notes = .allocate(capacity: Self.maximumNotes(in: capacity))
    states = .allocate(capacity: Self.maximumNotes(in: capacity))
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

  /// The capacity for notes: one for each step, and both of a single step.
  @usableFromInline
  static func maximumNotes(in capacity: Int) -> Int { capacity + 1 }

  /// Packs counts into one word, so that the reader sees all of a step or nothing.
  @inlinable
  @inline(__always)
  static func packed(steps: Int, notes: Int, states: Int) -> UInt64 {
    UInt64(truncatingIfNeeded: steps) | UInt64(truncatingIfNeeded: notes) << 21
      | UInt64(truncatingIfNeeded: states) << 42
  }

  /// The numbers of steps, notes, and states that the reader can see.
  var count: (steps: Int, notes: Int, states: Int) {
    let counts = counts.pointee.load(ordering: .acquiring)
    let mask: UInt64 = 1 << 21 - 1
    return (Int(counts & mask), Int(counts >> 21 & mask), Int(counts >> 42))
  }

  /// Whether there is an unread step.
  var hasMore: Bool { stepsRead < count.steps }

  /// Releases everything that was not read. Call it only when there is no writer anymore.
  func empty() {
    let (steps, notes, states) = count
    (payloads + stepsRead).deinitialize(count: steps - stepsRead)
    (self.states + statesRead).deinitialize(count: states - statesRead)
    (self.notes + notesRead).deinitialize(count: notes - notesRead)
    (stepsRead, notesRead, statesRead, kept, lostBefore) = (0, 0, 0, 0, 0)
    (isFull, isClaimed) = (false, false)
    counts.pointee.store(0, ordering: .relaxed)
  }

  /// Removes the event of the next step, which must exist.
  @inline(__always)
  func popPayload() -> Payload? {
    defer { stepsRead += 1 }
    return (payloads + stepsRead).move()
  }

  /// Removes the next note if it belongs to the next step.
  func popNote() -> StepNote? {
    guard notesRead < count.notes, notes[notesRead].index == UInt32(stepsRead) else {
      return nil
    }
    defer { notesRead += 1 }
    return (notes + notesRead).move()
  }

  /// Removes the next state, which must exist.
  @inline(__always)
  func popState() -> State {
    defer { statesRead += 1 }
    return (states + statesRead).move()
  }

  /// The event of a step that was begun but is not visible to the reader yet.
  ///
  /// Use it only while the writer is stopped after it began a step.
  var begun: Payload? { payloads[count.steps] }
}
