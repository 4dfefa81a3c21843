import JSONCore
import Testing

@testable import debugd

@Suite("Why an answer is not known")
struct UnknownReasonTests {
  private static func reasons(
    _ stretch: ClosedRange<Int64>, _ lines: String...
  ) throws -> Set<UnknownReason> {
    let slices = try lines.map { try JSONSlice(validating: Array($0.utf8)) }
    return UnknownReason.of(stretch, lines: slices)
  }

  private static let known = #"{"seq":3,"t":1,"event":"a","patch":[]}"#

  @Test("follows from the lines around the stretch")
  func lines() throws {
    let thinned = #"{"seq":4,"t":1,"event":"a"}"#
    #expect(try Self.reasons(4...4, Self.known, thinned) == [.notCaptured])
    let afterLoss = #"{"seq":7,"t":1,"gap":{"lost":3,"why":"full"},"event":"a","state":{}}"#
    #expect(try Self.reasons(4...6, Self.known, afterLoss) == [.lost])
    let open = #"{"seq":7,"t":1,"gap":{"lost":3,"why":"full"},"event":"a"}"#
    #expect(try Self.reasons(4...7, Self.known, open) == [.lost])
    let hidden = #"{"seq":4,"t":1,"event":"a","patch":[],"redacted":{"/state/a":"***"}}"#
    #expect(try Self.reasons(4...4, Self.known, hidden) == [.redacted])
    // It hides what was before the next entry.
    #expect(
      try Self.reasons(5...5, hidden, #"{"seq":5,"t":1,"event":"a","patch":[]}"#) == [.redacted])
    // What follows a stretch says nothing about it.
    let later = #"{"seq":5,"t":1,"event":"a","patch":[],"redacted":{"/state/a":"***"}}"#
    #expect(try Self.reasons(4...4, Self.known, thinned, later) == [.notCaptured])
    #expect(try Self.reasons(8...9, afterLoss, #"{"seq":8,"t":1,"event":"a"}"#) == [.notCaptured])
  }

  @Test("a host is suggested only where it helps")
  func sentences() {
    #expect(UnknownReason.sentence([.redacted]) == "values were redacted.")
    #expect(
      UnknownReason.sentence([.redacted, .lost]) == "entries were lost, and values were redacted.")
    #expect(
      UnknownReason.sentence([.notCaptured]) == """
        states were not captured. A host can compute them for state, diff, and entries; \
        what it computed is not searched.
        """)
  }
}
