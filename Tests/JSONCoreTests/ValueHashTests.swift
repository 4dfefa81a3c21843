import TestSupport
import Testing

@testable import JSONCore

@Suite("Hashes of values in memory")
struct ValueHashTests {
  private struct Line: Codable, Hashable {
    var id: Int
    var name: String
    var tags: [String]
    var note: String?
    var counts: [String: Int]
    var seen: Set<Int>
    var size: Size
    var small: UInt8
    var price: Double
  }

  private enum Size: String, Codable, CaseIterable { case small, medium, large }

  private struct Shop: Codable, Hashable {
    var lines: [Line]
    var isOpen: Bool
    var first: Line?
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    // Short ones lie in the string itself, others on the heap.
    String(repeating: "é", count: Int.random(in: 0..<3, using: &random))
      + String(repeating: "x", count: [0, 1, 14, 15, 16, 40].randomElement(using: &random) ?? 0)
  }

  private static func line(_ random: inout SeededGenerator) -> Line {
    let numbers = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
      Int.random(in: 0..<3, using: &random)
    }
    return Line(
      id: numbers.count, name: text(&random), tags: numbers.map { "tag \($0)" },
      note: Bool.random(using: &random) ? text(&random) : nil,
      counts: Dictionary(numbers.map { ("key \($0)", $0) }) { $1 }, seen: Set(numbers),
      size: Size.allCases.randomElement(using: &random) ?? .small,
      small: UInt8.random(in: 0..<2, using: &random),
      price: [0, -0.0, 1.5].randomElement(using: &random) ?? 0)
  }

  @Test(
    "are equal only where the encodings are, and for copies in other memory",
    arguments: 0..<Rounds.choose(4, all: 100) as Range<UInt64>)
  func equality(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let hash = try #require(ValueHash<Shop>())
    var known: [UInt64: [UInt8]] = [:]
    for _ in 0..<400 {
      let lines = (0..<Int.random(in: 0..<3, using: &random)).map { _ in Self.line(&random) }
      let shop = Shop(
        lines: lines, isOpen: Bool.random(using: &random),
        first: Bool.random(using: &random) ? lines.first : nil)
      let text = try CanonicalEncoder().encode(shop)
      #expect(known[hash.of(shop), default: text] == text)
      known[hash.of(shop)] = text
      let copy = try CanonicalDecoder().decode(Shop.self, from: JSONSlice(validating: text))
      #expect(hash.of(copy) == hash.of(shop))
    }
    #expect(Set(known.values).count == known.count)
  }

  @Test("of small numbers in a list have no two alike")
  func smallNumbers() throws {
    let hash = try #require(ValueHash<[[Int]]>())
    var known: Set<UInt64> = []
    for left in 0..<200 {
      for right in 0..<200 { known.insert(hash.of([[left, right], [left]])) }
    }
    #expect(known.count == 40_000)
    #expect(hash.of([[1], []]) != hash.of([[], [1]]))
    #expect(hash.of([[], []]) != hash.of([[]]))
  }

  private struct Twice: AwkwardTrial {
    func run<T: Codable & Sendable>(_ value: T, _ isSame: (T, T) -> Bool) throws {
      guard let hash = ValueHash<[T]>(), let other = ValueHash<T?>() else { return }
      let text = try CanonicalEncoder().encode(value)
      let copy = try CanonicalDecoder().decode(T.self, from: JSONSlice(validating: text))
      // What differs in memory may have two hashes.
      #expect(hash.of([value, copy]) == hash.of([value, copy]))
      #expect(hash.of([value]) != hash.of([value, copy]))
      #expect(other.of(value) == other.of(value))
      #expect(other.of(nil) != other.of(value))
    }
  }

  @Test("of unusual types are the same each time", arguments: AwkwardType.all)
  func unusual(type: AwkwardType) throws {
    try type.visit(Twice())
  }

  @Test("do not exist for what can change behind a reference, or has no end")
  func others() {
    final class Instance {}
    struct Holder { var number = 0; var instance = Instance() }
    struct Node { var children: [Node] }
    enum Choice { case text(String), none }
    #expect(ValueHash<Holder>() == nil)
    #expect(ValueHash<[Instance]>() == nil)
    #expect(ValueHash<Node>() == nil)
    #expect(ValueHash<Choice>() == nil)
    #expect(ValueHash<() -> Void>() == nil)
    #expect(ValueHash<any Sendable>() == nil)
    #expect(ValueHash<Int>() != nil)
  }
}
