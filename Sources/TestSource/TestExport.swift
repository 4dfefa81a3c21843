public import JSONCore
public import Timelines

/// Writes a test from a timeline: Swift source, and a fixture for long timelines.
///
/// The same timeline and options always give the same bytes.
///
/// ```swift
/// func test(of timeline: Timeline) throws -> [TestFile] {
///   var export = TestExport(as: .swiftTesting)
///   export.name = "flipping twice"
///   return try export.files(of: timeline.stretch(from: 3, to: 9))
/// }
/// ```
public struct TestExport: Hashable, Sendable {
  /// The library that runs a test.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Swift Testing.
    case swiftTesting = "swift-testing"
    /// XCTest.
    case xctest
    /// A Quick spec.
    case quick
    /// A JSON fixture, and a one-line Swift Testing test if the machine is a Swift machine.
    case json
  }

  /// The recorded values that a test asserts.
  public enum Assertion: Hashable, Sendable {
    /// The outputs that each event changed; also the state, if the machine does not declare outputs.
    case changedOutputs
    /// The values at some paths after each event. Paths begin with `/state` or `/outputs`.
    case paths([Pointer])
    /// What each event changed in the outputs and the state, and the whole state at the end.
    case state
    /// The outputs and the state after the last event.
    case final
  }

  /// The library that runs the test.
  public var kind: Kind

  /// The recorded values that the test asserts (default: the changed outputs; none, if there are
  /// conditions).
  public var assertion: Assertion?

  /// The conditions that the test checks.
  ///
  /// The default for a minimized branch is that its failure does not happen. To assert its recorded
  /// values instead, set `assertion`.
  public var conditions: [TestCondition] = []

  /// The test's name (default: its condition in words, such as "total is never below 0", if it has
  /// only a simple one; else the machine's name).
  public var name: String?

  /// A Swift expression that makes the machine, for recordings that do not have one.
  ///
  /// For a functional machine, the expression makes the object, and the test runs it. It is copied
  /// into the source verbatim.
  public var make: String?

  /// The maximum number of events in source; longer timelines go into a fixture.
  public var inlineLimit = 100

  /// Creates an export with default options.
  public init(as kind: Kind) {
    self.kind = kind
  }

  /// Returns the files of the test, its source first.
  ///
  /// - Parameter timeline: The recording. Its first entry must be a keyframe, as in the result of
  ///   `Timeline.stretch(from:to:)`.
  public func files(of timeline: Timeline) throws(TestExportError) -> [TestFile] {
    guard let first = timeline.entries.first else { throw .empty }
    guard first.isKeyframe else { throw .noStartingState(seq: first.seq) }
    try checkPaths()
    var export = self
    if assertion == nil, conditions.isEmpty {
      export.conditions = try TestCondition.ofMinimized(timeline.header)
    }
    return try export.written(timeline)
  }

  /// The recorded values to assert.
  var effectiveAssertion: Assertion? { assertion ?? (conditions.isEmpty ? .changedOutputs : nil) }

  /// The name, or else the condition in words; `nil` if there is neither.
  var givenTitle: String? {
    if let name { return name }
    return effectiveAssertion == nil && conditions.count == 1 ? conditions[0].title : nil
  }

  private func written(_ timeline: Timeline) throws(TestExportError) -> [TestFile] {
    let machine: MachineSource
    do {
      machine = try MachineSource(timeline.header, make: make)
    } catch {
      // The fixture is for any language; only the Swift test needs a Swift machine.
      guard kind == .json, error.isOfSwift else { throw error }
      return [fixture(of: timeline)]
    }
    let frame = TestFrame(self, timeline, machine)
    guard hasFixture(for: timeline) else {
      var steps = StepSource(self, timeline, machine, variable: frame.variable)
      return [frame.file(try steps.statements())]
    }
    let fixture = fixture(of: timeline)
    let replay = machine.replay(
      fixture.name, comparing: comparison, expecting: conditions.map(\.argument))
    return [frame.file([replay]), fixture]
  }

  /// Whether the events are in a file of their own.
  func hasFixture(for timeline: Timeline) -> Bool {
    kind == .json || timeline.entries.count - 1 > inlineLimit
  }

  private func fixture(of timeline: Timeline) -> TestFile {
    let stem = SwiftName.file(
      givenTitle ?? timeline.header.machine.name, fallback: "recording")
    guard kind == .json else {
      return TestFile(
        name: stem + ".timeline", media: "application/x-ndjson",
        bytes: TimelineFile.bytes(of: timeline))
    }
    return TestFile(
      name: stem + ".json", media: "application/json",
      bytes: TimelineDocument.bytes(
        header: timeline.header, timeline.entries.map(\.line.bytes)))
  }

  private func checkPaths() throws(TestExportError) {
    guard case .paths(let paths) = assertion else { return }
    if paths.isEmpty { throw .noPaths }
    for path in paths where !["state", "outputs"].contains(path.tokens.first) {
      throw .path(path.description)
    }
  }

  /// The `comparing` argument of `replay`.
  private var comparison: SwiftLayout? {
    switch assertion {
    // With conditions, `replay` compares only what is named.
    case .changedOutputs: conditions.isEmpty ? nil : .text(".outputs")
    case nil: nil
    case .state: .text(".state")
    case .final: .text(".final")
    case .paths(let paths):
      .call(".paths", paths.map { .init(nil, .text(SwiftLiteral.string($0.description))) })
    }
  }
}

/// A file that belongs to an exported test.
public struct TestFile: Hashable, Sendable {
  /// The file's name, without a folder.
  public var name: String
  /// Its media type.
  public var media: String
  /// The file's contents.
  public var bytes: [UInt8]

  /// Creates a file.
  public init(name: String, media: String, bytes: [UInt8]) {
    self.name = name
    self.media = media
    self.bytes = bytes
  }
}
