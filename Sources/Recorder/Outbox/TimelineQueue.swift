import Timelines

/// Timelines that wait, first in, first out.
struct TimelineQueue: Sendable {
  private var storage: [TimelineID] = []
  /// The number of removed ids at the front.
  private var head = 0

  var isEmpty: Bool { head == storage.count }

  var first: TimelineID? { head < storage.count ? storage[head] : nil }

  mutating func append(_ id: TimelineID) { storage.append(id) }

  mutating func removeFirst() {
    guard head < storage.count else { return }
    head += 1
    guard head > storage.count / 2 else { return }
    storage.removeFirst(head)
    head = 0
  }
}
