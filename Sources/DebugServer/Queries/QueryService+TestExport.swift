import Predicates
internal import TestSource
internal import TimelineStore
package import Timelines
import Wire

/// Exports that need the whole timeline: tests with their fixtures, and other tools' formats.
extension QueryService {
  /// The maximum bytes that one export may hold in memory.
  private static let largestWhole = 1 << 30

  /// Sends one file after the other, each in parts; the last part is the answer.
  func exportWhole(
    _ record: TimelineRecord, _ asked: FromInspector.Export, report: Report
  ) async throws -> ToInspector.Export {
    let (timeline, note) = try await whole(record, asked)
    let stem = "timeline-" + record.id.text.prefix(8)
    var asked = asked
    asked.name = asked.name ?? record.givenName(timeline.header)
    let files = try Self.files(of: timeline, asked, stem: String(stem))
    var last: ToInspector.Export?
    for file in files {
      try Task.checkCancellation()
      if var part = last {
        part.more = true
        await report(.export(part))
      }
      var parts = ExportParts(
        name: file.name, media: file.media, partBytes: limits.wire.partBytes)
      for part in parts.add(file.bytes) { await report(.export(part)) }
      last = parts.last()
    }
    guard var last else { throw Refusal(.notFound, "There is nothing to export.") }
    last.note = note
    return last
  }

  /// The requested stretch as a timeline, and what is missing from it.
  private func whole(
    _ record: TimelineRecord, _ asked: FromInspector.Export
  ) async throws -> (Timeline, note: String?) {
    var lines = record.header + [UInt8(ascii: "\n")]
    try await eachStretch(of: record, asked) { bytes in
      guard lines.count + bytes.count <= Self.largestWhole else {
        throw Refusal(
          .limit,
          """
          This export needs more than \(Self.largestWhole) bytes of memory. To fix, export \
          fewer entries.
          """, path: "from")
      }
      lines += bytes
    }
    do {
      return (try TimelineFile.read(lines).timeline, nil)
    } catch {
      if let found = Self.withoutWrongPatches(lines, error, of: record) { return found }
      throw Refusal(.failed, "The stretch does not make a timeline: \(error)", path: "from")
    }
  }

  /// The timeline with its events but without the states after a patch that does not apply; `nil`
  /// if something else is wrong with it.
  private static func withoutWrongPatches(
    _ lines: [UInt8], _ error: TimelineFileError, of record: TimelineRecord
  ) -> (Timeline, note: String)? {
    guard case .order(let order) = error.reason, order.isAboutPatch,
      let found = try? TimelineFile.recover(lines), found.skipped.isEmpty, found.missing.isEmpty
    else { return nil }
    let count = found.thinned.count
    let beginning =
      order.isOfLimit
      ? "A patch exceeds a limit"
      : "\(EntrySenders(record).sender(of: order.seq)) sent a patch that does not apply"
    return (
      found.timeline,
      """
      \(beginning): \(order). The \
      \(count == 1 ? "state of 1 entry is" : "states of \(count) entries are") not in the file, up to \
      the next keyframe; the events are.
      """
    )
  }

  private static func files(
    of timeline: Timeline, _ asked: FromInspector.Export, stem: String
  ) throws -> [TestFile] {
    do {
      if asked.format == .redux {
        return [
          TestFile(
            name: stem + ".json", media: "application/json",
            bytes: try ReduxDevTools.write(timeline))
        ]
      }
      var export = TestExport(as: TestExport.Kind(rawValue: asked.format.rawValue) ?? .json)
      export.assertion =
        switch asked.assertion {
        case .changedOutputs?: .changedOutputs
        case .paths?: .paths(asked.paths ?? [])
        case .state?: .state
        case .final?: .final
        // An explicit list of paths asks for assertions about them.
        case nil: asked.paths?.isEmpty == false ? .paths(asked.paths ?? []) : nil
        }
      export.conditions =
        (asked.never ?? []).map { .never($0) } + (asked.expect ?? []).map { .finally($0) }
      export.name = asked.name
      export.make = asked.make
      return try export.files(of: timeline)
    } catch let error as TestExportError {
      throw Refusal(.failed, "\(error)", path: error.field)
    } catch let error as InterchangeError {
      throw Refusal(.limit, "\(error)", path: "format")
    }
  }
}

extension TimelineRecord {
  /// The name that the user gave the timeline or branch; `nil` if there is none.
  ///
  /// Tests are named after it. A branch has the name that its maker gave it until it is renamed.
  /// That of a minimization or an exploration, "3 events: state.total < 0", makes a poor test name.
  fileprivate func givenName(_ header: Header) -> String? {
    guard let parent = header.parent else { return name }
    guard parent.failureText != nil else { return name ?? parent.name }
    let generated = #/(found: )?\d+ events?: /#
    let isGenerated = name == parent.name && name?.prefixMatch(of: generated) != nil
    return isGenerated ? nil : name
  }
}

/// What can be exported, for commands that suggest it.
package enum ExportAdvice {
  /// Whether a test in Swift can be made of a timeline.
  package static func isSwiftTestPossible(of header: Header) -> Bool { header.canBecomeSwiftTest }
}

extension TimelineError {
  /// Whether the entry would be valid without its state.
  fileprivate var isAboutPatch: Bool {
    switch reason {
    case .patch, .outputs, .patchWithoutBase: true
    case .skips, .gapDoesNotFit, .changesMissing, .notAfter, .timeDecreases, .beyondNumbers,
      .timeBeyondNumbers:
      false
    }
  }
}

extension TestExportError {
  /// The request field that can fix it.
  fileprivate var field: String {
    switch self {
    case .empty, .noStretch, .noStartingState: "from"
    case .reflected, .kind, .noMachine, .failure: "timeline"
    case .notMade, .expression: "make"
    case .noPaths, .path: "paths"
    }
  }
}
