import Explaining
import JSONCore
import TestSupport
import Testing
import Timelines

@Suite("The first entry that another recording does not have")
struct EventOutlineTests {
  private static func outline(_ events: [JSON?]) throws -> EventOutline {
    var outline = EventOutline()
    for (index, event) in events.enumerated() {
      var draft = EntryDraft(seq: Int64(index), t: 0)
      draft.event = event?.encoded()[...]
      draft.state = "0".utf8.map(\.self)[...]
      outline.add(try draft.entry())
    }
    return outline
  }

  private static func difference(
    _ ours: [JSON?], _ theirs: [JSON?]
  ) throws -> EventOutline.Difference? {
    try outline(ours).firstDifference(from: outline(theirs))
  }

  @Test("is the first event without a partner of its name")
  func event() throws {
    #expect(try Self.difference([nil, "a", "b", "c"], [nil, "a", "c", "d"]) == .event(2))
    #expect(try Self.difference([nil, "b", "a"], [nil, "a", "b"]) != nil)
    #expect(try Self.difference([nil, "a", "b"], [nil, "a"]) == .event(2))
    #expect(try Self.difference([nil, "a"], []) == .event(0))
  }

  @Test("is the first other payload, if there is each name")
  func payload() throws {
    let (one, two): (JSON, JSON) = (["add": ["_0": 1]], ["add": ["_0": 2]])
    #expect(
      try Self.difference([nil, one, two], [nil, "x", one, one]) == .payload(2, other: 3))
    // A missing event says more than a payload, wherever it is.
    #expect(try Self.difference([nil, one, "b"], [nil, two]) == .event(2))
  }

  @Test("is missing when a recording has the same events, and maybe more")
  func none() throws {
    #expect(try Self.difference([nil, "a", "b"], [nil, "a", "x", "b", "y"]) == nil)
    #expect(try Self.difference([], [nil]) == nil)
  }

  @Test("agrees with a subsequence test", arguments: 0..<40)
  func property(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let events = { (random: inout SeededGenerator) -> [JSON?] in
      [nil]
        + (0..<Int.random(in: 0...8, using: &random)).map { _ in
          .string(["a", "b", "c"][Int.random(in: 0..<3, using: &random)])
        }
    }
    let (ours, theirs) = (events(&random), events(&random))
    var rest = theirs[...]
    let isSubsequence = ours.allSatisfy { event in
      guard let place = rest.firstIndex(of: event) else { return false }
      rest = rest[(place + 1)...]
      return true
    }
    #expect((try Self.difference(ours, theirs) == nil) == isSubsequence)
  }
}
