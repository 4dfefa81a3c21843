import Foundation

/// How to time things on a machine that others use too.
///
/// Three things keep others out of the result. What is compared runs in turns within one process,
/// a short round of each after the other, so that a slow moment hits both. Rounds are timed by what
/// the thread's clock says, which stands still while others have the processor. And medians leave
/// the worst moments out. What remains is that others push our data out of the caches.
struct Measure: Sendable {
  /// Whether a look is enough.
  let isQuick: Bool

  /// A round lasts at least this long in nanoseconds: far above what reading the clock takes, and
  /// below the scheduler's slices, so that most rounds are not interrupted at all.
  private let roundLength = 500_000.0

  /// How long a comparison may take in nanoseconds, and how many rounds it has in any case.
  private var budget: Double { isQuick ? 5e8 : 4e9 }

  /// The rounds of something that has rounds of its own; odd, so that one is the median.
  var rounds: Int { isQuick ? 7 : 31 }

  /// The median nanoseconds that one call of each takes.
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

  /// How many calls make a round; also warms up.
  private func calls(of contender: () throws -> Void) rethrows -> Int {
    var count = 1
    while true {
      let time = try time { for _ in 0..<count { try contender() } }
      if time >= roundLength { return count }
      count *= 2
    }
  }

  /// The nanoseconds for which this thread has the processor while `body` runs.
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
