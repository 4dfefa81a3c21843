import Predicates
import Testing
import Timelines

@testable import DebugServer

@Suite("Broken invariants")
struct BrokenInvariantsTests {
  @Test("of the timelines that were added last are kept")
  func bounded() throws {
    let (first, second) = (try Predicate("state.n < 1"), try Predicate("state.n > 0"))
    let timelines = (0..<10).map { _ in TimelineID.random() }
    var broken = BrokenInvariants(maximum: 3)
    for timeline in timelines {
      broken.insert(first, in: timeline)
      #expect(broken.contains(first, in: timeline))
      #expect(!broken.contains(second, in: timeline))
      broken.insert(second, in: timeline)
    }
    #expect(broken.count == 3)
    for (index, timeline) in timelines.enumerated() {
      #expect(broken.contains(first, in: timeline) == (index >= 7))
      #expect(broken.contains(second, in: timeline) == (index >= 7))
    }
  }
}
