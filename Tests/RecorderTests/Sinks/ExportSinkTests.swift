import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import TestSource
import Testing
import Timelines

/// A machine whose events hold text.
private struct Diary: Reducible, Codable {
  var words: [String] = []
  enum Event: Codable, Equatable { case wrote(String) }
  static func reduce(state: Diary, event: Event) -> Diary {
    switch event {
    case .wrote(let text): Diary(words: state.words + [text])
    }
  }
  static var outputs: Outputs<Diary> { Output("last") { $0.words.last } }
}

/// A machine one of whose events cannot be encoded.
private struct Moody: Reducible, Codable {
  var total = 0
  struct Event: Codable, Sendable {
    var number: Int
    struct Broken: Error {}
    func encode(to encoder: any Encoder) throws {
      if number == 13 { throw Broken() }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
    init(number: Int) { self.number = number }
    init(from decoder: any Decoder) throws {
      number = try decoder.singleValueContainer().decode(Int.self)
    }
  }
  static func reduce(state: Moody, event: Event) -> Moody {
    Moody(total: state.total + event.number)
  }
}

@Suite("Tests exported from a sink")
struct ExportSinkTests {
  /// Records texts into memory and into a file at once.
  private func record(
    _ texts: [String], _ body: (_ memory: MemorySink, _ folder: String) throws -> Void
  ) throws {
    let folder = NSTemporaryDirectory() + "exports-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let memory = MemorySink()
    var options = RecorderOptions()
    options.destinations = [.memory(memory), .file(folder)]
    options.log = { _ in }
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    let diary = recorder.record(Machine(Diary()), as: "diary")
    let other = recorder.record(Machine(Diary()), as: "notes \"for\" later")
    for text in texts { diary.send(.wrote(text)) }
    other.send(.wrote("x"))
    #expect(recorder.flush(within: .seconds(120)))
    try body(memory, folder)
  }

  @Test("skips an event that could not be encoded, and so does a replay")
  func unwritable() throws {
    let memory = MemorySink()
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.log = { _ in }
    let recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
    let moody = recorder.record(Machine(Moody()), as: "moody")
    for number in [1, 2, 13, 3, 4] { moody.send(Moody.Event(number: number)) }
    #expect(recorder.flush(within: .seconds(120)))
    let files = try memory.exportTest(of: "moody")
    let source = String(decoding: files[0].bytes, as: UTF8.self)
    #expect(source.contains("// The event of entry 3 could not be recorded."))
    #expect(source.contains("try moody.restore([\"total\": 19], entry: 4)"), "\(source)")
    let timeline = try #require(memory.timeline(named: "moody"))
    var run = TimelineReplay(timeline, with: try Replay(reducible: Moody.self).makeReplayer())
    var states: [JSON?] = []
    while let draft = try run.next() {
      states.append(try draft.state.map { try JSON(parsing: Array($0)) })
    }
    #expect(states.count == 6 && run.differences.isEmpty)
    #expect(states[3] == nil && states[4] == ["total": 19])
  }

  @Test("is refused for a machine that was not recorded, with the names of those that were")
  func unknownName() throws {
    try record(["a"]) { memory, _ in
      let error = #expect(throws: TestExportError.self) { try memory.exportTest(of: "dairy") }
      #expect(
        error == .noMachine(named: "dairy", recorded: ["diary", "notes \"for\" later"]))
      #expect(
        error?.description == """
          No machine "dairy" was recorded. To fix, name one of the machines that were recorded: \
          "diary", "notes \\"for\\" later".
          """)
    }
    let error = #expect(throws: TestExportError.self) { try MemorySink().exportTest(of: "diary") }
    #expect(error?.description.contains("no other machine either") == true)
  }

  @Test(
    "is the same of memory and of a file, the same every time, and of a stretch",
    arguments: [3, 150])
  func sameOfBoth(count: Int) throws {
    try record((0..<count).map { "entry \($0)" }) { memory, folder in
      for kind in TestExport.Kind.allCases {
        let export = TestExport(as: kind)
        let ofMemory = try memory.exportTest(of: "diary", export)
        #expect(try memory.exportTest(of: "diary", export) == ofMemory)
        #expect(try export.files(ofFileAt: "\(folder)/diary.timeline") == ofMemory)
        #expect(ofMemory.count == (kind == .json || count > 100 ? 2 : 1))
        let stretch = try memory.exportTest(of: "diary", export, from: 1, to: 3)
        #expect(try export.files(ofFileAt: "\(folder)/diary.timeline", from: 1, to: 3) == stretch)
        #expect(stretch.count == (kind == .json ? 2 : 1))
      }
    }
  }

  @Test(
    "holds hostile text as text",
    arguments: [
      "\"", "\"); exit(1) //", "\n}\n", "\\(exit(1))", "*/ /*", "\u{202e}\u{2066}", "\0", "\"\"\"",
      "#\"", "\r\n", "\u{2028}", "é\u{301}", "👧",
    ])
  func hostile(text: String) throws {
    try record([text]) { memory, _ in
      let files = try memory.exportTest(of: "diary")
      let source = String(decoding: files[0].bytes, as: UTF8.self)
      let plain = try lines(of: memoryOf("plain"))
      #expect(source.unicodeScalars.allSatisfy { $0 == "\n" || (" "..."~").contains($0) })
      // Nothing but the literal is another one: the same lines, the same parts around it.
      let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
      try #require(lines.count == plain.count)
      for (line, other) in zip(lines, plain) where line != other && !line.hasPrefix("//") {
        #expect(line.hasPrefix("    try diary.send(.wrote(\"") && line.hasSuffix("\"])"))
      }
    }
  }

  private func memoryOf(_ text: String) throws -> MemorySink {
    var found: MemorySink?
    try record([text]) { memory, _ in found = memory }
    return try #require(found)
  }

  private func lines(of memory: MemorySink) throws -> [Substring] {
    let files = try memory.exportTest(of: "diary")
    return String(decoding: files[0].bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
  }
}
