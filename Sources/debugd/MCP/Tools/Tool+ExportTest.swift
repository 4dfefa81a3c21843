import DebugServer
import Foundation
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
    return call.excerpt(of: files, from: Int(call.number("offset") ?? 0), note: remark)
  }
}

/// A file of an export.
private struct ExportedFile: Sendable {
  let name: String
  var bytes: [UInt8] = []
}

extension ToolCall {
  /// The most that is collected; a fixture of a long recording is for the command line.
  private static let maximumBytes = 64 << 20

  fileprivate func files(of request: FromInspector.Export) async throws -> [ExportedFile] {
    let collected = Collected()
    let answer = try await backend.ask(.export(request)) { message in
      if case .export(let part) = message { await collected.add(part) }
    }
    guard case .message(.export(let part)) = answer else {
      throw BackendError.unexpected("\(answer)")
    }
    await collected.add(part)
    return try await collected.result(
      limit: Self.maximumBytes,
      command: "debugd export \(request.timeline.text.prefix(8)) --as swift-testing -o FOLDER"
        + ServeSettings.dataOption(inquiry.arguments))
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

/// The parts of an export, put together.
private actor Collected {
  private var files: [ExportedFile] = []
  private var isDamaged = false

  func add(_ part: ToInspector.Export) {
    guard let data = Data(base64Encoded: part.data) else { return isDamaged = true }
    if files.last?.name != part.name { files.append(ExportedFile(name: part.name)) }
    files[files.count - 1].bytes += Array(data)
  }

  func result(limit: Int, command: String) throws -> [ExportedFile] {
    if isDamaged { throw BackendError.unexpected("a part that is not base64") }
    guard files.reduce(0, { $0 + $1.bytes.count }) <= limit else {
      throw ToolError(
        "The fixture is too large for a reply. Write it with: \(command)")
    }
    return files
  }
}
