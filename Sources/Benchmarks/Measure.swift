import Foundation

/// Measures times on a machine that other programs use, too.
///
/// Three methods reduce the influence of other programs. Contenders alternate within one process in
/// short rounds, so that a slow moment affects all of them. Rounds are timed with the thread's clock,
/// which stops while other threads have the processor. And medians ignore the worst moments. Other
/// programs can still evict our data from the caches.
struct Measure: Sendable {
  let isQuick: Bool

  /// The minimum duration of a round in nanoseconds: much longer than reading the clock, and shorter
  /// than the scheduler's slices, so that most rounds are not interrupted.
  private let roundLength = 500_000.0

  /// The time limit of a comparison in nanoseconds, and its minimum number of rounds.
  private var budget: Double { isQuick ? 5e8 : 4e9 }

  /// The number of rounds for a measurement with its own rounds; odd, so that one is the median.
  var rounds: Int { isQuick ? 7 : 31 }

  /// The median nanoseconds of one call of each contender.
  func inTurns(_ contenders: [() throws -> Void]) throws -> [Double] {
    let counts = try contenders.map { try calls(of: $0) }
    var times = [[Double]](repeating: [], count: contenders.count)
    var spent = 0.0
    while spent < budget || times[0].count < rounds {
      for (index, contender) in contenders.enumerated() {
        let time = try time { for _ in 0..<counts[index] { try contender() } }
        times[index].append(time / Double(counts[index]))
        spent += time
      }
    }
    return times.map(Self.median)
  }

  /// The number of calls in a round; also warms up.
  private func calls(of contender: () throws -> Void) rethrows -> Int {
    var count = 1
    while true {
      let time = try time { for _ in 0..<count { try contender() } }
      if time >= roundLength { return count }
      count *= 2
    }
  }

  /// The processor time of this thread in nanoseconds while `body` runs.
  func time(_ body: () throws -> Void) rethrows -> Double {
    let start = Self.threadTime()
    try body()
    return Self.threadTime() - start
  }

  private static func threadTime() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  static func median(_ values: [Double]) -> Double {
    let sorted = values.sorted()
    guard !sorted.isEmpty else { return .nan }
    let middle = sorted.count / 2
    return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
  }
}

/// Hides the use of a value from the optimizer, so that it does not remove the value's computation.
@inline(never)
@_optimize(none)
func use<Value>(_ value: Value) {}

/// A seeded random number generator (SplitMix64).
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
