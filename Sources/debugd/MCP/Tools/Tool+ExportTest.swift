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
    return try await collected.result(limit: Self.maximumBytes)
  }

  /// The files as one text, from an offset on.
  fileprivate func excerpt(
    of files: [ExportedFile], from offset: Int, note: String?
  ) -> JSON {
    let list = files.map { file -> JSON in
      ["name": .string(file.name), "bytes": .count(file.bytes.count)]
    }
    let all = files.flatMap { file in Array("// \(file.name)\n".utf8) + file.bytes }
    // JSON escapes line breaks and quotation marks, so less fits than the budget says.
    let room = max(256, budget.left * 3 / 4)
    let start = min(offset, all.count)
    var end = min(all.count, start + room)
    while end < all.count, end > start, all[end] & 0xC0 == 0x80 { end -= 1 }
    var reply: JSON.Object = [
      "files": .array(list), "text": .string(String(decoding: all[start..<end], as: UTF8.self)),
    ]
    if end < all.count { reply["next"] = .count(end) }
    if let note { reply["note"] = .string(note) }
    return .object(reply)
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

  func result(limit: Int) throws -> [ExportedFile] {
    if isDamaged { throw BackendError.unexpected("a part that is not base64") }
    guard files.reduce(0, { $0 + $1.bytes.count }) <= limit else {
      throw ToolError(
        "The fixture is too large for a reply. Write it with: debugd export TIMELINE --as "
          + "swift-testing -o FOLDER")
    }
    return files
  }
}
