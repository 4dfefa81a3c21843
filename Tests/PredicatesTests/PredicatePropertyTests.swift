import JSONCore
import TestSupport
import Testing

@testable import Predicates
@testable import Timelines

@Suite("Random predicates")
struct PredicatePropertyTests {
  @Test("answer as a naive evaluation does, on text, on trees, and through patches")
  func naive() throws {
    let seed: UInt64 = 8_128
    var generator = SeededGenerator(seed: seed)
    var counts: [Answer: Int] = [:]
    for round in 0..<2_000 {
      var world = PredicateWorld(generator: generator)
      let expression = world.expression(depth: 3)
      let moment = try world.moment()
      generator = world.generator
      let expected = moment.naive.answer(expression).map { Answer($0) } ?? .unknown
      let predicate = Predicate(expression)
      let place = "seed \(seed), round \(round): \(predicate) on \(moment.subject.entry.text)"
      #expect(predicate.evaluate(moment.subject) == expected, "\(place)")
      #expect(predicate.evaluate(moment.subject.decoded) == expected, "decoded, \(place)")
      #expect(try Predicate(predicate.description) == predicate, "\(place)")
      if let names = predicate.eventNames, expected != .no {
        #expect(names.contains(moment.naive.eventName ?? ""), "\(place)")
      }
      counts[expected, default: 0] += 1
    }
    #expect(counts.values.allSatisfy { $0 > 100 } && counts.count == 3, "\(counts)")
  }

  @Test("ask for no side that they do not need")
  func needs() throws {
    #expect(try Predicate(#"event == "x" && seq > 3 || error"#).needs == [])
    #expect(try Predicate("state.a && true").needs == [.after])
    #expect(try Predicate("1 < before.outputs.b").needs == [.before])
    #expect(try Predicate("!changed(state.a)").needs == [.before, .after])
    struct Silent: PredicateSubject {
      let entry: JSONSlice
      func values(_ side: EntrySide) -> SideValues {
        Issue.record("asked for \(side)")
        return .unknown
      }
    }
    let line = #"{"seq":3,"t":1,"event":"x","patch":[{"op":"replace","path":"/b","value":1}]}"#
    let silent = Silent(entry: try JSONSlice(validating: Array(line.utf8)))
    #expect(try Predicate(#"event == "x" || state.a"#).evaluate(silent) == .yes)
    #expect(try Predicate("changed(state.a)").evaluate(silent) == .no)
  }

  @Test(
    "tell the event names that can answer them",
    arguments: [
      (#"event == "a""#, ["a"]), (#""a" == name && state.x"#, ["a"]), (#"event != "a""#, nil),
      (#"event == "a" || event == "b" && t > 1"#, ["a", "b"]), (#"event == "a" || t > 1"#, nil),
      (#"event == "a" && event == "b""#, []), (#"event.a == "b""#, nil),
      (#"(event == "a" || event == "b") && event == "b""#, ["b"]), (#"!(event == "a")"#, nil),
    ] as [(String, [String]?)])
  func eventNames(text: String, names: [String]?) throws {
    #expect(try Predicate(text).eventNames == names.map { Set($0) })
  }

  @Test("never trap on random text")
  func randomText() {
    var generator = SeededGenerator(seed: 99)
    let pieces = [
      "event", "state", "before", "outputs", "changed", "contains", "matches", "(", ")", "[", "]",
      ".", "&&", "||", "!", "==", "<", "\"a\"", "'", "\"", "/", "\\", "1", "-", "0.5e9", " ", "é",
      "😀", "\u{0}", ",", "null", "{", "*", "+", "?", "\\u", "{2,3}", "^",
    ]
    var readable = 0
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...12, using: &generator)
      let text = (0..<count).map { _ in pieces.randomElement(using: &generator) ?? "" }.joined()
      do {
        let predicate = try Predicate(text)
        readable += 1
        #expect(predicate.description.isEmpty == false)
      } catch {
        #expect((1...text.unicodeScalars.count + 1).contains(error.column), "\(text): \(error)")
        #expect((0...text.utf8.count).contains(error.offset), "\(text): \(error)")
      }
    }
    #expect(readable > 20)
  }

  @Test("are bounded in length and depth")
  func bounds() {
    let deep = String(repeating: "(", count: 3_000)
    #expect(throws: PredicateError.self) { try Predicate(deep) }
    #expect(throws: PredicateError.self) { try Predicate(String(repeating: "!", count: 65) + "t") }
    #expect(throws: PredicateError.self) { try Predicate(String(repeating: " ", count: 4_097)) }
    let wide = (0..<500).map { _ in "t" }.joined(separator: "||")
    #expect(throws: Never.self) { try Predicate(wide) }
  }

  @Test("find a text in time linear to both")
  func search() {
    #expect("aaab".holds("aab"))
    #expect("abababac".holds("ababac"))
    #expect(!"ababab".holds("abac"))
    #expect("".holds(""))
    #expect(!"".holds("a"))
  }
}
