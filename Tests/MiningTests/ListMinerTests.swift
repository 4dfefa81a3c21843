import JSONCore
import Mining
import Predicates
import Testing
import Timelines

@Suite("Mining sums and lists")
struct ListMinerTests {
  /// What held in states with these scalars and these lists of numbers or texts.
  private static func mined(
    _ scalars: [String], _ lists: [String], _ states: [JSON]
  ) -> [String] {
    let path = { (key: String) in Predicates.Predicate.Path(.state, [.key(key)]) }
    var miner = ListMiner(
      scalars: scalars.map(path),
      lists: lists.map { Predicates.Predicate.Path(.state, [.key($0), .each]) })
    for state in states {
      miner.add(
        scalars: scalars.map { state[$0] ?? .null }, lists: lists.map { state[$0]?.array })
    }
    let found = miner.invariants
    // Each holds in the states, as a predicate says it.
    for one in found {
      for state in states {
        let moment = SideValues(.known(Snapshot(state: state)))
        guard let empty = try? JSONSlice(validating: Array("{}".utf8)) else { continue }
        let subject = EntrySubject(entry: empty, before: moment, after: moment)
        #expect(one.predicate.evaluate(subject) == .yes, "\(one.predicate)")
      }
    }
    return found.map { "\($0.predicate)" }
  }

  @Test("a number that is always the sum of a list")
  func listSum() {
    let states: [JSON] = [
      ["total": 0, "parts": []], ["total": 5, "parts": [5]], ["total": 12, "parts": [5, 7]],
      ["total": 13, "parts": [5, 7, 1]], ["total": 8, "parts": [7, 1]], ["total": 1, "parts": [1]],
    ]
    #expect(Self.mined(["total"], ["parts"], states) == ["state.total == sum(state.parts[*])"])
    let broken = states + [["total": 2, "parts": [1]]]
    #expect(Self.mined(["total"], ["parts"], broken).isEmpty)
    // With one element, the number is only the same as it.
    let single = states.filter { ($0["parts"]?.array?.count ?? 0) < 2 }
    #expect(Self.mined(["total"], ["parts"], single + single + single).isEmpty)
  }

  @Test("a number that is always the sum of two others")
  func numberSum() {
    let states: [JSON] = [(1, 2), (3, 4), (5, 1), (2, 2), (9, 3)].map {
      [
        "all": .number(JSON.Number(Int64($0 + $1))), "a": .number(JSON.Number(Int64($0))),
        "b": .number(JSON.Number(Int64($1))),
      ]
    }
    #expect(Self.mined(["a", "all", "b"], [], states) == ["state.all == sum(state.a, state.b)"])
    #expect(Self.mined(["a", "all", "b"], [], states + [["all": 5, "a": 2, "b": 2]]).isEmpty)
    // A part that is always zero makes two numbers equal, and no sum.
    let zero: [JSON] = (1...6).map {
      ["all": .number(JSON.Number(Int64($0))), "a": .number(JSON.Number(Int64($0))), "b": 0]
    }
    #expect(Self.mined(["a", "all", "b"], [], zero).isEmpty)
  }

  @Test("a value that is always in a list, where there is one")
  func member() {
    let states: [JSON] = [
      ["selected": nil, "ids": []], ["selected": "a", "ids": ["a", "b"]],
      ["selected": "b", "ids": ["a", "b"]], ["selected": "c", "ids": ["c"]],
      ["selected": "c", "ids": ["a", "c"]], ["selected": "a", "ids": ["a"]],
    ]
    #expect(
      Self.mined(["selected"], ["ids"], states)
        == ["state.selected == null || state.ids[*] contains state.selected"])
    #expect(
      Self.mined(["selected"], ["ids"], states + [["selected": "a", "ids": ["b"]]]).isEmpty)
  }

  @Test("a list whose elements are always in another one")
  func included() {
    let states: [JSON] = [
      ["open": [], "all": ["a", "b"]], ["open": ["a"], "all": ["a", "b"]],
      ["open": ["b", "a"], "all": ["a", "b"]], ["open": ["c"], "all": ["a", "c"]],
      ["open": [], "all": []], ["open": ["a"], "all": ["c", "a"]],
    ]
    #expect(
      Self.mined([], ["all", "open"], states) == ["state.all[*] includes state.open[*]"])
    #expect(Self.mined([], ["all", "open"], states + [["open": ["x"], "all": ["a"]]]).isEmpty)
    // Nothing was ever open.
    let empty: [JSON] = (0..<6).map { _ in ["open": [], "all": ["a"]] }
    #expect(
      !Self.mined([], ["all", "open"], empty).contains("state.all[*] includes state.open[*]"))
  }

  @Test("a list that is too long or not there decides nothing")
  func unknownLists() {
    let states: [JSON] = (1...6).map { n in
      let elements = (1...n).map { JSON.number(JSON.Number(Int64($0))) }
      return [
        "total": .number(JSON.Number(Int64(n * (n + 1) / 2))), "parts": .array(elements),
      ]
    }
    let without: [JSON] = [["total": 99], ["total": 98, "parts": nil]]
    let path = Predicates.Predicate.Path(.state, [.key("total")])
    var miner = ListMiner(
      scalars: [path], lists: [Predicates.Predicate.Path(.state, [.key("parts"), .each])])
    for state in states + without {
      miner.add(scalars: [state["total"] ?? .null], lists: [state["parts"]?.array])
    }
    #expect(miner.invariants.map { "\($0.predicate)" } == ["state.total == sum(state.parts[*])"])
  }
}
