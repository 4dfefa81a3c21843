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
  /// Called after each piece of work.
  var afterStep: () -> Void = {}

  /// The time as a duration.
  var uptime: Duration { .microseconds(now) }

  /// Runs work after what is ready already.
  func soon(_ work: @escaping () -> Void) { ready.append(work) }

  /// Runs work after some microseconds.
  func after(_ time: Int64, _ work: @escaping () -> Void) {
    lastNumber += 1
    due.append(Due(time: now + max(0, time), number: lastNumber, work: work))
    var child = due.count - 1
    while child > 0 {
      let parent = (child - 1) / 2
      guard due[child].comes(before: due[parent]) else { break }
      due.swapAt(child, parent)
      child = parent
    }
  }

  /// Runs what is ready, and what that makes ready.
  func drain() {
    while head < ready.count {
      let work = ready[head]
      head += 1
      if head == ready.count { (ready, head) = ([], 0) }
      work()
      afterStep()
    }
  }

  /// Lets time pass up to a moment.
  func run(until end: Int64) {
    drain()
    while let first = due.first, first.time <= end {
      takeFirst()
      now = first.time
      first.work()
      afterStep()
      drain()
    }
    now = max(now, end)
  }

  private func takeFirst() {
    due.swapAt(0, due.count - 1)
    due.removeLast()
    var parent = 0
    while true {
      var smallest = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < due.count && due[child].comes(before: due[smallest]) {
        smallest = child
      }
      guard smallest != parent else { return }
      due.swapAt(parent, smallest)
      parent = smallest
    }
  }
}
