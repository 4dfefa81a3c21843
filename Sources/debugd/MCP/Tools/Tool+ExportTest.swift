import DebugServer
import JSONCore
import Timelines
import Wire

extension AgentTool {
  /// Writes a recording as a test.
  static let exportTest = AgentTool(
    name: "export_test",
    summary:
      "A Swift test, and its fixture. With 'never', 'expect', or a minimized branch, it fails until "
      + "the bug is fixed. For debugd verify: 'timeline'.",
    parameters: [
      .timeline, .optional("never", .text, "a predicate that must hold at no entry"),
      .optional("expect", .text, "a predicate that must hold at the end"), .optional("name"),
      .optional("format", .choice(["swift-testing", "xctest", "quick", "timeline"])),
      .optional("offset", .number(0...Int64.max), "'next' of the previous reply"), .bytes,
    ]
  ) { call in
    let timeline = try await call.timeline()
    var request = FromInspector.Export()
    request.timeline = timeline
    request.format = call.text("format").flatMap { ExportFormat(rawValue: $0) } ?? .swiftTesting
    request.name = call.text("name")
    if call.text("never") != nil {
      request.never = [try await call.predicate("never", of: timeline)]
    }
    if call.text("expect") != nil {
      request.expect = [try await call.predicate("expect", of: timeline)]
    }
    let remark = try await call.inquiry.remark(
      on: (request.never ?? []) + (request.expect ?? []), in: timeline)
    let files = try await call.files(of: request)
    let reply = call.excerpt(of: files, from: Int(call.number("offset") ?? 0), note: remark)
    if reply["next"] == nil { await call.exports.forget() }
    return reply
  }
}

extension ToolCall {
  /// Exports, or returns the files of the last export if they are asked for from an offset on.
  fileprivate func files(of request: FromInspector.Export) async throws -> [ExportedFile] {
    let key = Envelope(FromInspector.export(request)).encoded()
    if (number("offset") ?? 0) > 0, let files = await exports.files(for: key) { return files }
    let files = try await ExportedFile.files(
      of: request, from: backend,
      command: "debugd export \(request.timeline.text.prefix(8)) --as swift-testing -o FOLDER"
        + ServeSettings.dataOption(inquiry.arguments))
    await exports.keep(files, for: key)
    return files
  }

  /// The files as one text, from an offset on.
  fileprivate func excerpt(
    of files: [ExportedFile], from offset: Int, note: String?
  ) -> JSON {
    let list = files.map { file -> JSON in
      ["name": .string(file.name), "bytes": .count(file.bytes.count)]
    }
    let all = files.flatMap { file in Array("// \(file.name)\n".utf8) + file.bytes }
    var budget = budget
    let files = budget.prefix(of: list)
    let start = min(offset, all.count)
    let end = end(of: all[start...], within: max(256, budget.left))
    let text = String(decoding: all[start..<end], as: UTF8.self)
    var reply: JSON.Object = ["files": .array(files), "text": .string(text)]
    if end < all.count { reply["next"] = .count(end) }
    if let note { reply["note"] = .string(note) }
    return .object(reply)
  }

  /// Where the part of a text ends that fits as a JSON string, whose line breaks and quotation marks
  /// are escapes.
  private func end(of bytes: ArraySlice<UInt8>, within limit: Int) -> Int {
    var count = min(bytes.count, limit)
    while true {
      var end = bytes.startIndex + count
      while end < bytes.endIndex, end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end -= 1 }
      let text = String(decoding: bytes[..<end], as: UTF8.self)
      let size = ReplyBudget.bytes(of: .string(text))
      // A character takes twelve bytes at most, so some fit.
      guard size > limit, count > 16 else { return end }
      count = max(16, count * limit / size - 1)
    }
  }
}
