import JSONCore
import Timelines

/// The source around the statements of a test: imports, the suite, the function.
struct TestFrame {
  private let kind: TestExport.Kind
  private let title: String
  private let testTitle: String
  private let header: Header
  private let stretch: String
  private let hasStandIns: Bool
  private let isPinned: Bool
  private let aboutConditions: [String]
  private let machine: MachineSource

  /// The machine's variable in the test.
  let variable: String

  init(_ export: TestExport, _ timeline: Timeline, _ machine: MachineSource) {
    kind = export.kind
    header = timeline.header
    self.machine = machine
    title = export.givenTitle ?? timeline.header.machine.name
    isPinned = export.effectiveAssertion != nil
    testTitle = export.givenTitle ?? (isPinned ? "replays as recorded" : "meets its condition")
    aboutConditions = export.conditions.comment(
      for: timeline, hasFixture: export.hasFixture(for: timeline))
    variable = SwiftName.lower(timeline.header.machine.name, fallback: "machine")
    hasStandIns = timeline.entries.contains { !$0.redacted.isEmpty }
    let (first, last) = (timeline.firstSeq ?? 0, timeline.lastSeq ?? 0)
    stretch = first == last ? "entry \(first)" : "entries \(first) to \(last)"
  }

  func file(_ statements: [SwiftLayout]) -> TestFile {
    // A name that begins with a digit follows that of the machine.
    let fallback = SwiftName.upper(header.machine.name, fallback: "Recording")
    let typeName = SwiftName.upper(title, fallback: fallback)
    let name = typeName + (kind == .quick ? "Spec" : "Tests")
    var lines = comment
    lines.append("")
    lines += imports.sorted().map { "import \($0)" }
    if let module = machine.module { lines += ["", "@testable import \(module)"] }
    lines.append("")
    lines += body(name, statements)
    return TestFile(
      name: name + ".swift", media: "text/x-swift",
      bytes: Array((lines.joined(separator: "\n") + "\n").utf8))
  }

  private var imports: [String] {
    switch kind {
    case .swiftTesting, .json: ["StatesTesting", "Testing"]
    case .xctest: ["StatesTesting", "XCTest"]
    case .quick: ["Quick", "StatesTesting"]
    }
  }

  /// A comment with the test's origin, without recorded text, which a reader would trust.
  private var comment: [String] {
    var lines = [
      "// Timeline \(header.timeline.text), \(stretch),",
      "// recorded \(header.started.text).",
    ]
    if machine.kind == .functional, !machine.runsObject {
      lines += [
        "//",
        "// Neither the object nor its closures run here. To run them, export with the expression",
        "// that makes the object.",
      ]
    }
    lines += aboutConditions
    if hasStandIns {
      lines += ["//", "// Stand-ins are in the place of what was redacted when it was recorded."]
    }
    return lines
  }

  private func body(_ name: String, _ statements: [SwiftLayout]) -> [String] {
    let usual = isPinned ? "replaysAsRecorded" : "meetsItsCondition"
    let function = SwiftName.lower(testTitle, fallback: usual)
    // Several tests of one machine need different titles.
    let recorded = header.machine.name
    let suite = SwiftLiteral.string(title == recorded ? recorded : "\(recorded): \(title)")
    let test = SwiftLiteral.string(testTitle)
    func source(_ indent: Int) -> [String] {
      statements.map { String(repeating: " ", count: indent) + $0.source(indent: indent) }
    }
    switch kind {
    case .swiftTesting, .json:
      let head = machine.runsObject ? ["@Suite(\(suite))", "@MainActor"] : ["@Suite(\(suite))"]
      return head + ["struct \(name) {", "  @Test(\(test))", "  func \(function)() throws {"]
        + source(4) + ["  }", "}"]
    case .xctest:
      let words = SwiftName.upper(testTitle, fallback: "")
      let upper = words.isEmpty ? SwiftName.upper(usual, fallback: "") : words
      return ["final class \(name): XCTestCase {", "  func test\(upper)() throws {"]
        + isolated(statements, indent: 4) + ["  }", "}"]
    case .quick:
      return [
        "final class \(name): QuickSpec {", "  override class func spec() {",
        "    describe(\(suite)) {", "      it(\(test)) {",
      ] + isolated(statements, indent: 8)
        + ["      }", "    }", "  }", "}"]
    }
  }

  /// XCTest and Quick call tests on the main thread without declaring it, and XCTest on Linux cannot
  /// call a synchronous test on the main actor.
  private func isolated(_ statements: [SwiftLayout], indent: Int) -> [String] {
    func source(_ indent: Int, _ layouts: [SwiftLayout]) -> [String] {
      layouts.map { String(repeating: " ", count: indent) + $0.source(indent: indent) }
    }
    guard machine.runsObject else { return source(indent, statements) }
    // A single statement would be the closure's value.
    let inside = statements.count == 1 ? statements.map { .prefixed("_ = ", $0) } : statements
    let pad = String(repeating: " ", count: indent)
    return [pad + "try MainActor.assumeIsolated {"] + source(indent + 2, inside) + [pad + "}"]
  }
}
