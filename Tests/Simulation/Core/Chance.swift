/// Random numbers from a seed, in streams that do not disturb one another.
public struct Chance: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// The stream of a name.
  public init(seed: UInt64, _ name: String) {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325 ^ seed &* 0x9E37_79B9_7F4A_7C15
    for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    state = hash
  }

  /// SplitMix64.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }

  mutating func pick(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  mutating func pick<Value>(of values: [Value]) -> Value { values[pick(0...values.count - 1)] }

  /// Whether something that happens once in so many times happens.
  mutating func once(in times: Int) -> Bool { next() % UInt64(max(1, times)) == 0 }
}
