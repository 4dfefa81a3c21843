import DebugServer
import JSONCore
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("What an editor need not wait for", .timeLimit(.minutes(10)))
struct DAPInterruptionTests {
  private let recording: EndlessSearches

  init() throws {
    recording = EndlessSearches(try CountedRecording(entries: 10))
  }

  @Test("a search that takes long delays neither other breakpoints nor other requests")
  func slowSearch() async throws {
    var editor = DAPEditor(recording)
    try await editor.launch(seq: 0)
    let body = try await editor.ask(
      "setFunctionBreakpoints", ["breakpoints": [["name": "endless"], ["name": "x"]]])
    for place in 0...1 {
      let shown = body["breakpoints"]?[place]
      #expect(shown?["verified"] == false)
      #expect(
        shown?["message"] == "The recording is being searched for an entry that hits it.")
    }
    let changed = await editor.event("breakpoint")
    #expect(changed["reason"] == "changed")
    #expect(changed["breakpoint"] == ["verified": true, "id": 2])
    #expect(try await editor.ask("threads")["threads"]?.array?.count == 1)
  }

  @Test("breakpoints that replace others end the search for those, and for no others")
  func replacement() async throws {
    var editor = DAPEditor(recording)
    try await editor.launch(seq: 0)
    for file in ["/a.swift", "/b.swift"] {
      try await editor.setEndless(in: file)
      #expect(await recording.begun.next().contains(file.dropFirst()))
    }
    let request: JSON = ["source": ["path": "/b.swift"], "breakpoints": []]
    _ = try await editor.ask("setBreakpoints", request)
    recording.letGo.finish()
    #expect(await recording.ended.next().contains("b.swift"))
    // What was ended reports nothing.
    for _ in 0..<100 { _ = try await editor.ask("threads") }
    #expect(!editor.events.contains { $0["event"] == "breakpoint" })
  }

  @Test("these requests end a search", arguments: ["disconnect", "terminate", "launch"])
  func end(command: String) async throws {
    var editor = DAPEditor(recording)
    try await editor.launch(seq: 0)
    try await editor.setEndless(in: "/a.swift")
    _ = await recording.begun.next()
    _ = try await editor.ask(command, ["timeline": "last"])
    recording.letGo.finish()
    #expect(await recording.ended.next().contains("a.swift"))
  }

  @Test("these requests wait for no other one", arguments: ["disconnect", "terminate"])
  func runningRequest(command: String) async throws {
    var editor = DAPEditor(recording)
    try await editor.launch(seq: 0)
    try await editor.setEndless(in: "/a.swift")
    _ = await recording.begun.next()
    let running = editor.send("continue")
    let waiting = editor.send("threads")
    _ = await recording.begun.next()
    _ = try await editor.ask(command)
    if command == "disconnect" { return try await editor.end() }
    // What was ended ends only now, and changes nothing.
    try await editor.launch(seq: 6)
    recording.letGo.finish()
    for request in [running, waiting] {
      let response = await editor.response(to: request)
      #expect(response["success"] == false)
      #expect(response["message"] == "cancelled")
    }
    #expect(try await editor.ask("evaluate", ["expression": "seq == 6"])["result"] == "true")
  }
}

extension DAPEditor {
  /// Sets a breakpoint in a file whose search does not end.
  fileprivate mutating func setEndless(in path: String) async throws {
    _ = try await ask(
      "setBreakpoints",
      [
        "source": ["path": .string(path)],
        "breakpoints": [["line": 1, "condition": #"name == "endless""#]],
      ])
  }
}

/// A recording in which searches for an event `endless` go on until they are canceled.
private final class EndlessSearches: Backend {
  /// The predicates of searches, as text.
  struct Predicates: Sendable {
    private let stream: AsyncStream<String>
    let continuation: AsyncStream<String>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(of: String.self) }

    func next() async -> String {
      for await predicate in stream { return predicate }
      return ""
    }
  }

  let begun = Predicates()
  let ended = Predicates()
  /// Until this ends, canceled searches go on.
  let letGo: AsyncStream<Void>.Continuation
  private let held: AsyncStream<Void>
  private let recording: CountedRecording

  init(_ recording: CountedRecording) {
    self.recording = recording
    (held, letGo) = AsyncStream.makeStream(of: Void.self)
  }

  func ask(
    _ request: FromInspector, each: @Sendable (ToInspector) async -> Void
  ) async throws(BackendError) -> BackendAnswer {
    guard case .find(let find) = request, "\(find.predicate)".contains("endless") else {
      return try await recording.ask(request, each: each)
    }
    begun.continuation.yield("\(find.predicate)")
    await silence()
    await Task { [held] in for await _ in held {} }.value
    ended.continuation.yield("\(find.predicate)")
    throw .disconnected("it was canceled.")
  }

  func news() async -> AsyncStream<ToInspector> { AsyncStream { $0.finish() } }

  func close() async {}
}
