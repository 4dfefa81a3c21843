import Foundation
import JSONCore
import Predicates
import TestSupport
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("What an exploration prints")
struct ExplorationRowsTests {
  private static let terminal = Terminal(
    output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false, columns: nil)
  private static let branch = TimelineID("7c1d2e3f-4a5b-4c6d-8e7f-901a2b3c4d5e")

  private static func lines(
    _ change: (inout ToInspector.ExploreFinding) throws -> Void
  ) throws -> [String] {
    var finding = ToInspector.ExploreFinding()
    finding.events = [
      try JSONSlice(validating: Array(#""a""#.utf8)),
      try JSONSlice(validating: Array(#""b""#.utf8)),
    ]
    try change(&finding)
    let goal = try Predicates.Predicate("state.n < 0")
    let request = FromInspector.Explore { $0.until = goal }
    let answer = finding
    let found = ToInspector.Explore { $0.findings = [answer] }
    return ExplorationRows(found, of: request).lines(on: Self.terminal)
  }

  @Test("a finding that may have more events than necessary says so")
  func length() throws {
    let longer = try Self.lines { $0.timeline = Self.branch }
    #expect(longer[0] == "7c1d2e3f  2 events  state.n < 0 (maybe not the fewest events)")
    let minimal = try Self.lines {
      $0.timeline = Self.branch
      $0.minimal = true
    }
    #expect(minimal[0] == "7c1d2e3f  2 events  state.n < 0")
    // Of one event, none can be left out.
    let one = try Self.lines {
      $0.timeline = Self.branch
      $0.events.removeLast()
    }
    #expect(one[0] == "7c1d2e3f  1 event  state.n < 0")
  }

  @Test("a finding without a branch says why")
  func noBranch() throws {
    let failed = try Self.lines { $0.problem = "The disk is full." }
    #expect(failed[0] == "no branch  2 events  state.n < 0")
    #expect(failed[3] == "  No branch was made: The disk is full.")
    let again = try Self.lines { _ in }
    #expect(again[0] == "not repeated  2 events  state.n < 0")
    #expect(again[3] == "  It did not happen again, so the reducer depends on more than its input.")
  }
}
