internal import TestSource
internal import TimelineStore
internal import Timelines

/// Files that are made of a timeline as a whole: tests with their fixtures, and what other tools read.
extension LookUps {
  /// More than this is not held in memory at once for one question.
  private static let largestWhole = 1 << 30

  /// Hands over one file after the other, each in parts; the last part is the answer.
  func exportWhole(
    _ record: TimelineRecord, _ asked: FromInspector.Export, report: Report
  ) async throws -> ToInspector.Export {
    let (timeline, note) = try await whole(record, asked)
    let stem = "timeline-" + record.id.text.prefix(8)
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

  /// The stretch that was asked for, as a timeline of its own, and what is missing from it.
  private func whole(
    _ record: TimelineRecord, _ asked: FromInspector.Export
  ) async throws -> (Timeline, note: String?) {
    var lines = record.header + [UInt8(ascii: "\n")]
    try await eachStretch(of: record, asked) { bytes in
      guard lines.count + bytes.count <= Self.largestWhole else {
        throw Refusal(
          .limit,
          """
          This would be more than \(Self.largestWhole) bytes, and is made in memory. To fix, export \
          fewer entries.
          """, path: "from")
      }
      lines += bytes
    }
    do {
      return (try TimelineFile.read(lines).timeline, nil)
    } catch {
      if let found = Self.withoutWrongPatches(lines, error) { return found }
      throw Refusal(.failed, "The stretch does not make a timeline: \(error)", path: "from")
    }
  }

  /// The timeline with its events but without the states that follow from a patch that does not apply;
  /// `nil` when that is not what is wrong with it.
  private static func withoutWrongPatches(
    _ lines: [UInt8], _ error: TimelineFileError
  ) -> (Timeline, note: String)? {
    guard case .order(let order) = error.reason, order.isAboutPatch,
      let found = try? TimelineFile.recover(lines), found.skipped.isEmpty, found.missing.isEmpty
    else { return nil }
    let count = found.thinned.count
    return (
      found.timeline,
      """
      The recorder sent a patch that does not apply: \(order). The \
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
        // Who names paths wants them asserted.
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

extension TimelineError {
  /// Whether the entry would fit if it said nothing of the state.
  fileprivate var isAboutPatch: Bool {
    switch reason {
    case .patch, .outputs, .patchWithoutBase: true
    case .skips, .gapDoesNotFit, .changesMissing, .notAfter, .timeDecreases, .beyondNumbers: false
    }
  }
}

extension TestExportError {
  /// The field of a request that can mend it.
  fileprivate var field: String {
    switch self {
    case .empty, .noStretch, .noStartingState: "from"
    case .reflected, .kind, .noMachine: "timeline"
    case .notMade, .expression: "make"
    case .noPaths, .path: "paths"
    }
  }
}
