import DebugServer
import Foundation
import JSONCore
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("How much of a recording an editor's requests search")
struct DAPSearchTests {
  @Test("a hover searches its own entry")
  func hover() async throws {
    let recording = try CountedRecording(entries: 10_000)
    var editor = DAPEditor(recording)
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
    var editor = DAPEditor(recording)
    try await editor.launch(seq: start)
    let names = ["far", "absent", "nearest", "nearest", "far", "missing"]
    _ = try await editor.set(functions: names)
    recording.restart()
    _ = try await editor.ask(command)
    let stopped = await editor.event("stopped")
    #expect(stopped["hitBreakpointIds"] == [3, 4])
    #expect(stopped["description"] == "the event nearest")
    #expect(recording.searched < 100)
  }

  @Test("a breakpoint is verified with a limited number of entries, across all machines")
  func verification() async throws {
    let limit = DAPSession.maximumVerified
    let recording = try CountedRecording(entries: limit * 3 / 5, machines: 3)
    var editor = DAPEditor(recording)
    try await editor.launch(seq: 0)
    recording.restart()
    let shown = try await editor.set(functions: ["absent"]).first
    #expect(recording.searched <= limit + 1)
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
    var editor = DAPEditor(try CountedRecording(entries: 10, machines: 3))
    try await editor.launch(seq: 0)
    let shown = try await editor.set(functions: ["absent", "x"])
    #expect(shown[0]["message"] == "No entry of the recording is the event absent.")
    #expect(shown[1]["verified"] == true)
  }
}
