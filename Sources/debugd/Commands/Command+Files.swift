import DebugServer
import Foundation
import JSONCore
import Timelines

extension CommandSpec {
  /// `debugd export`.
  static let export = CommandSpec(
    name: "export", summary: "write a timeline, or a stretch of it, into a file",
    operands: [.timeline],
    options: [
      .value("out", "o", "FILE", "where to; '-' or nothing for the output"),
      .value(
        "as", nil, "FORMAT", "what as; timeline unless told, or by the file's name",
        choices: ["timeline", "json-lines", "csv"]),
      .from, .value("to", "t", "SEQ", "the last entry"),
      .value("path", "p", "POINTER", "a column of csv", repeats: true),
      .flag("force", nil, "replace a file that is there"), .data,
    ],
    details: """
      A .timeline file holds the recorded lines as they are. Where the file's name ends with .zst it
      is packed.
      """,
    examples: [
      ("debugd export coin -o coin.timeline", "one file to attach to a report"),
      ("debugd export coin --as csv -p /count -p /outputs/side", "a table"),
    ]
  ) { arguments, terminal in
    try await Inquiry.run(arguments, terminal) { inquiry in
      let timeline = try await inquiry.timeline()
      let out = arguments.value("out").flatMap { $0 == "-" ? nil : $0 }
      if out == nil, terminal.isInteractive, arguments.value("as") == nil {
        throw arguments.error(
          "To fill the terminal say '--out -' and '--as'; else name a file: --out FILE.")
      }
      let format = try inquiry.format(out)
      let paths = try (arguments.values["path"] ?? []).map { try inquiry.path($0) }
      let (from, to) = (try arguments.int("from"), try arguments.int("to"))
      let request = FromInspector.Export {
        $0.timeline = timeline
        $0.format = format
        $0.from = from
        $0.to = to
        $0.paths = paths.isEmpty ? nil : paths
      }
      let writer = try ExportWriter(out, replaces: arguments.has("force"), terminal)
      let bytes = try await inquiry.export(request, to: writer)
      if let out { terminal.complain("\(Amounts.bytes(bytes)) written to \(Escaped.text(out))") }
      return .done
    }
  }

  /// `debugd import`.
  static let `import` = CommandSpec(
    name: "import", summary: "take in timelines from files",
    operands: [
      Operand(
        name: "FILE", summary: "a .timeline or .timeline.zst file", repeats: true,
        completion: .files)
    ],
    options: [.json, .data],
    details: "A file that was cut off is taken as far as it goes, and said so."
  ) { arguments, terminal in
    guard !arguments.operands.isEmpty else { throw arguments.error("import needs FILE.") }
    return try await Inquiry.run(arguments, terminal) { inquiry in
      var code = ExitCode.done
      for file in arguments.operands {
        do {
          for timeline in try await inquiry.upload(file) {
            if arguments.has("json") {
              inquiry.printJSON(["file": .string(file), "timeline": .string(timeline.text)])
            } else {
              terminal.print("\(timeline.text)  \(Escaped.text(file))")
            }
          }
        } catch let error as CocoaError {
          terminal.complain("\(Escaped.text(file)): \(error.localizedDescription)")
          code = .failed
        } catch {
          terminal.complain("\(Escaped.text(file)): \(error)")
          code = .failed
        }
      }
      return code
    }
  }
}

/// Writes the parts of an export as they come, and keeps the first thing that went wrong.
private actor ExportWriter {
  private let target: ExportTarget?
  private let terminal: Terminal
  private var bytes: Int64 = 0
  private var problem: (any Error)?

  /// Writes to a file, or to the output when there is none.
  init(_ path: String?, replaces: Bool, _ terminal: Terminal) throws {
    target = try path.map { try ExportTarget(path: $0, replaces: replaces) }
    self.terminal = terminal
  }

  func take(_ message: ToInspector) {
    guard problem == nil, case .export(let part) = message else { return }
    do {
      guard let data = Data(base64Encoded: part.data) else {
        throw BackendError.unexpected("a part that is not base64")
      }
      bytes += Int64(data.count)
      if let target { try target.write(Array(data)) } else { terminal.write(Array(data)) }
    } catch {
      problem = error
    }
  }

  /// How many bytes there were.
  func finish() throws -> Int64 {
    if let problem { throw problem }
    try target?.finish()
    return bytes
  }
}

/// A file that appears under its name when it is complete, and not before.
final class ExportTarget {
  private let path: String
  private let partial: String
  private let handle: FileHandle
  private var isFinished = false

  /// Begins a file beside `path`; refuses to replace one unless told.
  init(path: String, replaces: Bool) throws {
    if !replaces, FileManager.default.fileExists(atPath: path) {
      throw Refusal("\(Escaped.quoted(path)) is there already; --force replaces it.")
    }
    self.path = path
    partial = path + ".part-\(ProcessInfo.processInfo.processIdentifier)"
    // A recording holds a user's data: nobody else reads it, and no link leads elsewhere.
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw Refusal(
        "\(Escaped.quoted(path)) can not be written: \(String(cString: strerror(errno))).")
    }
    handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    if !isFinished { unlink(partial) }
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws { try handle.write(contentsOf: Data(bytes)) }

  /// Gives the file its name.
  func finish() throws {
    try handle.close()
    guard rename(partial, path) == 0 else {
      throw Refusal(
        "\(Escaped.quoted(path)) can not be written: \(String(cString: strerror(errno))).")
    }
    isFinished = true
  }
}

extension Inquiry {
  fileprivate func format(_ out: String?) throws -> ExportFormat {
    if let word = arguments.value("as"), let format = ExportFormat(rawValue: word) { return format }
    if out?.hasSuffix(".csv") == true { return .csv }
    return .timeline
  }

  /// Exports part by part; how many bytes there were.
  fileprivate func export(
    _ request: FromInspector.Export, to writer: ExportWriter
  ) async throws -> Int64 {
    let answer = try await asking.ask(.export(request)) { await writer.take($0) }
    guard case .message(let last) = answer else { throw BackendError.unexpected("an overview") }
    await writer.take(last)
    return try await writer.finish()
  }

  /// Sends a file in parts; the timelines that came of it.
  fileprivate func upload(_ file: String) async throws -> [TimelineID] {
    let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
    defer { try? handle.close() }
    let size = Int64(try handle.seekToEnd())
    try handle.seek(toOffset: 0)
    let begin = FromInspector.Import {
      $0.name = String(file.split(separator: "/").last ?? "")
      $0.bytes = size
    }
    var answer = try await asking.ask(.import(begin), uploadAnswer)
    var offset: Int64 = 0
    repeat {
      let data = try handle.read(upToCount: Int(max(1, answer.partBytes))) ?? Data()
      let (start, upload) = (offset, answer.upload)
      let isLast = offset + Int64(data.count) >= size || data.isEmpty
      let part = FromInspector.Part {
        $0.upload = upload
        $0.offset = start
        $0.data = data.base64EncodedString()
        $0.last = isLast
      }
      offset += Int64(data.count)
      answer = try await asking.ask(.part(part)) { message in
        if case .done = message {
          return ToInspector.Import {
            $0.upload = upload; $0.partBytes = answer.partBytes
          }
        }
        return uploadAnswer(message)
      }
      if isLast { break }
    } while true
    return answer.timelines ?? []
  }

  private func uploadAnswer(_ message: ToInspector) -> ToInspector.Import? {
    if case .import(let answer) = message { answer } else { nil }
  }
}
