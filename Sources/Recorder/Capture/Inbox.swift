import Replaying
import StatesCore
public import Synchronization
import Timelines

/// Where a machine leaves its steps, and the recorder's thread takes them: the part that both share.
///
/// One for each machine, of the machine's own types, so that leaving a step is a few stores. The
/// machine's end is ``CaptureEnd``, the thread's ``TakenSteps``. Steps go through blocks; the lock is
/// for changing the block, which is seldom.
@usableFromInline
package final class Inbox<State: Sendable, Payload: Sendable>: Sendable {
  typealias Block = StepBlock<State, Payload>

  struct Blocks: Sendable {
    /// The blocks with steps, oldest first; the last one is being filled.
    var waiting: [Block] = []
    /// How many steps the full ones among them have.
    var steps = 0
    /// Empty ones, for what comes.
    var free: [Block] = []
    /// The moments that states were restored to, by the number of the step.
    var restored: [Int: EntryReference] = [:]
  }

  let blocks = ForkSafeMutex(Blocks())
  let limits: CaptureLimits
  @usableFromInline let alarm: Alarm
  private let farewell: Farewell?
  /// What the scribe reckons a state and an event to take.
  @usableFromInline let stateBytes = Atomic<Int>(0)
  let eventBytes = Atomic<Int>(0)
  /// How often the recorder's thread has looked.
  @usableFromInline let looks = Atomic<Int>(0)
  /// How many states the scribe is done with.
  @usableFromInline let statesTaken = Atomic<Int>(0)
  /// The thread that handles an event now; 0 for none.
  @usableFromInline let handling = Atomic<UInt>(0)
  /// Whether somebody still takes what is left here.
  let isOpen = Atomic<Bool>(true)
  /// Whether the machine is gone: nothing will be left here any more.
  let hasEnded = Atomic<Bool>(false)
  /// The process that it was made in; in a forked child nobody takes anything.
  private let generation = ForkWatch.generation

  init(limits: CaptureLimits, alarm: Alarm, farewell: Farewell? = nil) {
    self.limits = limits.normalized
    self.alarm = alarm
    self.farewell = farewell
  }

  /// Notes that a step is not taken any more.
  func refuse() { farewell?.noteEvent() }

  /// Whether what is left here is taken.
  var isTaking: Bool {
    generation == ForkWatch.generation && isOpen.load(ordering: .relaxed)
  }

  /// How many steps may wait; never less than there are.
  var eventLimit: Int {
    let bytes = eventBytes.load(ordering: .relaxed)
    // A step without a state takes some two hundred bytes by itself.
    guard bytes > 1_024 else { return limits.events }
    return min(limits.events, max(2, limits.bytes / bytes))
  }

  /// Says that nothing more will be left here.
  func end() {
    guard generation == ForkWatch.generation else { return }
    hasEnded.store(true, ordering: .releasing)
    alarm.ring()
  }
}

// The machine's end.
extension Inbox {
  /// The largest block; at 65,536 steps that may wait, losing the oldest means less than a hundredth
  /// of them.
  private static var largestBlock: Int { 512 }
  /// The first block: most machines of a list never have more waiting.
  private static var smallestBlock: Int { 16 }
  /// How many empty blocks are kept: those of a burst are given back.
  private static var keptBlocks: Int { 16 }

  /// Gives a block to fill, after the one before is full; answers how many states were lost.
  ///
  /// When too many steps wait, the block before the full one goes. What is left is the oldest, which
  /// follow from a state that was captured, so that their states can be computed; and the latest,
  /// which are what one looks for after a crash. Nor does a burst sweep through memory: it fills the
  /// same two blocks in turns. Where too many states wait that cannot be left out, blocks go that have
  /// some of them.
  func turn(statesInLast: Int, statesOver: Int = 0) -> (block: Block, statesLost: Int) {
    let eventLimit = eventLimit
    let largest = max(1, min(Self.largestBlock, eventLimit / 4))
    let (size, emptied, statesLost, lost) = blocks.withLock { blocks in
      blocks.noteFull(statesInLast)
      var size = blocks.waiting.last?.capacity ?? Self.smallestBlock / 2
      // Who has two blocks waiting sends more than is taken: larger ones are turned less often.
      if blocks.waiting.count > 1 || size < Self.smallestBlock { size *= 2 }
      size = min(size, largest)
      var emptied: [Block] = []
      var (lost, statesLost) = (0, 0)
      while blocks.steps + size > eventLimit, let block = blocks.removeLatest(&lost) {
        statesLost += block.kept
        emptied.append(block)
      }
      while statesLost < statesOver,
        let block = blocks.removeLatest(&lost, where: { $0.kept > 0 })
      {
        statesLost += block.kept
        emptied.append(block)
      }
      return (size, emptied, statesLost, lost)
    }
    give(emptied)
    let block = blocks.withLock { blocks in
      let block = blocks.take(size)
      block.lostBefore = lost
      blocks.waiting.append(block)
      return block
    }
    return (block, statesLost)
  }

  /// Keeps blocks that nobody needs any more, empty.
  ///
  /// Not under the lock: what they hold may send events when it is let go.
  private func give(_ emptied: [Block]) {
    guard !emptied.isEmpty else { return }
    for block in emptied { block.empty() }
    blocks.withLock { blocks in
      for block in emptied where blocks.free.count < Self.keptBlocks { blocks.free.append(block) }
    }
  }
}

extension Inbox.Blocks {
  /// Counts the block that was being filled, with its states, among the full ones.
  fileprivate mutating func noteFull(_ states: Int) {
    guard let last = waiting.last, !last.isFull else { return }
    last.isFull = true
    last.kept = states
    steps += last.count.steps
  }

  /// Takes out the full block before the last one, but not the first; else the last one. What the
  /// reader has stays.
  ///
  /// Its steps are lost before those of the next block; `lost` counts those that have none after them.
  fileprivate mutating func removeLatest(
    _ lost: inout Int, where isMeant: (Inbox.Block) -> Bool = { _ in true }
  ) -> Inbox.Block? {
    guard
      let index = waiting.dropFirst().dropLast().lastIndex(where: { !$0.isClaimed && isMeant($0) })
        ?? waiting.lastIndex(where: { !$0.isClaimed && isMeant($0) })
    else { return nil }
    let block = waiting.remove(at: index)
    let count = block.count.steps
    steps -= count
    if index < waiting.count {
      waiting[index].lostBefore += count + block.lostBefore
    } else {
      lost += count + block.lostBefore
    }
    return block
  }

  /// An empty block of that size.
  fileprivate mutating func take(_ size: Int) -> Inbox.Block {
    while let block = free.popLast() {
      if block.capacity == size { return block }
    }
    return Inbox.Block(capacity: size)
  }
}

// The thread's end.
extension Inbox {
  /// The block after the one that was taken from, when that has nothing more to come.
  func claim(after block: Block?) -> Block? {
    var emptied: [Block] = []
    let claimed = blocks.withLock { blocks -> Block? in
      if let block {
        // It may have been filled up before the lock was taken.
        guard !block.hasMore, blocks.waiting.count > 1 else { return block }
        blocks.steps -= block.count.steps
        emptied.append(blocks.waiting.removeFirst())
      }
      blocks.waiting.first?.isClaimed = true
      return blocks.waiting.first
    }
    give(emptied)
    return claimed
  }

  /// Whether steps wait.
  var isWaiting: Bool {
    // Counts as a look: who leaves a step after it looks whether the thread sleeps.
    looks.add(1, ordering: .sequentiallyConsistent)
    return blocks.withLock { $0.waiting.contains(where: \.hasMore) }
  }

  /// How many steps wait. Only on the recorder's thread, which alone takes any, is it exact.
  var waitingCount: Int {
    blocks.withLock { $0.waiting.reduce(0) { $0 + $1.count.steps - $1.stepsTaken } }
  }

  /// Notes that the step of that number restores the state of an entry.
  func note(_ moment: EntryReference, number: Int) {
    blocks.withLock { $0.restored[number] = moment }
  }

  /// The moment that the step of that number restores. Who restores a machine from beside its isolation
  /// knows no number, and notes -1.
  func takeRestored(by number: Int) -> EntryReference? {
    blocks.withLock { blocks in
      blocks.restored.removeValue(forKey: number) ?? blocks.restored.removeValue(forKey: -1)
    }
  }

  /// Takes nothing from now on.
  func close() {
    isOpen.store(false, ordering: .relaxed)
    looks.add(1, ordering: .relaxed)
  }

  /// What is kept of the event that a thread was handling when it died there.
  func trapped(on thread: UInt) -> Payload? {
    guard handling.load(ordering: .acquiring) == thread else { return nil }
    // Whoever died holding the lock was not in a reducer.
    return blocks.withLockIfAvailable { $0.waiting.last?.begun } ?? nil
  }
}
