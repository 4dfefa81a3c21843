import Replaying
import StatesCore
public import Synchronization
import Timelines

/// The queue of steps between a machine and the recorder's thread.
///
/// Each machine has one, of the machine's own types, so that writing a step takes a few stores. The
/// machine writes with a ``StepWriter``, and the thread reads with a ``StepReader``. Steps are
/// stored in blocks; the lock is only needed to change the block.
///
///                 read here        dropped first    written here
///                     v                  v               v
///     waiting    [ claimed ] [ full ] [ full ] [ being filled ]
///     free       [ empty ] [ empty ]                at most 16
///
/// Each block knows how many steps were lost before it: a dropped block leaves its number to the next
/// one, or to `lostAtEnd`. One that was read to its end, or dropped, is emptied and becomes free.
@usableFromInline
package final class Inbox<State: Sendable, Payload: Sendable>: Sendable {
  typealias Block = StepBlock<State, Payload>

  struct Blocks: Sendable {
    /// The blocks with steps, oldest first. The last one is being filled.
    var waiting: [Block] = []
    /// The number of steps in the full blocks.
    var steps = 0
    /// The number of steps lost after the last block, while another one is being made.
    var lostAtEnd = 0
    /// Empty blocks for reuse.
    var free: [Block] = []
    /// The moments to which states were restored, by the number of the step.
    var restored: [Int: EntryReference] = [:]
  }

  let blocks = ForkSafeMutex(Blocks())
  let limits: CaptureLimits
  @usableFromInline let wakeSignal: WakeSignal
  private let orphanWarning: OrphanedMachineWarning?
  /// The estimated bytes of a state and of an event, from the last encoded ones.
  @usableFromInline let stateBytes = Atomic<Int>(0)
  let eventBytes = Atomic<Int>(0)
  /// How often the recorder's thread has polled.
  @usableFromInline let polls = Atomic<Int>(0)
  /// The number of states that the recorder's thread has released.
  @usableFromInline let statesRead = Atomic<Int>(0)
  /// The thread that is handling an event; 0 for none.
  @usableFromInline let handling = Atomic<UInt>(0)
  /// Whether the recorder's thread still reads steps.
  let isOpen = Atomic<Bool>(true)
  /// Whether the machine is gone, so that no more steps will come.
  let hasEnded = Atomic<Bool>(false)
  /// The process that created the inbox. In a forked child no thread reads steps.
  private let generation = ForkWatch.generation

  init(limits: CaptureLimits, wakeSignal: WakeSignal, orphanWarning: OrphanedMachineWarning? = nil)
  {
    self.limits = limits.normalized
    self.wakeSignal = wakeSignal
    self.orphanWarning = orphanWarning
  }

  /// Reports that a step was dropped because the recorder is gone.
  func reportDroppedStep() { orphanWarning?.eventWasDropped() }

  var isAccepting: Bool {
    generation == ForkWatch.generation && isOpen.load(ordering: .relaxed)
  }

  /// The number of steps that may wait, at least as many as wait now.
  var eventLimit: Int {
    let bytes = eventBytes.load(ordering: .relaxed)
    // A step without a state takes about two hundred bytes.
    guard bytes > 1_024 else { return limits.events }
    return min(limits.events, max(2, limits.bytes / bytes))
  }

  /// Ends the inbox: no more steps will come.
  func end() {
    guard generation == ForkWatch.generation else { return }
    hasEnded.store(true, ordering: .releasing)
    wakeSignal.wakeIfAsleep()
  }
}

// The machine's side.
extension Inbox {
  /// The largest block. With 65,536 waiting steps, dropping one block loses less than a hundredth.
  private static var largestBlock: Int { 512 }
  /// The first block. Most machines of a list never have more steps waiting.
  private static var smallestBlock: Int { 16 }
  /// The number of empty blocks to keep; the rest of a burst's are freed.
  private static var keptBlocks: Int { 16 }

  /// Returns the next block to fill, and how many states were dropped to make room.
  ///
  /// When too many steps wait, the block before the full one is dropped. That keeps the oldest
  /// steps, which follow from a captured state, so their states can be computed, and the latest
  /// ones, which matter after a crash. A burst also does not sweep through memory: it alternates
  /// between the same two blocks. If too many states wait that cannot be left out, blocks with such
  /// states are dropped.
  func nextBlock(statesInLast: Int, statesOver: Int = 0) -> (block: Block, statesLost: Int) {
    let eventLimit = eventLimit
    let largest = max(1, min(Self.largestBlock, eventLimit / 4))
    let (size, emptied, statesLost) = blocks.withLock { blocks in
      blocks.markLastFull(statesInLast)
      var size = blocks.waiting.last?.capacity ?? Self.smallestBlock / 2
      // Two waiting blocks mean that more is sent than read: larger blocks are changed less often.
      if blocks.waiting.count > 1 || size < Self.smallestBlock { size *= 2 }
      size = min(size, largest)
      var emptied: [Block] = []
      var statesLost = 0
      while blocks.steps + size > eventLimit, let block = blocks.removeLatest() {
        statesLost += block.kept
        emptied.append(block)
      }
      while statesLost < statesOver,
        let block = blocks.removeLatest(where: { $0.kept > 0 })
      {
        statesLost += block.kept
        emptied.append(block)
      }
      return (size, emptied, statesLost)
    }
    recycle(emptied)
    let block = blocks.withLock { blocks in
      let block = blocks.makeBlock(size)
      (block.lostBefore, blocks.lostAtEnd) = (blocks.lostAtEnd, 0)
      blocks.waiting.append(block)
      return block
    }
    return (block, statesLost)
  }

  /// Empties blocks and keeps some of them for reuse.
  ///
  /// Not under the lock: deinitializers of their contents may send events.
  private func recycle(_ emptied: [Block]) {
    guard !emptied.isEmpty else { return }
    for block in emptied { block.empty() }
    blocks.withLock { blocks in
      for block in emptied where blocks.free.count < Self.keptBlocks { blocks.free.append(block) }
    }
  }
}

extension Inbox.Blocks {
  /// Counts the block that was being filled among the full ones.
  fileprivate mutating func markLastFull(_ states: Int) {
    guard let last = waiting.last, !last.isFull else { return }
    last.isFull = true
    last.kept = states
    steps += last.count.steps
  }

  /// Removes the full block before the last one, but not the first; otherwise the last one. A block
  /// that is being read stays.
  ///
  /// Its steps count as lost before the next block; `lostAtEnd` counts those without a next block.
  fileprivate mutating func removeLatest(
    where isMeant: (Inbox.Block) -> Bool = { _ in true }
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
      lostAtEnd += count + block.lostBefore
    }
    return block
  }

  /// Returns an empty block of this size.
  fileprivate mutating func makeBlock(_ size: Int) -> Inbox.Block {
    while let block = free.popLast() {
      if block.capacity == size { return block }
    }
    return Inbox.Block(capacity: size)
  }
}

// The recorder thread's side.
extension Inbox {
  /// Returns the next block to read, after one that has been read to its end.
  func claim(after block: Block?) -> Block? {
    var emptied: [Block] = []
    let claimed = blocks.withLock { blocks -> Block? in
      if let block {
        // It may have been filled before the lock was acquired.
        guard !block.hasMore, blocks.waiting.count > 1 else { return block }
        blocks.steps -= block.count.steps
        emptied.append(blocks.waiting.removeFirst())
      }
      blocks.waiting.first?.isClaimed = true
      return blocks.waiting.first
    }
    recycle(emptied)
    return claimed
  }

  /// Whether steps wait. Counts as a poll.
  var isWaiting: Bool {
    // A step that is written after this poll wakes the thread.
    polls.add(1, ordering: .sequentiallyConsistent)
    return blocks.withLock { $0.waiting.contains(where: \.hasMore) }
  }

  /// The number of waiting steps. It is exact only on the recorder's thread, the only one that
  /// reads.
  var waitingCount: Int {
    blocks.withLock { $0.waiting.reduce(0) { $0 + $1.count.steps - $1.stepsRead } }
  }

  /// The number of steps that were dropped for lack of room and not yet counted.
  var uncountedLosses: Int {
    blocks.withLock { blocks in
      blocks.lostAtEnd + blocks.waiting.reduce(0) { $0 + $1.lostBefore }
    }
  }

  /// Clears the losses before a block, because they are counted now.
  func clearLosses(before block: Block) {
    blocks.withLock { _ in block.lostBefore = 0 }
  }

  /// Records that the step with this number restores the state of an entry.
  func recordRestore(_ moment: EntryReference, number: Int) {
    blocks.withLock { $0.restored[number] = moment }
  }

  /// Returns and removes the moment that a step restores. A restore from outside the machine's
  /// isolation does not know the step's number, and is recorded as -1.
  func removeRestored(by number: Int) -> EntryReference? {
    blocks.withLock { blocks in
      blocks.restored.removeValue(forKey: number) ?? blocks.restored.removeValue(forKey: -1)
    }
  }

  /// Stops accepting steps.
  func close() {
    isOpen.store(false, ordering: .relaxed)
    polls.add(1, ordering: .relaxed)
  }

  /// Returns the event that a thread was handling when it crashed.
  func trapped(on thread: UInt) -> Payload? {
    guard handling.load(ordering: .acquiring) == thread else { return nil }
    // A thread that crashed holding the lock was not in a reducer.
    return blocks.withLockIfAvailable { $0.waiting.last?.begun } ?? nil
  }
}
