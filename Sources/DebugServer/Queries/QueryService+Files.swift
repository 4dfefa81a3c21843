internal import JSONCore
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func begin(_ asked: FromInspector.Import) async throws -> ToInspector.Import {
    let upload = try await uploads.begin(name: asked.name, bytes: asked.bytes)
    return ToInspector.Import {
      $0.upload = upload
      $0.partBytes = Int64(limits.wire.partBytes)
    }
  }

  func receive(_ asked: FromInspector.Part) async throws -> ToInspector.Import {
    guard let bytes = Base64.decode(asked.data) else {
      throw Refusal(.wrongValue, "The part is not base64.", path: "data")
    }
    guard bytes.count <= limits.wire.partBytes else {
      throw Refusal(
        .limit, "A part can have at most \(limits.wire.partBytes) bytes.", path: "data")
    }
    let report = try await uploads.add(
      bytes, to: asked.upload, at: asked.offset, isLast: asked.last)
    return ToInspector.Import {
      $0.upload = asked.upload
      $0.partBytes = Int64(limits.wire.partBytes)
      $0.timelines = report.map { [$0.timeline] }
      $0.note = report?.note
    }
  }

  /// Sends the file part by part; the last part is the answer.
  func export(
    _ asked: FromInspector.Export, report: @escaping Report
  ) async throws -> ToInspector.Export {
    let record = try await store.read { try $0.timeline(asked.timeline) }
    guard asked.whatIf == nil || asked.format == .html else {
      throw Refusal(.wrongValue, "Only an HTML file can contain branches.", path: "whatIf")
    }
    if asked.format == .html { return try await exportPage(record, asked, report: report) }
    guard let kind = ExportedKind(asked.format) else {
      return try await exportWhole(record, asked, report: report)
    }
    let stem = "timeline-" + record.id.text.prefix(8)
    var parts = ExportParts(
      name: stem + kind.suffix, media: kind.media, partBytes: limits.wire.partBytes)
    switch kind {
    case .timeline:
      try await eachPiece(of: record, asked) { bytes in
        for part in parts.add(bytes) { await report(.export(part)) }
      }
    case .lines:
      try await eachStretch(of: record, asked) { bytes in
        for part in parts.add(bytes) { await report(.export(part)) }
      }
    case .table:
      let paths = asked.paths ?? []
      for part in parts.add(CSV.head(paths)) { await report(.export(part)) }
      try await eachRow(of: record, asked, paths) { bytes in
        for part in parts.add(bytes) { await report(.export(part)) }
      }
    }
    return parts.last()
  }

  /// The part of the requested stretch that exists.
  private static func stretch(
    _ record: TimelineRecord, _ asked: FromInspector.Export
  ) throws -> ClosedRange<Int64>? {
    guard let first = record.first, let last = record.last else { return nil }
    let (from, to) = (asked.from ?? first, asked.to ?? last)
    guard from <= to else {
      throw Refusal(.wrongValue, "The stretch ends before it begins.", path: "to")
    }
    guard from <= last, to >= first else {
      throw Refusal(
        .notFound,
        "There are no entries from \(from) to \(to): the timeline has \(first) to \(last).",
        path: "from")
    }
    return max(from, first)...min(to, last)
  }

  /// The lines of a stretch, some hundred at a time. A file that does not start with entry 0 starts
  /// with a keyframe that says so.
  func eachStretch(
    of record: TimelineRecord, _ asked: FromInspector.Export,
    _ body: ([UInt8]) async throws -> Void
  ) async throws {
    let isFile = asked.format != .jsonLines
    try await eachWindow(of: record, asked) {
      (reader, lineage, range, isFirst) throws(StoreError) in
      var lines: [UInt8] = []
      var damage: StoreError?
      var needsStart = isFirst && isFile
      try reader.forEachEntry(of: lineage, in: range, damaged: { damage = damage ?? $1 }) {
        (entry) throws(StoreError) in
        var line = Array(entry.line.bytes)
        if needsStart {
          line = try Self.opening(entry, reader, lineage)
          needsStart = false
        }
        lines += line + [UInt8(ascii: "\n")]
      }
      if let damage { throw damage }
      return lines
    } body: {
      try await body($0)
    }
  }

  /// Reads a stretch in windows of some hundred entries, and passes on the result for each; losses
  /// between them are skipped.
  private func eachWindow(
    of record: TimelineRecord, _ asked: FromInspector.Export,
    read:
      @escaping @Sendable (
        StoreReader, Lineage, ClosedRange<Int64>, _ isFirst: Bool
      ) throws(StoreError) -> [UInt8],
    body: ([UInt8]) async throws -> Void
  ) async throws {
    guard let seqs = try Self.stretch(record, asked) else { return }
    var next = seqs.lowerBound
    var isFirst = true
    while next <= seqs.upperBound {
      try Task.checkCancellation()
      let (rest, isStart) = (next...seqs.upperBound, isFirst)
      let window = try await store.read { reader -> (bytes: [UInt8], last: Int64)? in
        let lineage = try reader.lineage(of: record.id)
        guard let first = try reader.firstSeq(of: lineage, in: rest) else { return nil }
        let range = first...min(rest.upperBound, first + 255)
        return (try read(reader, lineage, range, isStart), range.upperBound)
      }
      guard let window else { return }
      try await body(window.bytes)
      (next, isFirst) = (window.last + 1, false)
    }
  }

  /// An entry as the first one of a file: with the full state, and a gap for the entries before.
  private static func opening(
    _ entry: Entry, _ reader: StoreReader, _ lineage: Lineage
  ) throws(StoreError) -> [UInt8] {
    guard entry.seq > 0, entry.gap?.lost != entry.seq else { return Array(entry.line.bytes) }
    var draft = EntryDraft(entry)
    draft.gap = Gap(lost: entry.seq, why: "exported from here on")
    if case .known(let snapshot)? = try reader.moment(of: lineage, at: entry.seq) {
      draft.patch = nil
      draft.outputs = nil
      draft.state = snapshot.state.encoded()[...]
      let hasOutputs = snapshot.outputs.object?.isEmpty == false
      draft.outputState = hasOutputs ? snapshot.outputs.encoded()[...] : nil
    }
    return draft.line
  }

  private func eachRow(
    of record: TimelineRecord, _ asked: FromInspector.Export, _ paths: [Pointer],
    _ body: ([UInt8]) async throws -> Void
  ) async throws {
    try await eachWindow(of: record, asked) { (reader, lineage, range, _) throws(StoreError) in
      var rows: [UInt8] = []
      var damage: StoreError?
      try reader.forEachEntry(of: lineage, in: range, damaged: { damage = damage ?? $1 }) {
        (entry) throws(StoreError) in
        let moment = paths.isEmpty ? nil : try reader.moment(of: lineage, at: entry.seq)
        rows += CSV.row(entry, moment, paths)
      }
      if let damage { throw damage }
      return rows
    } body: {
      try await body($0)
    }
  }
}

/// The formats that are written line by line.
private enum ExportedKind {
  case timeline, lines, table

  init?(_ format: ExportFormat) {
    switch format {
    case .timeline: self = .timeline
    case .jsonLines: self = .lines
    case .csv: self = .table
    case .redux, .swiftTesting, .xctest, .quick, .fixture, .html: return nil
    }
  }

  var suffix: String {
    switch self {
    case .timeline: ".timeline"
    case .lines: ".jsonl"
    case .table: ".csv"
    }
  }

  var media: String {
    switch self {
    case .timeline, .lines: "application/x-ndjson"
    case .table: "text/csv; charset=utf-8"
    }
  }
}

/// Splits a file into parts of equal length.
struct ExportParts {
  let name: String
  let media: String
  let partBytes: Int
  private var offset: Int64 = 0
  private var rest: [UInt8] = []

  init(name: String, media: String, partBytes: Int) {
    self.name = name
    self.media = media
    self.partBytes = partBytes
  }

  /// Adds bytes; returns the parts that are full.
  mutating func add(_ bytes: [UInt8]) -> [ToInspector.Export] {
    rest += bytes
    var parts: [ToInspector.Export] = []
    while rest.count > partBytes {
      parts.append(part(Array(rest.prefix(partBytes)), more: true))
      rest.removeFirst(partBytes)
    }
    return parts
  }

  mutating func last() -> ToInspector.Export { part(rest, more: false) }

  private mutating func part(_ bytes: [UInt8], more: Bool) -> ToInspector.Export {
    defer { offset += Int64(bytes.count) }
    return ToInspector.Export {
      $0.name = name
      $0.media = media
      $0.offset = offset
      $0.data = Base64.encode(bytes)
      $0.more = more
    }
  }
}
