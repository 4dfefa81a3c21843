public import Predicates
import Timelines

/// A condition that a test checks instead of recorded values.
///
/// A test that asserts recorded values also asserts the bug in them. A test with a condition fails
/// until the bug is fixed.
///
/// ```swift
/// func test(of timeline: Timeline) throws -> [TestFile] {
///   var export = TestExport(as: .swiftTesting)
///   export.conditions = [.never(try Predicate("state.total < 0"))]
///   return try export.files(of: timeline)
/// }
/// ```
public enum TestCondition: Hashable, Sendable {
  /// The predicate holds at no entry, including the first.
  case never(Predicate)
  /// The predicate holds at the last entry.
  case finally(Predicate)

  /// The condition for a minimized branch: its failure no longer happens.
  static func ofMinimized(_ header: Header) throws(TestExportError) -> [TestCondition] {
    guard let text = header.parent?.failureText else { return [] }
    // Without the condition, the test would assert what the bug recorded.
    guard let failure = header.parent?.failure else { throw .failure(text) }
    return [.never(failure)]
  }

  private var predicate: Predicate {
    switch self {
    case .never(let predicate), .finally(let predicate): predicate
    }
  }

  private var literal: SwiftLayout { .text(SwiftLiteral.readable(predicate.description)) }

  /// The argument of `replay`: `.never("state.total < 0")`.
  var argument: SwiftLayout {
    switch self {
    case .never: .call(".never", [.init(nil, literal)])
    case .finally: .call(".finally", [.init(nil, literal)])
    }
  }

  /// The statement before the first event.
  func opening(_ variable: String) -> SwiftLayout? {
    guard case .never = self else { return nil }
    return .prefixed("try ", .call("\(variable).expect", [.init("never", literal)]))
  }

  /// The statement after the last event.
  func closing(_ variable: String) -> SwiftLayout? {
    guard case .finally = self else { return nil }
    return .prefixed("try ", .call("\(variable).expect", [.init(nil, literal)]))
  }

  /// The first entry of a recording that breaks the condition.
  func broken(in timeline: Timeline) -> Entry? {
    var cursor = TimelineCursor(timeline)
    var before: Moment?
    var last: (entry: Entry, answer: Answer)?
    for entry in timeline.entries {
      let moment = cursor.move(to: entry.seq)
      let subject = EntrySubject(entry, before: entry.gap == nil ? before : nil, after: moment)
      let answer = predicate.evaluate(subject)
      if case .never = self, answer == .yes { return entry }
      before = moment
      last = (entry, answer)
    }
    guard case .finally = self, let last, last.answer == .no else { return nil }
    return last.entry
  }
}

extension [TestCondition] {
  /// What the reader of a test must know about its conditions.
  func comment(for timeline: Timeline, hasFixture: Bool) -> [String] {
    guard !isEmpty else { return [] }
    let broken = compactMap { $0.broken(in: timeline) }.min { $0.seq < $1.seq }
    var lines = ["//"]
    if let broken, broken.error == "trapped" {
      lines += [
        "// The app crashed at entry \(broken.seq), so that event is in a comment. Once the bug is",
        "// fixed, remove the slashes.",
      ]
    } else if let broken {
      lines += [
        "// This test fails until the bug is fixed: in the recording, entry \(broken.seq) breaks its",
        "// condition.",
      ]
    } else {
      lines += [
        "// The recording meets the condition, so this test passes until something breaks it."
      ]
    }
    if let parent = timeline.header.parent, parent.failure != nil, parent.edits.hasNewPayloads {
      lines += [
        "// The events have simplified payloads: only what the failure needs is left in them."
      ]
    }
    if timeline.hasCausedEvents {
      lines += [
        "//",
        "// Some events were caused by others, such as the response to a request. The test starts no",
        "// effects. If an event no longer starts its effect, the test skips the events that the effect",
        "// sent. It can tell only if the reducer returns nil, an empty list, or a case 'none'. If it",
        hasFixture
          ? "// cannot, and your fix prevents such an event, export a branch without it."
          : "// cannot, and your fix prevents such an event, remove it from the test.",
      ]
    }
    return lines
  }
}

extension EditScript {
  /// Whether an event's payload differs from the recording.
  fileprivate var hasNewPayloads: Bool {
    edits.contains { edit in
      if case .replace = edit { true } else { false }
    }
  }
}

extension Timeline {
  /// Whether an event of it led to another one.
  fileprivate var hasCausedEvents: Bool {
    guard let first = firstSeq else { return false }
    return entries.contains { entry in
      guard entry.event != nil, let cause = entry.cause(in: header.timeline) else { return false }
      return cause > first
    }
  }
}
