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
    let timeline = try await whole(record, asked)
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
    guard let last else { throw Refusal(.notFound, "There is nothing to export.") }
    return last
  }

  /// The stretch that was asked for, as a timeline of its own.
  private func whole(
    _ record: TimelineRecord, _ asked: FromInspector.Export
  ) async throws -> Timeline {
    var lines = record.header + [UInt8(ascii: "\n")]
    try await eachStretch(of: record, asked) { bytes in
      guard lines.count + bytes.count <= Self.largestWhole else {
        throw Refusal(
          .limit,
          """
          This would be more than \(Self.largestWhole) bytes, and is made in memory. To fix, choose \
          a stretch.
          """, path: "from")
      }
      lines += bytes
    }
    do {
      return try TimelineFile.read(lines).timeline
    } catch {
      throw Refusal(.failed, "The stretch does not make a timeline: \(error)", path: "from")
    }
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
