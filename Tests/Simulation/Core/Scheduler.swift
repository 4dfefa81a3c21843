/// Virtual time, and everything that is to happen in it, on one thread.
///
/// Work that is ready runs in the order in which it came; when nothing is, time goes on to the next
/// thing that is due.
///
/// Safe: the simulation has one thread, on which all of it runs.
final class Scheduler: @unchecked Sendable {
  private struct Due {
    let time: Int64
    let number: UInt64
    let work: () -> Void

    func comes(before other: Due) -> Bool {
      time != other.time ? time < other.time : number < other.number
    }
  }

  /// In microseconds since the simulation began.
  private(set) var now: Int64 = 0
  private var ready: [() -> Void] = []
  private var head = 0
  private var due: [Due] = []
  private var lastNumber: UInt64 = 0
  private var second: Int64 = 0
  private var worksOfSecond = 0
  /// Whether so much work ran that time hardly passed: nothing more runs.
  private(set) var isStuck = false
  /// A busy second has a few thousand pieces of work.
  private static let maximumWorks = 300_000
  /// Called after each piece of work.
  var afterStep: () -> Void = {}

  var uptime: Duration { .microseconds(now) }

  /// Runs work after all ready work.
  func soon(_ work: @escaping () -> Void) { ready.append(work) }

  /// Runs work after some microseconds.
  func after(_ time: Int64, _ work: @escaping () -> Void) {
    lastNumber += 1
    let added = Due(time: now + max(0, time), number: lastNumber, work: work)
    due.append(added)
    var hole = due.count - 1
    while hole > 0 {
      let parent = (hole - 1) / 2
      guard added.comes(before: due[parent]) else { break }
      due[hole] = due[parent]
      hole = parent
    }
    due[hole] = added
  }

  /// Runs ready work until there is none.
  func drain() {
    while head < ready.count, !isStuck {
      countWork()
      let work = ready[head]
      head += 1
      if head == ready.count {
        ready.removeAll(keepingCapacity: true)
        head = 0
      }
      work()
      afterStep()
    }
  }

  /// Lets time pass up to a moment.
  func run(until end: Int64) {
    drain()
    while let first = due.first, first.time <= end, !isStuck {
      countWork()
      removeFirst()
      now = first.time
      first.work()
      afterStep()
      drain()
    }
    now = max(now, end)
  }

  private func countWork() {
    if now / 1_000_000 != second { (second, worksOfSecond) = (now / 1_000_000, 0) }
    worksOfSecond += 1
    if worksOfSecond > Self.maximumWorks { isStuck = true }
  }

  private func removeFirst() {
    let moved = due.removeLast()
    let count = due.count
    guard count > 0 else { return }
    // A hole moves down instead of two elements being swapped: a debug build spends half the time.
    var hole = 0
    while true {
      var child = 2 * hole + 1
      guard child < count else { break }
      if child + 1 < count, due[child + 1].comes(before: due[child]) { child += 1 }
      guard due[child].comes(before: moved) else { break }
      due[hole] = due[child]
      hole = child
    }
    due[hole] = moved
  }
}
