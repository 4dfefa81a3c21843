/// A first-in, first-out queue in one array, which keeps its storage when it becomes empty.
@usableFromInline
struct WaitingQueue<Element> {
  /// Removed elements leave nil before `head` until the array is compacted.
  @usableFromInline var storage: [Element?] = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable var count: Int { storage.count - head }
  @inlinable var isEmpty: Bool { storage.count == head }

  @inlinable
  mutating func append(_ element: Element) {
    storage.append(element)
  }

  @inlinable
  mutating func popFirst() -> Element? {
    guard head < storage.count else { return nil }
    let element = storage[head].take()
    head += 1
    if head == storage.count {
      storage.removeAll(keepingCapacity: true)
      head = 0
    } else if head >= 64, head * 2 >= storage.count {
      // More than half is empty, so moving the rest costs less than the removals before it.
      storage.removeFirst(head)
      head = 0
    }
    return element
  }

  /// Removes and returns the first element that satisfies `condition`.
  @inlinable
  mutating func popFirst(where condition: (Element) -> Bool) -> Element? {
    let index = storage[head...].firstIndex { element in element.map(condition) ?? false }
    guard let index else { return nil }
    return index == head ? popFirst() : storage.remove(at: index)
  }
}
