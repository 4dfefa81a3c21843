/// The speed and the random choices of a simulated user, reproducible with a seed.
@MainActor
package final class Pace {
  private let pause: Duration
  private var chance: UInt64

  /// Creates a pace with about `pause` between two actions.
  package init(_ pause: Duration = .milliseconds(400), seed: UInt64 = 1) {
    self.pause = pause
    chance = seed
  }

  /// Waits for about one pause.
  package func rest(_ times: Double = 1) async {
    let factor = 0.5 + Double(pick(100)) / 100
    try? await Task.sleep(for: pause * factor * times)
  }

  /// A number below `bound`.
  package func pick(_ bound: Int) -> Int {
    // A linear congruential generator is random enough for clicks.
    chance = chance &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((chance >> 33) % UInt64(bound))
  }

  /// A random element.
  package func pick<Value>(of values: [Value]) -> Value { values[pick(values.count)] }
}
