import Predicates
import Testing

@testable import DebugServer

@Suite("Marks of broken invariants")
struct InvariantMarkTests {
  @Test(
    "name a predicate only by its whole text",
    arguments: [
      ("breaks state.n < 1", true),
      ("look here; breaks state.n < 1", true),
      ("breaks state.n < 1; breaks state.m > 0", true),
      ("breaks state.n < 10", false),
      ("breaks state.n < 1 || state.m > 0", false),
      ("what breaks state.n < 1", false),
      ("", false),
    ])
  func wholeText(mark: String, isNamed: Bool) throws {
    #expect(InvariantWatch.names(try Predicate("state.n < 1"), mark) == isNamed)
  }
}
