import JSONCore
import Testing
import Timelines

@testable import Predicates

@Suite("Inclusion of lists")
struct InclusionTests {
  @Test("takes as long as the lists, which one by one would take hours", .timeLimit(.minutes(10)))
  func longLists() throws {
    let count: Int64 = 200_000
    let numbers = { (range: Range<Int64>) in JSON.array(range.map { .number(JSON.Number($0)) }) }
    let whole = numbers(0..<count)
    let state: JSON = [
      "whole": whole, "turned": .array((whole.array ?? []).reversed()),
      "more": numbers(0..<count + 1),
    ]
    let subject = EntrySubject(
      entry: try JSONSlice(validating: Array(#"{"seq":0,"t":0,"state":{}}"#.utf8)),
      after: .known(state: .tree(state), outputs: .tree([:])))
    #expect(try Predicate("state.whole includes state.turned").evaluate(subject) == .yes)
    #expect(try Predicate("state.whole includes state.more").evaluate(subject) == .no)
  }
}
