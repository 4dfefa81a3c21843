package import JSONCore

/// Random sequences of events from the start, for what lies deeper than a breadth-first search gets.
package struct RandomWalks: Sendable {
  private var random: SplitMix
  private let length: Int

  /// - Parameters:
  ///   - seed: equal seeds give equal walks.
  ///   - length: the number of events of each.
  package init(length: Int, seed: UInt64) {
    random = SplitMix(state: seed)
    self.length = length
  }

  /// The next walk over some events; empty without any.
  package mutating func next(over events: [JSON]) -> [JSON] {
    guard !events.isEmpty else { return [] }
    return (0..<length).map { _ in events[Int.random(in: 0..<events.count, using: &random)] }
  }
}

/// The generator SplitMix64.
private struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
