import Foundation
import JSONCore
import TestSupport
import Testing

/// States made to mislead an encoder that reuses what did not change.
@Suite("Incremental encoder: hostile states")
struct IncrementalHostileTests {
  @Test(
    "equals a full encoding when a value of another type takes its place",
    arguments: 0..<Rounds.choose(8, all: 24))
  func alternatingTypes(_ seed: UInt64) throws {
    var random = StepGenerator(seed: seed &+ 9_000)
    var parts = (0..<5).map { _ in HostilePart(random: &random) }
    var stepper = try Stepper(HostileState(parts: parts))
    for step in 0..<25 {
      for _ in 0..<random.pick(0..<4) {
        let place = random.pick(0..<parts.count)
        switch random.pick(0..<10) {
        case 0: parts[place] = HostilePart(random: &random)
        case 1: parts.swapAt(place, random.pick(0..<parts.count))
        case 2: parts[place] = parts[random.pick(0..<parts.count)]
        case 3: parts.insert(HostilePart(random: &random), at: place)
        case 4: if parts.count > 3 { parts.remove(at: place) }
        default: parts[place].mutate(random: &random)
        }
      }
      try stepper.advance(to: HostileState(parts: parts), "seed \(seed), step \(step)")
    }
  }

  @Test("continues correctly after values that throw repeatedly", arguments: 0..<6)
  func throwingSteps(_ seed: UInt64) throws {
    var random = StepGenerator(seed: seed &+ 500)
    var list = (0..<80).map { Fussy(value: $0) }
    var stepper = try Stepper(["a": list, "b": [Fussy(value: 1)]])
    for step in 0..<20 {
      let place = random.pick(0..<list.count)
      var wild = list
      wild[place].value = -1
      #expect(throws: EncodingError.self) { try stepper.advance(to: ["a": wild], "wild") }
      list[place].value = random.pick(0..<1_000)
      if random.pick(0..<3) == 0 { list.remove(at: random.pick(0..<list.count)) }
      try stepper.advance(to: ["a": list, "c": list], "seed \(seed), step \(step)")
    }
  }

  @Test("omits a part whose error the value catches, like a full encoding")
  func caughtErrors() throws {
    let calm = (0..<100).map { Fussy(value: $0) }
    var wild = calm
    wild[50].value = -1
    var other = calm
    other[3].value = 7
    for states in [[calm, wild, calm], [wild, calm, other, wild, other], [wild, wild, calm]] {
      var stepper = try Stepper(Catching(list: states[0]))
      for state in states.dropFirst() {
        try stepper.advance(to: Catching(list: state), "\(states.count) states")
      }
    }
  }

  /// Takes a part that throws as one that is not there.
  struct Catching: Encodable {
    var list: [Fussy]
    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(1, forKey: "before")
      do {
        try object.encode(list, forKey: "list")
      } catch {
        try object.encode("\(list.count) elements that throw", forKey: "error")
      }
      var array = object.nestedUnkeyedContainer(forKey: "array")
      try? array.encode(["list": list])
      try array.encode(array.count)
    }
  }

  @Test("distinguishes values that share their storage")
  func sharedStorage() throws {
    let text = String(repeating: "abcdefghij", count: 200)
    // Substrings are the same storage with other bounds.
    let bounds = [(0, 2_000), (0, 1_990), (10, 2_000), (10, 1_990), (0, 0), (3, 303)]
    func cut(_ bounds: (Int, Int)) -> Substring {
      text.dropFirst(bounds.0).prefix(bounds.1 - bounds.0)
    }
    var stepper = try Stepper(Cuts(one: cut(bounds[0]), many: []))
    for (index, next) in bounds.enumerated() {
      let many = (0..<40).map { cut(bounds[($0 + index) % bounds.count]) }
      try stepper.advance(to: Cuts(one: cut(next), many: many), "cut \(next)")
    }
    // Slices of one array, as arrays of their own.
    let numbers = Array(0..<1_000)
    var slices = try Stepper([Array(numbers[0..<500]), numbers])
    try slices.advance(to: [Array(numbers[1..<501]), numbers], "another slice")
    try slices.advance(to: [numbers, numbers], "the same storage twice")
    try slices.advance(to: [numbers], "one of two")
    try slices.advance(to: Array(repeating: numbers, count: 5), "five of one storage")
  }

  struct Cuts: Encodable {
    var one: Substring
    var many: [Substring]
    func encode(to encoder: any Encoder) throws {
      var object = encoder.container(keyedBy: AnyKey.self)
      try object.encode(String(one), forKey: "one")
      try object.encode(many.map { String($0) }, forKey: "many")
    }
  }

  @Test("treats NaN payloads as the same text and the sign of zero as different")
  func oddDoubles() throws {
    let plain = [Double](repeating: .nan, count: 64)
    var payload = plain
    payload[10] = Double(nan: 5, signaling: false)
    var stepper = try Stepper(plain)
    #expect(try stepper.advance(to: payload, "payload").isEmpty)
    payload[11] = 0
    try stepper.advance(to: payload, "zero")
    payload[11] = -0.0
    #expect(try !stepper.advance(to: payload, "minus zero").isEmpty)
  }

  @Test("reads the contents of a class when it encodes, not when it stores the value")
  func readsContentsOfClassWhenItEncodes() throws {
    let page = LivePage()
    var stepper = try Stepper([page, page])
    for step in 0..<30 {
      page.rows.append(step)
      if step % 3 == 0 { page.rows.removeFirst(5) }
      if step % 4 == 0 { page.names["\(step)"] = page.rows }
      try stepper.advance(to: step % 2 == 0 ? [page] : [page, page], "step \(step)")
    }
  }

  final class LivePage: Encodable {
    var rows = Array(0..<100)
    var names = Dictionary(uniqueKeysWithValues: (0..<30).map { ("k\($0)", [$0]) })
  }

  @Test("encodes from many tasks at once, each from its own copy")
  func encodesFromManyTasksAtOnce() async throws {
    var first = IncrementalEncoder<[String: [Int]]>()
    try first.start(["a": Array(0..<500)])
    let shared = first
    await withTaskGroup(of: Bool.self) { group in
      for task in 0..<8 {
        group.addTask {
          var encoder = shared
          return (0..<20).allSatisfy { step in
            let next = [
              "a": Array(0..<500) + [task, step], "b": Array(repeating: step, count: 99),
            ]
            guard (try? encoder.advance(to: next)) != nil else { return false }
            return (try? encoder.fullBytes()) == (try? CanonicalEncoder().encode(next))
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  /// A part of a list that was read again: the same, in other storage.
  private struct Note: Codable {
    var id: Int
    var text: String
  }

  @Test("takes the same time per element with more elements", .timeLimit(.minutes(10)))
  func sameContentsElsewhere() throws {
    func make() -> [Note] {
      (0..<Rounds.choose(20_000, all: 50_000)).map {
        Note(id: $0, text: String(repeating: "x", count: 300))
      }
    }
    var encoder = IncrementalEncoder<[Note]>()
    try encoder.start(make())
    #expect(try encoder.advance(to: make()).isEmpty)
  }
}
