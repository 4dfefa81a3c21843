/// How to time things on a machine that others use too.
///
/// What is compared runs in turns within one process, a round of each after the other, so that a
/// slow moment hits both; the median of the rounds leaves the worst moments out.
struct Measure: Sendable {
  /// Whether a look is enough.
  let isQuick: Bool

  /// Rounds of each contender. An odd number has a median of its own.
  var rounds: Int { isQuick ? 7 : 31 }

  /// A round lasts at least this long, far above the clock's 25 ns and what a timer interrupt
  /// takes.
  private var roundLength: Duration { isQuick ? .milliseconds(2) : .milliseconds(10) }

  /// The median nanoseconds that one call of each takes.
  func inTurns(_ contenders: [() throws -> Void]) throws -> [Double] {
    let counts = try contenders.map { try calls(of: $0) }
    var times = [[Double]](repeating: [], count: contenders.count)
    for _ in 0..<rounds {
      for (index, contender) in contenders.enumerated() {
        let time = try time { for _ in 0..<counts[index] { try contender() } }
        times[index].append(time / Double(counts[index]))
      }
    }
    return times.map(Self.median)
  }

  /// How many calls make a round; also warms up.
  private func calls(of contender: () throws -> Void) rethrows -> Int {
    var count = 1
    while true {
      let time = try time { for _ in 0..<count { try contender() } }
      if time >= Double(roundLength.components.attoseconds / 1_000_000_000) { return count }
      count *= 2
    }
  }

  /// The nanoseconds that a call of `body` takes.
  func time(_ body: () throws -> Void) rethrows -> Double {
    let clock = ContinuousClock()
    let start = clock.now
    try body()
    let (seconds, attoseconds) = (clock.now - start).components
    return Double(seconds) * 1e9 + Double(attoseconds) * 1e-9
  }

  /// The middle one of some numbers.
  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Uses a value where the optimiser cannot see how, so that making it is not optimised away.
@inline(never)
@_optimize(none)
func use<Value>(_ value: Value) {}

/// Random numbers that are the same in every run (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
