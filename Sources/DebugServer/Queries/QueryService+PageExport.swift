internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

/// Exports as one HTML file: the page with the timeline in it.
extension QueryService {
  /// Sends the file in parts; the last one is the answer.
  func exportPage(
    _ record: TimelineRecord, _ asked: FromInspector.Export, report: @escaping Report
  ) async throws -> ToInspector.Export {
    let page: SinglePage
    do {
      page = try SinglePage(folder: web)
    } catch {
      throw Refusal(.failed, error.description, path: "format")
    }
    let packing = try Self.packing()
    // First, so that a refusal comes before the file.
    let whatIf = try await whatIf(asked, report: report)
    var parts = ExportParts(
      name: "timeline-\(record.id.text.prefix(8)).html", media: "text/html; charset=utf-8",
      partBytes: limits.wire.partBytes)
    for part in parts.add(page.before) { await report(.export(part)) }
    var base64 = Base64Stream()
    try await eachPiece(of: record, asked) { bytes in
      let packed = try packing.pack(bytes, isEnd: false)
      for part in parts.add(base64.encode(packed)) { await report(.export(part)) }
    }
    let rest = base64.encode(try packing.pack([], isEnd: true)) + base64.end()
    for part in parts.add(rest) { await report(.export(part)) }
    if let whatIf {
      for part in parts.add(try WhatIfElement.text(of: whatIf, Self.packing())) {
        await report(.export(part))
      }
    }
    for part in parts.add(page.after) { await report(.export(part)) }
    var last = parts.last()
    if let whatIf { last.note = Self.remark(on: whatIf) }
    return last
  }

  private static func remark(on whatIf: WhatIf) -> String {
    let edits = whatIf.branches.count - (whatIf.hasFewest ? 1 : 0)
    return "The file has the results of \(edits) \(edits == 1 ? "edit" : "edits")"
      + (whatIf.hasFewest ? ", and the fewest events for the failure." : ".")
      + (whatIf.isCut ? " Those of other edits were too large for it." : "")
  }

  private static func packing() throws -> PackingStream {
    guard let packing = PackingStream(level: 9) else {
      throw Refusal(.failed, "There is no memory to compress the timeline.")
    }
    return packing
  }

  private func whatIf(
    _ asked: FromInspector.Export, report: @escaping Report
  ) async throws -> WhatIf? {
    guard let seq = asked.whatIf else { return nil }
    guard asked.from == nil, asked.to == nil else {
      throw Refusal(
        .wrongValue, "Branches are computed only for a file with the whole timeline.",
        path: "whatIf")
    }
    guard let proofs else { throw Refusal.needsDaemon(.export(asked)) }
    return try await proofs.whatIf(
      asked.timeline, around: seq, failure: asked.never?.first, report)
  }

  /// The bytes of the timeline's file, or of a stretch of it, piece by piece.
  func eachPiece(
    of record: TimelineRecord, _ asked: FromInspector.Export,
    _ body: ([UInt8]) async throws -> Void
  ) async throws {
    guard asked.from != nil || asked.to != nil else {
      var file = try await store.export(record.id, packed: false)
      while let bytes = try await file.next() {
        try Task.checkCancellation()
        try await body(bytes)
      }
      return
    }
    try await body(record.header + [UInt8(ascii: "\n")])
    try await eachStretch(of: record, asked, body)
  }
}

/// Base64 of bytes that come in pieces.
struct Base64Stream {
  /// Fewer than three bytes, which have no digits of their own yet.
  private var rest: [UInt8] = []

  /// The digits of all bytes so far that make whole groups.
  mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
    rest += bytes
    let whole = rest.count - rest.count % 3
    defer { rest.removeFirst(whole) }
    return Array(Base64.encode(rest[..<whole]).utf8)
  }

  /// The digits of the last bytes.
  mutating func end() -> [UInt8] {
    defer { rest = [] }
    return Array(Base64.encode(rest).utf8)
  }
}
