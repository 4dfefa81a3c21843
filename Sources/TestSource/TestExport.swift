public import JSONCore
public import Timelines

/// Makes a test of a timeline: Swift source, and a fixture where there is too much for source.
///
/// The same timeline and the same options give the same bytes.
///
/// ```swift
/// func test(of timeline: Timeline) throws -> [TestFile] {
///   var export = TestExport(as: .swiftTesting)
///   export.name = "flipping twice"
///   return try export.files(of: timeline.stretch(from: 3, to: 9))
/// }
/// ```
public struct TestExport: Hashable, Sendable {
  /// For which library the test is written.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Swift Testing.
    case swiftTesting = "swift-testing"
    /// XCTest.
    case xctest
    /// A Quick spec.
    case quick
    /// A JSON fixture, and a Swift Testing test of one line where the machine is one in Swift.
    case json
  }

  /// What the test asserts.
  public enum Assertion: Hashable, Sendable {
    /// After each event, the outputs that it changed; of a machine for which nobody declared any, what
    /// it changed in the state, too.
    case changedOutputs
    /// After each event, the values at some paths, which begin with `/state` or `/outputs`.
    case paths([Pointer])
    /// After each event what it changed in the outputs and the state, and after the last one the
    /// whole state.
    case state
    /// The outputs and the state after the last event.
    case final
  }

  /// For which library the test is written.
  public var kind: Kind

  /// Which recorded values the test asserts (default: the changed outputs, or with conditions none).
  public var assertion: Assertion?

  /// What the test checks whatever was recorded.
  ///
  /// The default for a branch that minimizing made is that its failure does not happen. Set an
  /// assertion to pin its values instead.
  public var conditions: [TestCondition] = []

  /// What the test is called; by the machine unless said otherwise.
  public var name: String?

  /// The Swift expression of a fresh machine, where the recording does not tell.
  ///
  /// For a functional machine it makes the object: then the test runs that, too. It goes into the
  /// source as it is.
  public var make: String?

  /// With more events than this the timeline goes into a fixture.
  public var inlineLimit = 100

  /// An export with the usual options.
  public init(as kind: Kind) {
    self.kind = kind
  }

  /// The files of the test, its source first.
  ///
  /// - Parameter timeline: What happens in it; its first entry has to be a keyframe, as
  ///   `Timeline.stretch(from:to:)` makes it.
  public func files(of timeline: Timeline) throws(TestExportError) -> [TestFile] {
    guard let first = timeline.entries.first else { throw .empty }
    guard first.isKeyframe else { throw .noStartingState(seq: first.seq) }
    try checkPaths()
    var export = self
    if assertion == nil, conditions.isEmpty {
      export.conditions = TestCondition.ofMinimized(timeline.header)
    }
    return try export.written(timeline)
  }

  /// The recorded values that are asserted.
  var pinned: Assertion? { assertion ?? (conditions.isEmpty ? .changedOutputs : nil) }

  private func written(_ timeline: Timeline) throws(TestExportError) -> [TestFile] {
    let machine: MachineSource
    do {
      machine = try MachineSource(timeline.header, make: make)
    } catch {
      // The fixture is for any language; only the test beside it needs a machine in Swift.
      guard kind == .json, error.isOfSwift else { throw error }
      return [fixture(of: timeline)]
    }
    let frame = TestFrame(self, timeline, machine)
    let events = timeline.entries.count - 1
    guard kind == .json || events > inlineLimit else {
      var steps = StepSource(self, timeline, machine, variable: frame.variable)
      return [frame.file(try steps.statements())]
    }
    let fixture = fixture(of: timeline)
    let replay = machine.replay(
      fixture.name, comparing: comparison, expecting: conditions.map(\.argument))
    return [frame.file([replay]), fixture]
  }

  private func fixture(of timeline: Timeline) -> TestFile {
    let stem = SwiftName.file(name ?? timeline.header.machine.name, fallback: "recording")
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

  /// What `replay` is told to compare.
  private var comparison: SwiftLayout? {
    switch assertion {
    // With conditions nothing is compared unless it is named.
    case .changedOutputs: conditions.isEmpty ? nil : .text(".outputs")
    case nil: nil
    case .state: .text(".state")
    case .final: .text(".final")
    case .paths(let paths):
      .call(".paths", paths.map { .init(nil, .text(SwiftLiteral.string($0.description))) })
    }
  }
}

/// A file of a test.
public struct TestFile: Hashable, Sendable {
  /// The file's name, without a folder.
  public var name: String
  /// Its media type.
  public var media: String
  /// What is in it.
  public var bytes: [UInt8]

  /// A file.
  public init(name: String, media: String, bytes: [UInt8]) {
    self.name = name
    self.media = media
    self.bytes = bytes
  }
}
