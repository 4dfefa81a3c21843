import JSONCore
import Testing

@testable import Timelines

@Suite("The comparison of a recording with its rerun")
struct RerunComparisonTests {
  private let patch = #"[{"op":"replace","path":"/n","value":1}]"#

  private func entry(_ rest: String) throws -> Entry {
    try Entry(reading: #"{"seq":1,"t":0,"event":1\#(rest)}"#)
  }

  private func check(
    _ comparison: inout RerunComparison, _ rest: String, patch: String? = nil,
    outputs: String? = nil
  ) throws -> RerunComparison.Finding {
    comparison.check(
      try entry(rest), patch: patch.map { Array($0.utf8)[...] },
      outputs: outputs.map { Array($0.utf8)[...] })
  }

  @Test("proves equality by equal bytes only while the moments are known to be equal")
  func equalBytes() throws {
    for (start, expected) in [
      (true, RerunComparison.Finding.same), (false, .undecided), (nil, .undecided),
    ] as [(Bool?, RerunComparison.Finding)] {
      var comparison = RerunComparison(isEqual: start)
      #expect(try check(&comparison, #","patch":\#(patch)"#, patch: patch) == expected)
      #expect(comparison.isEqual == start)
    }
  }

  @Test("does not decide by entries with different bytes, or without a patch")
  func differentBytes() throws {
    var comparison = RerunComparison(isEqual: true)
    let other = #"[{"op":"replace","path":"/n","value":1.0}]"#
    #expect(try check(&comparison, #","patch":\#(patch)"#, patch: other) == .undecided)
    #expect(try check(&comparison, #","patch":\#(patch)"#, patch: nil) == .undecided)
    #expect(
      try check(&comparison, #","patch":\#(patch)"#, patch: patch, outputs: "[]") == .undecided)
    #expect(
      try check(&comparison, #","patch":\#(patch),"outputs":[]"#, patch: patch, outputs: "[]")
        == .same)
    #expect(try check(&comparison, #","state":{"n":1}"#, patch: nil) == .undecided)
  }

  @Test("knows nothing after a state that was not captured, until the moments are compared")
  func thinned() throws {
    var comparison = RerunComparison(isEqual: true)
    #expect(try check(&comparison, "", patch: patch) == .unknown)
    #expect(comparison.isEqual == nil)
    #expect(try check(&comparison, #","patch":\#(patch)"#, patch: patch) == .undecided)
    let moment = Snapshot(state: ["n": 1])
    let isSame = comparison.compare(moment, moment)
    #expect(isSame)
    #expect(try check(&comparison, #","patch":\#(patch)"#, patch: patch) == .same)
    let isStillSame = comparison.compare(moment, Snapshot(state: ["n": 2]))
    #expect(!isStillSame)
    #expect(try check(&comparison, #","patch":\#(patch)"#, patch: patch) == .undecided)
  }

  @Test("masks hidden values, and ignores pointers that lead nowhere")
  func masking() throws {
    let moment = Snapshot(state: ["a": 1, "b": ["c": 2]], outputs: ["o": 3])
    let paths = try ["/state/b/c", "/outputs/o", "/state/none", "/event/a"].map { try Pointer($0) }
    #expect(
      moment.masking(paths)
        == Snapshot(state: ["a": 1, "b": ["c": .null]], outputs: ["o": .null]))
    #expect(moment.masking([]) == moment)
    #expect(try moment.masking([Pointer("/state")]).state == .null)
  }
}
