import Testing
import Timelines

@testable import debugd

@Suite("choosing a timeline by a word")
struct TimelineChoiceTests {
  private static let ids = [
    "0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a", "0b9f7777-6d1e-4c7a-9a57-1f2e3d4c5b6a",
    "7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e", "8c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e",
  ].compactMap { TimelineID($0) }

  private static let branch = TimelineID.random()

  private let choice = TimelineChoice([
    .init(
      id: branch, app: "Commute", machine: "coin", recorded: "without 3", isBranch: true),
    .init(id: ids[0], app: "Commute", machine: "coin"),
    .init(id: ids[1], app: "Commute", machine: "coin", given: "before the crash"),
    .init(id: ids[2], app: "Commute", machine: "flow"),
    .init(id: ids[3], app: "Gallery", machine: "flow"),
  ])

  @Test(
    "takes ids, beginnings of ids, machines and names",
    arguments: [
      ("0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a", 0), ("0B9F7", 1), ("coin", 0),
      ("before the crash", 1), ("Gallery/flow", 3), ("Commute/flow", 2),
    ])
  func found(_ word: String, _ index: Int) throws {
    #expect(try choice(word) == Self.ids[index])
  }

  @Test("'last' is the newest recording, unless something is called that")
  func last() throws {
    #expect(try choice("last") == Self.ids[0])
    let branch = TimelineChoice([
      .init(id: Self.branch, app: "Commute", machine: "lamp", isBranch: true)
    ])
    #expect(try branch("last") == Self.branch)
    let example = TimelineChoice.Candidate(id: Self.ids[3], app: "Gallery", machine: "flow")
    let next = TimelineChoice([example, .init(id: Self.ids[0], app: "Commute", machine: "coin")])
    #expect(try next("last") == Self.ids[0])
    #expect(try TimelineChoice([example])("last") == Self.ids[3])
    let named = TimelineChoice([
      .init(id: Self.ids[0], app: "Commute", machine: "coin"),
      .init(id: Self.ids[1], app: "Commute", machine: "coin", given: "last"),
    ])
    #expect(try named("last") == Self.ids[1])
    #expect(throws: TimelineChoice.Unclear.self) {
      try TimelineChoice([TimelineChoice.Candidate]())("last")
    }
  }

  @Test("a machine's name means its newest recording; a branch goes by its own")
  func branches() throws {
    #expect(try choice("coin") == Self.ids[0])
    #expect(try choice("without 3") == Self.branch)
    let imported = TimelineChoice([
      .init(id: Self.branch, app: "Commute", machine: "lamp", isBranch: true)
    ])
    #expect(try imported("lamp") == Self.branch)
  }

  @Test(
    "says why a word is not enough",
    arguments: [
      (
        "0b9f",
        """
        '0b9f' is the start of 2 ids. Say which: 0b9f3c52-6d1e-4c7a-9a57-1f2e3d4c5b6a or \
        0b9f7777-6d1e-4c7a-9a57-1f2e3d4c5b6a.
        """
      ),
      ("con", "No timeline is called 'con'. Did you mean 'coin'? 'debugd list' shows them all."),
      (
        "Commute/cion",
        """
        No timeline is called 'Commute/cion'. Did you mean 'Commute/coin'? 'debugd list' shows them \
        all.
        """
      ),
      ("c", "No timeline is called 'c'. 'debugd list' shows them all."),
      (
        "commute",
        "'commute' is an app. Name a machine of it: 'Commute/coin', 'Commute/flow'."
      ),
      ("flow", "Several apps have a machine 'flow'. Say which: 'Commute/flow', 'Gallery/flow'."),
      (
        "11111111-2222-4333-8444-555555555555",
        "There is no timeline 11111111-2222-4333-8444-555555555555. 'debugd list' shows them all."
      ),
    ])
  func unclear(_ word: String, _ sentence: String) {
    do {
      _ = try choice(word)
      Issue.record("it was clear")
    } catch {
      #expect(error.description == sentence)
    }
  }

  @Test("a name never hides the id of another timeline")
  func shadows() throws {
    let (victim, other) = (Self.ids[2], Self.ids[3])
    let word = "7c1d2e3f"
    let names: [(recorded: String?, given: String?, machine: String)] = [
      (nil, nil, word), (word, nil, "evil"), (nil, word, "evil"),
    ]
    for name in names {
      let choice = TimelineChoice([
        .init(
          id: other, app: "Evil", machine: name.machine, given: name.given,
          recorded: name.recorded),
        .init(id: victim, app: "Commute", machine: "flow"),
      ])
      do {
        _ = try choice(word)
        Issue.record("\(name) was clear")
      } catch {
        #expect(
          error.description == """
            '7c1d2e3f' is the name of one timeline and the beginning of another one's id. \
            Say which: \(other.text) or \(victim.text).
            """)
      }
      #expect(try choice(victim.text) == victim)
      #expect(try choice("7c1d2e3f-") == victim)
    }
    // Its own id's beginning as a name is clear.
    let own = TimelineChoice([.init(id: victim, app: "Commute", machine: word)])
    #expect(try own(word) == victim)
  }

  @Test("a name from a header hides no machine, and one that a person gave comes first")
  func recordedNames() throws {
    let (machine, other) = (Self.ids[2], Self.ids[3])
    let candidates: [TimelineChoice.Candidate] = [
      .init(id: other, app: "Evil", machine: "x", recorded: "flow", isBranch: true),
      .init(id: machine, app: "Commute", machine: "flow"),
    ]
    do {
      _ = try TimelineChoice(candidates)("flow")
      Issue.record("it was clear")
    } catch {
      #expect(
        error.description == """
          'flow' is the name of a machine and of a branch. Say which: \(machine.text) or \
          \(other.text).
          """)
    }
    let given = TimelineChoice.Candidate(
      id: Self.ids[0], app: "Commute", machine: "coin", given: "flow")
    #expect(try TimelineChoice(candidates + [given])("flow") == Self.ids[0])
  }

  @Test("a name that several branches or timelines have is refused with their ids")
  func sameNames() throws {
    let (first, second) = (Self.ids[0], Self.ids[2])
    for (isGiven, kind) in [(false, "branches"), (true, "timelines")] {
      let choice = TimelineChoice(
        [first, second].map {
          .init(
            id: $0, app: "Commute", machine: "coin", given: isGiven ? "without 3" : nil,
            recorded: isGiven ? nil : "without 3", isBranch: true)
        })
      let error = #expect(throws: TimelineChoice.Unclear.self) { try choice("without 3") }
      #expect(
        error?.description == """
          'without 3' is the name of 2 \(kind). Say which: \(first.text) or \(second.text).
          """)
      #expect(try choice(second.text) == second)
    }
  }

  @Test("says what to do when there is nothing")
  func empty() {
    #expect(throws: TimelineChoice.Unclear.self) {
      try TimelineChoice([TimelineChoice.Candidate]())("x")
    }
  }
}
