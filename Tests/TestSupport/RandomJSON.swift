public import JSONCore

/// Random JSON values, and random changes to them.
public struct RandomJSON {
  private var generator: SeededGenerator

  /// Includes keys that a pointer or a string must escape, but not `-`, which the Python library
  /// refuses to replace even where it is a key.
  private static let keys = [
    "id", "name", "on", "items", "a/b", "m~n", "~1", "/", "", " ", "é", "e\u{301}", "\u{1F600}",
    "quote\"", "back\\slash", "tab\t", "nul\0", "0", "--", "01", "count", "x", "y", "z",
  ]

  /// Creates a source from a seed.
  public init(seed: UInt64) {
    generator = SeededGenerator(seed: seed)
  }

  /// A random number in a range.
  public mutating func int(in range: Range<Int>) -> Int {
    Int.random(in: range, using: &generator)
  }

  /// True with the given probability.
  public mutating func chance(_ probability: Double) -> Bool {
    generator.chance(probability)
  }

  /// A key.
  public mutating func key() -> String {
    chance(0.8) ? Self.keys[int(in: 0..<Self.keys.count)] : "key\(int(in: 0..<40))"
  }

  /// A string, a number, a Boolean or null.
  ///
  /// Numbers are integers or halves, and never minus zero, so that all readers agree on them.
  public mutating func scalar() -> JSON {
    switch int(in: 0..<8) {
    case 0: .null
    case 1: .bool(chance(0.5))
    case 2, 3: .number(JSON.Number(Int64(int(in: -3..<30))))
    case 4: .number(JSON.Number(Double(2 * int(in: -9..<9) + 1) / 2) ?? JSON.Number(0 as Int64))
    case 5: .number(JSON.Number(Int64(int(in: -1 << 53..<1 << 53))))
    default: .string(chance(0.5) ? key() : "text \(int(in: 0..<9))")
    }
  }

  /// A value whose arrays and objects are nested at most `depth` levels.
  public mutating func value(depth: Int = 4) -> JSON {
    guard depth > 0, chance(0.75) else { return scalar() }
    if chance(0.5) {
      let hasIDs = chance(0.4)
      return .array(
        (0..<length()).map { index in
          var element = value(depth: depth - 1)
          if hasIDs {
            element = ["id": .string("e\(index)"), "on": .bool(chance(0.5)), "value": element]
          }
          return element
        })
    }
    var object = JSON.Object()
    for _ in 0..<length() { object[key()] = value(depth: depth - 1) }
    return .object(object)
  }

  private mutating func length() -> Int {
    chance(0.1) ? int(in: 0..<30) : int(in: 0..<5)
  }

  /// The value with some places changed.
  public mutating func mutation(of value: JSON) -> JSON {
    switch value {
    case .array(var array):
      switch int(in: 0..<6) {
      case 0: array.insert(self.value(depth: 2), at: int(in: 0..<array.count + 1))
      case 1 where !array.isEmpty: array.remove(at: int(in: 0..<array.count))
      case 2 where !array.isEmpty:
        let moved = array.remove(at: int(in: 0..<array.count))
        array.insert(moved, at: int(in: 0..<array.count + 1))
      case 3 where chance(0.2): array.shuffle(using: &generator)
      default:
        if !array.isEmpty {
          let index = int(in: 0..<array.count)
          array[index] = mutation(of: array[index])
        }
      }
      return .array(array)
    case .object(var object):
      let keys = object.keys
      switch int(in: 0..<5) {
      case 0: object[key()] = self.value(depth: 2)
      case 1 where !keys.isEmpty: object[keys[int(in: 0..<keys.count)]] = nil
      default:
        if !keys.isEmpty {
          let key = keys[int(in: 0..<keys.count)]
          object[key] = mutation(of: object[key] ?? .null)
        }
      }
      return .object(object)
    default:
      return chance(0.8) ? scalar() : self.value(depth: 2)
    }
  }
}
