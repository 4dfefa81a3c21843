import JSONCore
import Mining
import Predicates
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Mining invariants")
struct InvariantMinerTests {
  private typealias Row = (event: String, state: JSON)

  /// The paths of the members of the first state.
  private static func paths(_ rows: [Row]) -> [Predicates.Predicate.Path] {
    (rows.first?.state.object?.keys.sorted() ?? []).map {
      Predicates.Predicate.Path(.state, [.key($0)])
    }
  }

  private static func mined(_ recordings: [Row]...) -> [Invariant] {
    let paths = paths(recordings[0])
    var miner = InvariantMiner(paths: paths)
    for rows in recordings {
      miner.begin()
      for row in rows {
        let values = paths.map { path in
          if case .key(let key)? = path.steps.first { row.state[key] ?? .null } else { JSON.null }
        }
        miner.add(values: values, event: row.event)
      }
    }
    return miner.invariants
  }

  private static func texts(_ found: [Invariant], _ kind: InvariantKind) -> [String] {
    found.filter { $0.kind == kind }.map(\.predicate.description)
  }

  private static func rows(_ states: [JSON], event: String = "step") -> [Row] {
    states.map { (event, $0) }
  }

  @Test("one number has a sign, a range, and a direction")
  func numbers() {
    let found = Self.mined(Self.rows([1, 2, 2, 5, 9].map { ["n": $0] }))
    #expect(Self.texts(found, .monotonic) == ["!(state.n < before.state.n)"])
    #expect(Self.texts(found, .sign) == ["state.n >= 0"])
    #expect(Self.texts(found, .range) == ["state.n >= 1 && state.n <= 9"])
    let mixed = Self.mined(Self.rows([-1, 2, 2, 5, 9].map { ["n": $0] }))
    #expect(Self.texts(mixed, .sign).isEmpty)
    let negative = Self.mined(Self.rows([-1, -2, -2, -5, 0].map { ["n": $0] }))
    #expect(Self.texts(negative, .sign) == ["state.n <= 0"])
    #expect(Self.texts(negative, .monotonic).isEmpty)
  }

  @Test("a direction is that of each recording alone")
  func recordings() {
    let rows = Self.rows([1, 2, 3].map { ["n": $0] })
    #expect(!Self.texts(Self.mined(rows, rows), .monotonic).isEmpty)
    #expect(Self.texts(Self.mined(rows + rows), .monotonic).isEmpty)
  }

  @Test("two values are equal or in order, unless their limits say so already")
  func pairs() {
    let states: [JSON] = [0, 3, 1, 7, 4, 2].map { (n: Int64) in
      [
        "a": .number(JSON.Number(n)), "b": .number(JSON.Number(n)),
        "c": .number(JSON.Number(n + n % 2)), "far": .number(JSON.Number(n + 100)),
      ]
    }
    let found = Self.mined(Self.rows(states))
    #expect(Self.texts(found, .equality) == ["state.b == state.a"])
    #expect(Self.texts(found, .order) == ["state.c >= state.a", "state.c >= state.b"])
    // The most surprising come first.
    #expect(found.first?.kind == .equality)
  }

  @Test("after an event, a value is the same")
  func implied() {
    let rows: [Row] = (0..<4).flatMap { (index: Int64) -> [Row] in
      [("add", ["n": .number(JSON.Number(index + 1))]), ("clear", ["n": 0])]
    }
    let found = Self.mined(rows)
    #expect(Self.texts(found, .implied) == [#"event != "clear" || state.n == 0"#])
    #expect(found.first { $0.kind == .implied }?.support == 4)
    // Twice may be an accident.
    #expect(Self.texts(Self.mined(Array(rows.prefix(4))), .implied).isEmpty)
  }

  @Test("texts are some of a few, or always there")
  func texts() {
    let words: [JSON] = [
      "open", "closed", "open", "closed", "open", "open", "open", "open", "open", "open",
    ]
    let found = Self.mined(Self.rows(words.map { ["word": $0] }))
    #expect(Self.texts(found, .subset) == [#"state.word == "open" || state.word == "closed""#])
    let many = Self.mined(Self.rows((0..<9).map { ["word": .string("w\($0)")] }))
    #expect(Self.texts(many, .present) == ["state.word != null"])
    let missing = Self.mined(
      Self.rows((0..<9).map { ["word": $0 == 3 ? .null : .string("w\($0)")] }))
    #expect(missing.isEmpty)
    let same = Self.mined(Self.rows(Array(repeating: ["word": "a"], count: 5)))
    #expect(Self.texts(same, .constant) == [#"state.word == "a""#])
    #expect(Self.mined(Self.rows(Array(repeating: ["word": .null], count: 9))).isEmpty)
  }

  @Test("little support is not enough")
  func support() {
    #expect(Self.mined(Self.rows([1, 2, 3, 4].map { ["n": $0] })).isEmpty)
  }

  @Test("containers, long texts, and more paths than the limit are left out")
  func limits() {
    let long = JSON.string(String(repeating: "x", count: 65))
    let states = Array(repeating: ["list": [1], "long": long] as JSON, count: 9)
    #expect(Self.mined(Self.rows(states)).isEmpty)
    var miner = InvariantMiner(
      paths: (0..<60).map { Predicates.Predicate.Path(.state, [.key("v\($0)")]) })
    for _ in 0..<9 { miner.add(values: Array(repeating: 1, count: 60), event: nil) }
    #expect(miner.invariants.count == InvariantMiner.pathLimit)
  }

  @Test("agrees with conditions that are tried at every entry", arguments: 0..<30)
  func property(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let rows: [Row] = (0..<40).map { _ in
      let a = Int64.random(in: -2...6, using: &random)
      let b = a + Int64.random(in: seed.isMultiple(of: 3) ? 0...0 : 0...2, using: &random)
      let event = ["one", "two"].randomElement(using: &random) ?? ""
      let c: Int64 = event == "one" && seed.isMultiple(of: 2) ? 1 : a
      return (
        event,
        [
          "a": .number(JSON.Number(a)), "b": .number(JSON.Number(b)),
          "c": .number(JSON.Number(c)),
        ]
      )
    }
    let found = Self.mined(rows)
    let subjects = try Self.subjects(rows)
    for invariant in found {
      for subject in subjects { #expect(invariant.predicate.evaluate(subject) == .yes) }
    }
    // What holds of all entries, by trying it, is found.
    let known = Set(found.map(\.predicate.description))
    for (left, right) in [("b", "a"), ("c", "a"), ("c", "b")] {
      let values = rows.map { ($0.state[left]?.int ?? 0, $0.state[right]?.int ?? 0) }
      if values.allSatisfy({ $0 == $1 }) {
        #expect(known.contains("state.\(left) == state.\(right)"))
      } else if values.allSatisfy({ $0 >= $1 }) {
        #expect(known.contains("state.\(left) >= state.\(right)"))
      } else if values.allSatisfy({ $0 <= $1 }) {
        #expect(known.contains("state.\(left) <= state.\(right)"))
      }
    }
    for key in ["a", "b", "c"] {
      let values = rows.map { $0.state[key]?.int ?? 0 }
      let (least, most) = (values.min() ?? 0, values.max() ?? 0)
      #expect(known.contains("state.\(key) >= \(least) && state.\(key) <= \(most)"))
      #expect(known.contains("state.\(key) >= 0") == (least >= 0))
    }
    for event in ["one", "two"] {
      let values = Set(rows.filter { $0.event == event }.map { $0.state["c"]?.int ?? 0 })
      if values.count == 1, let only = values.first {
        #expect(known.contains("event != \"\(event)\" || state.c == \(only)"))
      }
    }
  }

  private static func subjects(_ rows: [Row]) throws -> [EntrySubject] {
    var before: Moment?
    return try rows.enumerated().map { index, row in
      var draft = EntryDraft(seq: Int64(index) + 1, t: 0)
      let event: JSON = .string(row.event)
      draft.event = event.encoded()[...]
      draft.state = row.state.encoded()[...]
      let after = Moment.known(Snapshot(state: row.state))
      defer { before = after }
      return EntrySubject(try draft.entry(), before: before, after: after)
    }
  }
}
