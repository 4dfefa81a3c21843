import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Exploring

@Suite("The pool of events")
struct EventPoolTests {
  private static func paid(_ cents: Int64) -> JSON {
    ["paid": ["cents": .number(JSON.Number(cents))]]
  }

  @Test("has the first, the last, and a middle payload of each name")
  func payloads() {
    let recorded = (1...9).map(Self.paid) + [["looked": [:]], Self.paid(3)]
    let pool = EventPool(recorded: RecordedPayloads(recorded), schema: nil, states: [])
    let plausible = pool.events.prefix(pool.plausibleCount).map(\.event)
    #expect(plausible == [Self.paid(1), Self.paid(5), Self.paid(9), ["looked": [:]]])
    #expect(pool.names == ["paid", "looked"])
  }

  @Test("has edge cases of numbers, texts, and lists")
  func mutations() {
    let event: JSON = ["ordered": ["count": 2, "note": "soon", "items": ["a"], "gift": false]]
    let pool = EventPool(recorded: RecordedPayloads([event]), schema: nil, states: [])
    let changed = Set(pool.events.dropFirst(pool.plausibleCount).map(\.event))
    let expected: [JSON] = [
      ["ordered": ["count": 0, "note": "soon", "items": ["a"], "gift": false]],
      ["ordered": ["count": -1, "note": "soon", "items": ["a"], "gift": false]],
      ["ordered": ["count": 2_147_483_648, "note": "soon", "items": ["a"], "gift": false]],
      ["ordered": ["count": 2, "note": "", "items": ["a"], "gift": false]],
      ["ordered": ["count": 2, "note": "soon", "items": [], "gift": false]],
      ["ordered": ["count": 2, "note": "soon", "items": ["a", "a"], "gift": false]],
    ]
    for event in expected { #expect(changed.contains(event), "\(event)") }
  }

  @Test("makes events of cases that were not recorded, and names those that it cannot make")
  func schema() {
    let schema = EventSchema(
      encoding: .keyed, isComplete: true,
      cases: [
        .init(name: "paid", payload: [.init(key: "cents", shape: .scalar(.int, type: nil))]),
        .init(
          name: "named",
          payload: [
            .init(key: "_0", shape: .named("Name")),
            .init(key: "note", shape: .optional(.scalar(.string, type: nil))),
          ]),
        .init(name: "odd", payload: [.init(key: "_0", shape: .unknown)]),
        .init(name: "left"),
      ],
      types: [
        "Name": .init(
          .fields([
            .init(key: "first", shape: .scalar(.string, type: nil)),
            .init(key: "tags", shape: .array(of: .unknown, type: nil)),
          ]))
      ])
    let pool = EventPool(recorded: RecordedPayloads([Self.paid(7)]), schema: schema, states: [])
    let plausible = pool.events.prefix(pool.plausibleCount).map(\.event)
    #expect(
      plausible == [
        Self.paid(7), ["named": ["_0": ["first": "text", "tags": []]]], ["left": [:]],
      ])
    #expect(pool.missing == ["odd"])
  }

  @Test("uses other ids of the state, in members named as ids and where ids were recorded")
  func identifiers() {
    let state: JSON = [
      "items": [["id": 1, "cents": 5], ["id": 8, "cents": 6]], "open": ["attic", "cellar"],
    ]
    let pool = EventPool(
      recorded: RecordedPayloads([
        ["removed": ["id": 1]], ["closed": ["door": "attic"]], Self.paid(5),
      ]),
      schema: nil, states: [state])
    let variants = pool.variants(in: state).map(\.event)
    #expect(variants == [["removed": ["id": 8]], ["closed": ["door": "cellar"]]])
    // An amount is not an id, although one of the state has the value of one.
    #expect(pool.variants(in: ["items": [["id": 3]]]).map(\.event) == [["removed": ["id": 3]]])
  }

  @Test("finds the same ids in a state as text", arguments: 0..<20 as Range<UInt64>)
  func textIDs(seed: UInt64) throws {
    let pool = EventPool(
      recorded: RecordedPayloads([["removed": ["id": 1]]]), schema: nil, states: [])
    var random = RandomJSON(seed: seed)
    var found = 0
    for _ in 0..<200 {
      let value = random.value()
      let ids = pool.ids(in: try JSONSlice(validating: value.encoded()))
      #expect(ids == pool.ids(in: value), "\(value)")
      found += ids.count
    }
    #expect(found > 0)
  }

  @Test("leaves out excluded events, changed ones too")
  func excluded() {
    let pool = EventPool(
      recorded: RecordedPayloads([Self.paid(1), ["left": [:]]]), schema: nil, states: [],
      excluding: ["paid"])
    #expect(pool.events.map(\.event) == [["left": [:]]])
  }

  @Test("random walks repeat with their seed")
  func walks() {
    let events = (0..<5).map { JSON.string("e\($0)") }
    func walks(_ seed: UInt64) -> [[JSON]] {
      var walks = RandomWalks(length: 20, seed: seed)
      return (0..<3).map { _ in walks.next(over: events) }
    }
    #expect(walks(1) == walks(1))
    #expect(walks(1) != walks(2))
    #expect(walks(1)[0] != walks(1)[1])
    #expect(walks(1).allSatisfy { $0.count == 20 })
  }

  @Test("keeps few payloads of a long recording, one near the middle among them")
  func longRecordings() {
    var payloads = RecordedPayloads()
    for index in 0..<20_000 as Range<Int64> { payloads.add(Self.paid(index)) }
    payloads.add(Self.paid(7))
    #expect(payloads.keptCount <= 17)
    let amounts = payloads["paid"].compactMap { $0["paid"]?["cents"]?.int }
    #expect(amounts.first == 0)
    #expect(amounts.last == 19_999)
    #expect(amounts.count == 3 && (8_000...10_000).contains(amounts[1]))
  }

  @Test("makes no event of a schema whose types have millions of values")
  func largeSchema() {
    let fields = { (name: String) in
      (0..<12).map { EventSchema.Field(key: "f\($0)", shape: .named(name)) }
    }
    var types = ["T6": EventSchema.Definition(.fields(fields("Text")))]
    types["Text"] = EventSchema.Definition(.values(["text"]))
    for level in 1...5 {
      types["T\(level)"] = EventSchema.Definition(.fields(fields("T\(level + 1)")))
    }
    let schema = EventSchema(
      encoding: .keyed, isComplete: true,
      cases: [
        .init(name: "huge", payload: [.init(key: "_0", shape: .named("T1"))]), .init(name: "left"),
      ], types: types)
    let pool = EventPool(recorded: RecordedPayloads(), schema: schema, states: [])
    #expect(pool.events.map(\.name) == ["left"])
    #expect(pool.missing == ["huge"])
  }

  @Test("keeps no more than about a megabyte of payloads, and names what it left out")
  func largePayloads() {
    let zeros = JSON.array(Array(repeating: 0, count: 300_000))
    let recorded = (0..<20).map { index -> JSON in
      var event = JSON.Object()
      event["event\(index)"] = ["zeros": zeros]
      return .object(event)
    }
    var payloads = RecordedPayloads(recorded)
    #expect(payloads.keptCount <= 8)
    let pool = EventPool(recorded: payloads, schema: nil, states: [])
    #expect(pool.events.count == 3, "large events are not changed")
    #expect(pool.missing.count == 17)
    // What later events replace makes room.
    for index in 0..<2_000 as Range<Int64> {
      payloads.add(["paid": ["cents": .number(JSON.Number(index)), "text": .string(Self.text)]])
    }
    #expect(payloads["paid"].last?["paid"]?["cents"]?.int == 1_999)
  }

  private static let text = String(repeating: "a", count: 1_000)

  @Test("has a limited number of variants for a state")
  func variantLimit() {
    let recorded = (0..<100).map { index -> JSON in
      var event = JSON.Object()
      event["event\(index)"] = ["id": 1]
      return .object(event)
    }
    let pool = EventPool(recorded: RecordedPayloads(recorded), schema: nil, states: [])
    let state: JSON = ["items": [["id": 1], ["id": 2], ["id": 3], ["id": 4], ["id": 5]]]
    let variants = pool.variants(in: state)
    #expect(variants.count == 128)
    #expect(Set(variants).count == 128)
    #expect(Set(variants).isDisjoint(with: pool.events))
  }
}
