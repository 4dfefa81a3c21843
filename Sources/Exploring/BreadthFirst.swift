package import JSONCore

/// A breadth-first search through the states that events lead to, as a value: tasks out, results in.
///
/// It knows no host and no clock. Each plausible event costs one and each changed payload two, so the
/// first way that it finds to a state is one of the cheapest. The caller performs the tasks, and adds
/// their results in the same order:
///
/// ```swift
/// var search = BreadthFirst(start: fingerprint)
/// while true {
///   let tasks = search.dequeue(64)
///   guard !tasks.isEmpty else { break }
///   for task in tasks { … search.add(event, from: task.node, fingerprint: reached) }
/// }
/// ```
/// A state is a fingerprint, a parent, and an event: 34 bytes at most. To get its value, run the events of
/// ``path(to:)``.
package struct BreadthFirst: Sendable {
  /// What ends a search that was not ended by its caller.
  package enum End: Sendable {
    /// Every state that these events lead to was visited.
    case everything
    /// States at the maximum depth were not left.
    case depth
    /// The maximum number of states was reached.
    case states
  }

  /// The events to send from a state.
  package struct Task: Hashable, Sendable {
    /// The number of the state.
    package var node: Int
    /// Whether to send the plausible events, or the others.
    package var isPlausible: Bool
  }

  /// The maximum number of events from the start.
  package let maximumDepth: Int
  package let maximumStates: Int

  private var known = FingerprintSet()
  private var parents: [UInt32] = [0]
  private var steps: [UInt32] = [0]
  private var depths: [UInt16] = [0]
  private var events: [JSON] = []
  private var numbers: [JSON: UInt32] = [:]

  /// The states at the present cost, and those one below it.
  private var plausible: ArraySlice<UInt32> = [0]
  private var others: ArraySlice<UInt32> = []
  private var level: [UInt32] = [0]
  private var next: [UInt32] = []
  private var wasCut = false

  /// - Parameter start: the fingerprint of the first state, which has the number 0.
  package init(start: UInt64, maximumDepth: Int, maximumStates: Int) {
    self.maximumDepth = min(max(1, maximumDepth), Int(UInt16.max))
    self.maximumStates = min(max(1, maximumStates), Int(UInt32.max))
    _ = known.insert(start)
  }

  /// The number of states.
  package var count: Int { parents.count }

  /// The number of events that lead to a state.
  package func depth(of node: Int) -> Int { Int(depths[node]) }

  /// What has ended the search; `nil` while there are tasks.
  package var end: End? {
    if count >= maximumStates { return .states }
    guard plausible.isEmpty, others.isEmpty, next.isEmpty, level.isEmpty else { return nil }
    return wasCut ? .depth : .everything
  }

  /// The next tasks, all of the same cost; none when the search has ended.
  package mutating func dequeue(_ count: Int) -> [Task] {
    while end == nil {
      if !plausible.isEmpty { return dequeue(count, from: \.plausible, isPlausible: true) }
      if !others.isEmpty { return dequeue(count, from: \.others, isPlausible: false) }
      others = level[...]
      level = next
      plausible = next[...]
      next = []
    }
    return []
  }

  private mutating func dequeue(
    _ count: Int, from list: WritableKeyPath<BreadthFirst, ArraySlice<UInt32>>, isPlausible: Bool
  ) -> [Task] {
    let nodes = self[keyPath: list].prefix(count)
    self[keyPath: list].removeFirst(nodes.count)
    return nodes.map { Task(node: Int($0), isPlausible: isPlausible) }
  }

  /// Adds a state that an event leads to; returns its number, or `nil` if it is known or there is no
  /// room for it.
  package mutating func add(_ event: JSON, from node: Int, fingerprint: UInt64) -> Int? {
    guard count < maximumStates, known.insert(fingerprint) else { return nil }
    return append(number(of: event), node)
  }

  /// Adds a state that an event leads to, by the number of the event.
  package mutating func add(
    eventNumber: UInt32, from node: Int, fingerprint: UInt64
  ) -> Int? {
    guard count < maximumStates, known.insert(fingerprint) else { return nil }
    return append(eventNumber, node)
  }

  private mutating func append(_ event: UInt32, _ node: Int) -> Int {
    let new = count
    parents.append(UInt32(node))
    steps.append(event)
    depths.append(depths[node] + 1)
    if depth(of: new) < maximumDepth { next.append(UInt32(new)) } else { wasCut = true }
    return new
  }

  /// The events from the start to a state.
  package func path(to node: Int) -> [JSON] { numbers(to: node).map { event($0) } }

  /// The numbers of the events from the start to a state.
  package func numbers(to node: Int) -> [UInt32] {
    var path: [UInt32] = []
    var node = node
    while node != 0 {
      path.append(steps[node])
      node = Int(parents[node])
    }
    return path.reversed()
  }

  package func event(_ number: UInt32) -> JSON { events[Int(number)] }

  /// The number of an event: the next one if it is new.
  package mutating func number(of event: JSON) -> UInt32 {
    if let number = numbers[event] { return number }
    let number = UInt32(events.count)
    events.append(event)
    numbers[event] = number
    return number
  }
}
