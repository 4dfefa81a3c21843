import DebugServer
import Foundation
import JSONCore
import Predicates
import Synchronization
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("How much of a recording an editor's requests search")
struct DAPSearchTests {
  @Test("a hover searches its own entry")
  func hover() async throws {
    let recording = try CountedRecording(entries: 10_000)
    var editor = Editor(recording)
    try await editor.launch(seq: 3)
    for (expression, result) in [("seq == 3", "true"), ("seq > 3", "false"), ("seq < 0", "false")] {
      recording.restart()
      let body = try await editor.ask("evaluate", ["expression": .string(expression)])
      #expect(body["result"]?.string == result)
      #expect(recording.searched <= 2)
    }
  }

  @Test(
    "a run searches no breakpoint beyond the nearest hit",
    arguments: [("continue", 0, 5), ("reverseContinue", 9_999, 9_994)])
  func run(command: String, start: Int64, nearest: Int64) async throws {
    let far = start < nearest ? nearest + 5 : nearest - 5
    let recording = try CountedRecording(
      entries: 10_000, events: [nearest: "nearest", far: "far"])
    var editor = Editor(recording)
    try await editor.launch(seq: start)
    let names: [JSON] = ["far", "absent", "nearest", "nearest", "far", "missing"]
    _ = try await editor.ask(
      "setFunctionBreakpoints", ["breakpoints": .array(names.map { ["name": $0] })])
    recording.restart()
    _ = try await editor.ask(command)
    #expect(editor.lastEvent?["hitBreakpointIds"] == [3, 4])
    #expect(editor.lastEvent?["description"] == "the event nearest")
    #expect(recording.searched < 100)
  }

  @Test("a breakpoint is verified with a limited number of entries, across all machines")
  func verification() async throws {
    let limit = DAPSession.maximumVerified
    let recording = try CountedRecording(entries: limit * 3 / 5, machines: 3)
    var editor = Editor(recording)
    try await editor.launch(seq: 0)
    recording.restart()
    let body = try await editor.ask(
      "setFunctionBreakpoints", ["breakpoints": [["name": "absent"]]])
    #expect(recording.searched <= limit + 1)
    let shown = body["breakpoints"]?[0]
    #expect(shown?["verified"] == false)
    #expect(
      shown?["message"]
        == """
        None of the first 100000 entries is the event absent. Later ones were not searched, but the \
        breakpoint stops at them, too.
        """)
  }

  @Test("a breakpoint is verified with the entries of every machine")
  func allMachines() async throws {
    var editor = Editor(try CountedRecording(entries: 10, machines: 3))
    try await editor.launch(seq: 0)
    let body = try await editor.ask(
      "setFunctionBreakpoints", ["breakpoints": [["name": "absent"], ["name": "x"]]])
    #expect(
      body["breakpoints"]?[0]?["message"] == "No entry of the recording is the event absent.")
    #expect(body["breakpoints"]?[1]?["verified"] == true)
  }
}

/// Sends requests to an adapter in this process.
private struct Editor {
  private let messages: Messages
  private var server: DAPServer
  private var seq: Int64 = 0

  /// What the adapter writes.
  private final class Messages: Sendable {
    let all = Mutex([JSON]())
  }

  init(_ recording: CountedRecording) {
    let messages = Messages()
    self.messages = messages
    server = DAPServer { _ in
      let parser = ArgumentParser(commands: [.dap])
      guard case .run(let arguments) = try parser.parse(["dap"], environment: [:]) else {
        throw CommandError("The arguments are invalid.")
      }
      let quiet = Terminal(
        output: .nullDevice, errors: .nullDevice, isInteractive: false, hasColor: false,
        columns: nil)
      let inquiry = Inquiry(asking: recording, arguments: arguments, terminal: quiet)
      return (inquiry, CountedRecording.timeline(0))
    } write: { bytes in
      var framing = DAPFraming()
      let written = framing.messages(adding: bytes).messages.compactMap { try? JSON(parsing: $0) }
      messages.all.withLock { $0 += written }
    }
  }

  /// The body of the last event.
  var lastEvent: JSON? {
    messages.all.withLock { $0.last { $0["type"] == "event" }?["body"] }
  }

  mutating func launch(seq: Int64) async throws {
    _ = try await ask("initialize")
    _ = try await ask("launch", ["timeline": "last", "seq": .number(JSON.Number(seq))])
  }

  /// The body of the response.
  mutating func ask(_ command: String, _ arguments: JSON = [:]) async throws -> JSON {
    seq += 1
    let request: JSON = [
      "type": "request", "seq": .number(JSON.Number(seq)), "command": .string(command),
      "arguments": arguments,
    ]
    _ = await server.receive(request.encoded())
    let wanted = seq
    let response = messages.all.withLock { $0.last { $0["request_seq"]?.int == wanted } }
    #expect(response?["success"] == true)
    return response?["body"] ?? [:]
  }
}

/// Machines of one process, whose searches count the entries that they look at.
private final class CountedRecording: Backend {
  private let count: Int64
  private let summaries: [ToInspector.TimelineSummary]
  /// The events other than `x`.
  private let events: [Int64: String]
  private let looked = Mutex<Int64>(0)

  static func timeline(_ machine: Int) -> TimelineID {
    TimelineID("6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f\(machine)") ?? .zero
  }

  init(entries: Int64, machines: Int = 1, events: [Int64: String] = [:]) throws {
    count = entries
    self.events = events
    summaries = try (0..<machines).map { machine in
      let header = try JSONSlice(
        validating: Array(
          #"""
          {"timeline":"\#(Self.timeline(machine).text)","app":{"name":"test","pid":7},\#
          "machine":{"type":"Coin","name":"coin\#(machine)"},"format":1}
          """#.utf8))
      return ToInspector.TimelineSummary {
        $0.header = header
        $0.first = 0
        $0.last = entries - 1
      }
    }
  }

  /// The entries that searches looked at.
  var searched: Int64 { looked.withLock { $0 } }

  func restart() { looked.withLock { $0 = 0 } }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    switch request {
    case .timelines:
      return .message(.timelines(ToInspector.Timelines { $0.timelines = summaries }))
    case .find(let find):
      return .message(.find(ToInspector.Find { $0.seqs = first(find).map { [$0] } ?? [] }))
    default: throw .unexpected("\(request)")
    }
  }

  private func first(_ find: FromInspector.Find) -> Int64? {
    let isBackward = find.direction == .backward
    for seq in stride(from: find.from, through: isBackward ? 0 : count - 1, by: isBackward ? -1 : 1)
    {
      looked.withLock { $0 += 1 }
      let line = #"{"seq":\#(seq),"t":0,"event":"\#(events[seq] ?? "x")","patch":[]}"#
      if let entry = try? JSONSlice(validating: Array(line.utf8)),
        find.predicate.evaluate(EntrySubject(entry: entry)) == .yes
      {
        return seq
      }
    }
    return nil
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { $0.finish() } }

  func close() async {}
}
