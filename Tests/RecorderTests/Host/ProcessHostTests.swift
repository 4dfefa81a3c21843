import Foundation
import HostProcesses
import JSONCore
import Recorder
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines
import Wire

@Suite("Recorder: host process", .serialized)
struct ProcessHostTests {
  private func host(_ limits: HostLimits = HostLimits()) throws -> ProcessHost {
    try #require(
      ProcessHost(
        .init(path: ProbeExecutable.path, arguments: ["host"]), makes: [], limits: limits))
  }

  private func request(
    _ events: [String], milliseconds: Int = 120_000, bytes: Int = 200 << 20
  ) throws -> ToRecorder.Reduce {
    let steps = events.enumerated().map { #"{"event":\#($1),"t":\#($0),"was":\#($0 + 1)}"# }
    return try ToRecorder.Reduce(
      #"""
      {"make":"RecorderProbe.Troubled.self","state":{"total":0,"notes":[]},"seq":1,"milliseconds":\#(milliseconds),"bytes":\#(bytes),"steps":[\#(steps.joined(separator: ","))]}
      """#)
  }

  private func run(
    _ host: ProcessHost, _ events: [String], milliseconds: Int = 120_000, bytes: Int = 200 << 20
  ) async throws -> (entries: [JSON], ended: EarlyEnd?) {
    let answers = Answers()
    host.reduce(
      try request(events, milliseconds: milliseconds, bytes: bytes), answer: answers.answer)
    return try await answers.reduced()
  }

  private let add = #"{"added":{"_0":2}}"#

  @Test("runs requests one after the other in one process, whatever the reducer prints or reads")
  func runs() async throws {
    let host = try host()
    defer { host.stop() }
    let noise = #"{"printed":{"_0":"{\"type\":\"reduced\",\"re\":1,\"entries\":[]}"}}"#
    for _ in 0..<3 {
      let (entries, ended) = try await run(host, [add, noise, #"{"asked":{}}"#, add])
      #expect(ended == nil)
      #expect(entries.map { $0["seq"] } == [1, 2, 3, 4])
      #expect(entries[2]["patch"]?[0]?["value"] == "nothing to read")
    }
  }

  @Test(
    "a trap, a stack without end and an exit are answered with their entry, and what came before",
    arguments: [#"{"trapped":{}}"#, #"{"overflowed":{}}"#, #"{"exited":{}}"#])
  func traps(event: String) async throws {
    let host = try host()
    defer { host.stop() }
    let (entries, ended) = try await run(host, [add, add, event, add])
    #expect(ended?.why == .trap)
    // `exit` runs no signal handler, so unsent entries are lost.
    let isExit = event.contains("exited")
    #expect(entries.count == (isExit ? 0 : 2))
    #expect(ended?.seq == (isExit ? 1 : 3))
    let again = try await run(host, [add])
    #expect(again.ended == nil && again.entries.count == 1)
  }

  @Test(
    "a reducer that does not return is ended after its time, one that uses too much memory earlier")
  func limits() async throws {
    let host = try host()
    defer { host.stop() }
    let slept = try await run(host, [add, #"{"slept":{}}"#], milliseconds: 100)
    #expect(slept.ended?.why == .limit)
    // On a busy machine, the time passes before the reducer sleeps; then the host itself ends it.
    let message = slept.ended?.message ?? ""
    #expect(
      message.contains("exceeded its time limit") || message.contains("took longer than 100 ms"),
      "\(message)")
    let ate = try await run(host, [#"{"ate":{}}"#], bytes: 64 << 20)
    #expect(ate.ended?.why == .limit)
    #expect(ate.ended?.message?.contains("memory") == true)
    #expect(try await run(host, [add]).entries.count == 1)
  }

  @Test("a hanging request can be canceled, and so can a waiting one")
  func cancels() async throws {
    let host = try host()
    defer { host.stop() }
    let (hanging, waiting) = (Answers(.number(1)), Answers(.number(2)))
    host.reduce(try request([#"{"slept":{}}"#], milliseconds: 60_000), answer: hanging.answer)
    host.reduce(try request([add]), answer: waiting.answer)
    host.cancel(.number(2))
    host.cancel(.number(1))
    for answers in [hanging, waiting] {
      guard case .error(let error)? = await answers.all().first else {
        Issue.record("not canceled")
        continue
      }
      #expect(error.code == .canceled)
    }
    #expect(try await run(host, [add]).ended == nil)
  }

  @Test("an executable that is not a host, or is missing, is an error with a sentence")
  func noHost() async throws {
    for (path, arguments) in [
      ("/bin/true", []), ("/no/such/file", []), (ProbeExecutable.path, ["greet"]),
    ] {
      let host = try #require(ProcessHost(.init(path: path, arguments: arguments), makes: []))
      let answers = Answers()
      host.reduce(try request([add]), answer: answers.answer)
      guard case .error(let error)? = await answers.all().first else {
        Issue.record("\(path) answered")
        continue
      }
      #expect(error.code == .failed)
      host.stop()
    }
  }

  @Test("forms run as well, and an unknown machine is refused with the list of known ones")
  func makes() async throws {
    let host = try host()
    defer { host.stop() }
    let form = Answers()
    host.reduce(
      try .init(#"{"make":"RecorderProbe.TroubledForm.make()","seq":0,"steps":[]}"#),
      answer: form.answer)
    #expect(try await form.reduced().entries.first?["state"] == [1])
    let unknown = Answers()
    host.reduce(try .init(#"{"make":"Unknown()","seq":0,"steps":[]}"#), answer: unknown.answer)
    guard case .error(let error)? = await unknown.all().first else {
      Issue.record("made")
      return
    }
    #expect(error.code == .notFound && error.message.contains("RecorderProbe.Troubled.self"))
    #expect(!error.message.contains("NotCodable"))
  }

  @Test("an app's own executable is its host, and a trap there does not affect the app")
  func own() throws {
    let process = Process()
    process.executableURL = URL(filePath: ProbeExecutable.path)
    process.arguments = ["own-host"]
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let lines = text.split(separator: "\n")
    try #require(lines.count == 3, "\(text)")
    #expect(
      lines[0] == "process RecorderProbe.Troubled.self RecorderProbe.TroubledForm.make()")
    let answer = try JSON(parsing: String(lines[1]))
    #expect(answer["entries"]?.array?.count == 1)
    #expect(answer["ended"]?["why"] == "trap" && answer["ended"]?["seq"] == 2)
    #expect(lines[2] == "the app goes on" && process.terminationStatus == 0)
  }
}
