import JSONCore
import TestSupport

@testable import Exploring

/// A random machine with a few states, for comparison with an exhaustive search.
struct SmallMachine {
  /// The state that each event leads to, by state.
  let table: [[Int]]
  let pool: EventPool

  static func event(_ index: Int) -> JSON { .string("e\(index)") }

  static func fingerprint(_ state: Int) -> UInt64 { UInt64(state) + 2 }

  init(seed: UInt64, states: Int, events: Int) {
    var random = SeededGenerator(seed: seed)
    table = (0..<states).map { _ in
      (0..<events).map { _ in Int.random(in: 0..<states, using: &random) }
    }
    pool = EventPool(
      recorded: RecordedPayloads((0..<events).map(Self.event)), schema: nil, states: [])
  }

  func next(_ state: Int, _ event: JSON) -> Int {
    guard let text = event.string, let index = Int(text.dropFirst()) else { return state }
    return table[state][index]
  }

  /// The fewest events to each state, by trying every sequence of up to `length` events.
  func exhaustive(length: Int) -> [Int: Int] {
    var fewest = [0: 0]
    var ends = [0]
    for count in 1...length {
      // One end for each sequence, duplicates included.
      ends = ends.flatMap { end in pool.events.map { next(end, $0.event) } }
      for end in ends where fewest[end] == nil { fewest[end] = count }
    }
    return fewest
  }
}
