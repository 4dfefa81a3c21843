import StatesCore
import Testing

@Suite("All small worlds of sends, observers, holds and restores go as the naive model says")
struct SmallWorldTests {
  /// All sequences of operations of exactly that length.
  private static func sequences(of length: Int) -> [[WorldOperation]] {
    guard length > 0 else { return [[]] }
    return sequences(of: length - 1).flatMap { sequence in
      WorldOperation.allCases.map { sequence + [$0] }
    }
  }

  private func compare(
    reactor: Int, reactions: [[WorldOperation]], scripts: [[WorldOperation]]
  ) -> String? {
    for reaction in reactions {
      for script in scripts {
        let real = RealWorld()
        let found = story(in: real, reactor: reactor, reaction: reaction, script: script)
        let expected = story(
          in: ModelWorld(), reactor: reactor, reaction: reaction, script: script)
        if found != expected || !real.violations.isEmpty {
          return """
            observer \(reactor) does \(reaction), outside \(script)
            found:
            \(found.joined(separator: "\n"))
            expected:
            \(expected.joined(separator: "\n"))
            violations: \(real.violations)
            """
        }
      }
    }
    return nil
  }

  @Test("when no observer does anything, four operations deep")
  func quietObserversMatchModel() {
    #expect(compare(reactor: -1, reactions: [[]], scripts: Self.sequences(of: 4)) == nil)
  }

  @Test("when an observer does two things in the middle of a notification")
  func twoThingsInside() {
    // Only a step makes the observer react, so the others would be worlds without a reaction.
    let scripts = [WorldOperation.send, .restore].flatMap { first in
      Self.sequences(of: 2).map { [first] + $0 }
    }
    let difference = compare(
      reactor: 0, reactions: Self.sequences(of: 2), scripts: scripts)
    #expect(difference == nil)
  }

  @Test(
    "when another observer does something",
    arguments: [
      1,  // acts, was there before the script
      2,  // was added by the script, and may react to its first state
    ])
  func othersInside(reactor: Int) {
    for length in 1...2 {
      let difference = compare(
        reactor: reactor, reactions: Self.sequences(of: length),
        scripts: Self.sequences(of: 4 - length))
      #expect(difference == nil)
    }
  }
}
