import JSONCore
import TestSupport
import Testing

@testable import Exploring

@Suite("Searching breadth-first")
struct BreadthFirstTests {
  /// The number of events to each state that a search finds, and the search.
  private static func search(
    _ machine: SmallMachine, depth: Int = 100, states: Int = 1_000, batch: Int = 3
  ) -> (fewest: [Int: Int], search: BreadthFirst) {
    var search = BreadthFirst(
      start: SmallMachine.fingerprint(0), maximumDepth: depth, maximumStates: states)
    var values = [0: 0]
    while true {
      let tasks = search.dequeue(batch)
      guard !tasks.isEmpty else { break }
      for task in tasks where task.isPlausible {
        for event in machine.pool.events {
          let reached = machine.next(values[task.node] ?? 0, event.event)
          if let node = search.add(
            event.event, from: task.node, fingerprint: SmallMachine.fingerprint(reached))
          {
            values[node] = reached
          }
        }
      }
    }
    var fewest: [Int: Int] = [:]
    for (node, value) in values { fewest[value] = search.depth(of: node) }
    return (fewest, search)
  }

  @Test(
    "finds the fewest events that an exhaustive search finds", arguments: 0..<12 as Range<UInt64>)
  func exhaustive(seed: UInt64) {
    let machine = SmallMachine(seed: seed, states: 3 + Int(seed % 9), events: 2 + Int(seed % 3))
    let expected = machine.exhaustive(length: 7)
    for batch in [1, 3, 64] {
      let (fewest, search) = Self.search(machine, batch: batch)
      for (state, count) in expected { #expect(fewest[state] == count, "state \(state)") }
      #expect(fewest.allSatisfy { expected[$0.key] != nil || $0.value > 7 })
      #expect(search.end == .everything)
    }
  }

  @Test("the path to a state leads there", arguments: 0..<10 as Range<UInt64>)
  func paths(seed: UInt64) {
    let machine = SmallMachine(seed: seed, states: 12, events: 3)
    var search = BreadthFirst(start: 9, maximumDepth: 100, maximumStates: 1_000)
    var values = [0: 0]
    while case let tasks = search.dequeue(4), !tasks.isEmpty {
      for task in tasks where task.isPlausible {
        for event in machine.pool.events {
          let reached = machine.next(values[task.node] ?? 0, event.event)
          if let node = search.add(
            event.event, from: task.node, fingerprint: SmallMachine.fingerprint(reached))
          {
            values[node] = reached
          }
        }
      }
    }
    for (node, value) in values {
      let path = search.path(to: node)
      #expect(path.reduce(0) { machine.next($0, $1) } == value)
      #expect(path.count == search.depth(of: node))
    }
  }

  @Test("does not go deeper than the maximum, and says so")
  func depth() {
    let machine = SmallMachine(seed: 3, states: 200, events: 2)
    let (fewest, search) = Self.search(machine, depth: 3)
    #expect(search.end == .depth)
    #expect(fewest.values.max() == 3)
    let expected = machine.exhaustive(length: 3)
    #expect(fewest == expected)
  }

  @Test("adds no more states than the maximum, and says so")
  func states() {
    let machine = SmallMachine(seed: 3, states: 200, events: 2)
    let (fewest, search) = Self.search(machine, states: 10)
    #expect(search.end == .states)
    #expect(fewest.count == 10)
    #expect(search.count == 10)
  }

  @Test("a changed payload counts as two events")
  func costs() {
    var search = BreadthFirst(start: 9, maximumDepth: 10, maximumStates: 100)
    let first = search.dequeue(10)
    #expect(first == [.init(node: 0, isPlausible: true)])
    let one = search.add("a", from: 0, fingerprint: 1)
    #expect(one == 1)
    // The plausible events of the new state cost as much as the others of the first one.
    #expect(search.dequeue(10) == [.init(node: 1, isPlausible: true)])
    let two = search.add("a", from: 1, fingerprint: 2)
    #expect(two == 2)
    #expect(search.dequeue(10) == [.init(node: 0, isPlausible: false)])
    #expect(search.dequeue(10) == [.init(node: 2, isPlausible: true)])
    #expect(search.dequeue(10) == [.init(node: 1, isPlausible: false)])
    #expect(search.dequeue(10) == [.init(node: 2, isPlausible: false)])
    #expect(search.dequeue(10).isEmpty)
    #expect(search.end == .everything)
  }

  @Test("a table of fingerprints agrees with a set", arguments: [1, 2, 3] as [UInt64])
  func known(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var known = FingerprintSet()
    var set: Set<UInt64> = []
    for _ in 0..<20_000 {
      // Small ones, so that many come twice; multiples, so that low bits repeat.
      let value = UInt64.random(in: 0..<8_000, using: &random) << (seed * 13)
      // Zero and one are one value, because zero marks an empty slot.
      #expect(known.insert(value) == set.insert(max(value, 1)).inserted)
    }
    #expect(known.count == set.count)
  }
}
