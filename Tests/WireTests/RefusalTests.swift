import Testing
import Timelines

@testable import Wire

@Suite("Refusals")
struct RefusalTests {
  @Test("of an entry name those that there are")
  func noEntry() {
    func message(_ seq: Int64, _ seqs: ClosedRange<Int64>?) -> String {
      Refusal.noEntry(seq, in: seqs, path: "seq", timeline: .zero).reply.message
    }
    #expect(message(9, 0...5) == "There is no entry 9: the timeline has entries 0 to 5.")
    #expect(message(9, 3...3) == "There is no entry 9: the timeline has only entry 3.")
    #expect(message(0, nil) == "There is no entry 0: the timeline has no entries.")
    #expect(message(4, 0...5) == "Entry 4 is missing: the timeline has entries 0 to 5, with gaps.")
  }
}
