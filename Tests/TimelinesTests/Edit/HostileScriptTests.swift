import JSONCore
import Testing

@testable import Timelines

/// Scripts as large as a message may be, each of which once took time or memory that grew with the
/// square of its length.
@Suite("A script of one megabyte")
struct HostileScriptTests {
  struct Script: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var edits: [String]
    /// How far the branch goes, counted from the parent's first entry.
    var reach: Int64
  }

  private static let last: Int64 = 10_000_000
  /// About as many edits as fit into a message of an inspector.
  private static let count: Int64 = 40_000

  private static let scripts: [Script] = {
    let seqs = 1...count
    let half = 1...count / 2
    return [
      Script(
        testDescription: "moves all before one that was moved",
        edits: [#"{"move":1,"before":9000000}"#]
          + seqs.dropFirst().map { #"{"move":\#($0),"before":1}"# },
        reach: last),
      Script(
        testDescription: "moves all into one slot, and out of it from its end",
        edits: half.map { #"{"move":\#($0),"before":9000000}"# }
          + half.reversed().map { #"{"move":\#($0),"before":9000001}"# },
        reach: last),
      Script(
        testDescription: "drops every second entry, from the last to the first",
        edits: seqs.reversed().map { #"{"drop":\#($0 * 2)}"# }, reach: last - count),
      Script(
        testDescription: "fills slots, and cuts repeatedly",
        edits: half.map { #"{"insert":0,"before":\#($0)}"# }
          + half.map { #"{"cut":\#(count - $0)}"# },
        reach: count),
      Script(
        testDescription: "fills slots, and starts repeatedly",
        edits: half.map { #"{"insert":0,"before":\#($0 + count)}"# }
          + half.map { #"{"start":{"seq":\#($0)}}"# },
        reach: last + count / 2),
      Script(
        testDescription: "fills one slot, and cuts in it from its end",
        edits: half.map { #"{"move":\#($0),"before":9000000}"# }
          + half.reversed().map { #"{"cut":\#($0)}"# },
        reach: 9_000_000 - count / 2),
    ]
  }()

  @Test("takes time in proportion to its length", .timeLimit(.minutes(10)), arguments: scripts)
  func planned(_ script: Script) throws {
    let edits = try EditScript(reading: "[\(script.edits.joined(separator: ","))]")
    // A second in a debug build on a slow machine. Squares would take minutes: the time limit.
    let plan = try edits.plan(for: TimelineShape(first: 0, through: Self.last)) { _ in
      nil
    } state: { _ in
      nil
    }
    #expect(plan.stepCount + plan.base.seq == script.reach)
  }
}
