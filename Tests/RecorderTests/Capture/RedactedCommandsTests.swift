import Foundation
import JSONCore
import Recorder
import RedactionSupport
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines
import Wire

/// Generated events and states that an inspector sends, of which about half are refused.
@Suite("Redacted values of commands")
@MainActor
struct RedactedCommandsTests {
  /// A command, and the secrets that are hidden once it is executed.
  private struct Attempt {
    var command: RecorderCommand
    var secrets: [String] = []
    var isValid = true
  }

  nonisolated private static let seeds = UInt64(0)..<15

  private let memory = MemorySink()
  private let logged = LogLines()
  private let recorder: StateRecorder

  init() {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.allowsControl = true
    options.log = { [logged] in logged.add($0) }
    recorder = StateRecorder(app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  @Test("are neither in answers nor in entries after they were hidden", arguments: seeds)
  func commands(seed: UInt64) async throws {
    let machine = recorder.record(Machine(Account()), as: "account")
    #expect(recorder.flush(within: .seconds(120)))
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    var walk = AccountWalk(seed: seed, pins: 1_000_000_000...9_999_999_999)
    // A refused command hides nothing: its secrets may come later, in the clear.
    var hidden: Set<String> = []
    var (checked, refused) = (0, 0)
    try await perform(Self.hold(timeline), as: "hold")
    for round in 0..<60 {
      for (number, attempt) in try Self.attempts(round, &walk, timeline).enumerated() {
        if case .step = attempt.command { machine.send(.login(user: walk.text(), password: "")) }
        let reply = try await perform(attempt, as: "\(round).\(number)")
        let isRefused = if case .error = reply { true } else { false }
        #expect(isRefused != attempt.isValid, "\(reply)")
        if isRefused { refused += 1 } else { hidden.formUnion(attempt.secrets) }
        let shown = Self.found(walk.secrets, in: Envelope(reply).encoded())
        #expect(shown == [], "\(reply)")
        #expect(recorder.flush(within: .seconds(120)))
        let entries = try #require(memory.timeline(named: "account")).entries
        for entry in entries.dropFirst(checked) {
          #expect(Self.found(hidden, in: entry.line.bytes) == [], "\(entry.line)")
        }
        checked = entries.count
      }
    }
    #expect(checked >= 60 && refused >= 30 && hidden.count >= 15)
    #expect(Self.found(walk.secrets, in: logged.all.joined(separator: "\n").utf8) == [])
  }

  /// Executes a command, and returns its answer.
  @discardableResult
  private func perform(_ attempt: Attempt, as id: String) async throws -> FromRecorder {
    let answers = Answers(.text(id))
    try #require(recorder.core).handler.handle(attempt.command, answer: answers.answer)
    let all = await answers.all()
    #expect(all.count == 1)
    return try #require(all.first)
  }

  private static func attempts(
    _ round: Int, _ walk: inout AccountWalk, _ timeline: TimelineID
  ) throws -> [Attempt] {
    walk.step()
    let (state, whole) = (walk.state, walk.state.filled)
    let secrets = walk.secrets.filter(whole.hiddenTexts.contains)
    let json = try open(state)
    // Most passwords are not sent, and may be in a state before one of its properties has them.
    let password = walk.secret()
    let login = Account.Event.login(user: walk.text(), password: password)
    switch round % 4 {
    case 0:
      return [
        try dispatch(open(Account.Event.became(whole)), timeline, secrets),
        try dispatch(#"{"became":{"_0":{"token":\#(json)}}}"#, timeline, isValid: false),
      ]
    case 1: return [try dispatch(open(login), timeline, [password])]
    case 2:
      return [
        try restore(open(whole), timeline, secrets),
        try restore(#"{"token":\#(json)}"#, timeline, isValid: false),
      ]
    default:
      // What is empty equals its stand-in.
      var empty = state
      empty.token = ""
      return [
        try dispatch(open(Account.Event.became(empty)), timeline, isValid: false),
        try restore(open(empty), timeline, isValid: false),
        step(timeline),
      ]
    }
  }
}

// Commands and texts.
extension RedactedCommandsTests {
  private static func hold(_ timeline: TimelineID) -> Attempt {
    let hold = ToRecorder.Hold {
      $0.timeline = timeline
      $0.policy = .queue
      $0.lease = "a"
      $0.milliseconds = 600_000
    }
    return Attempt(command: .hold(hold))
  }

  private static func step(_ timeline: TimelineID) -> Attempt {
    let step = ToRecorder.Step {
      $0.timeline = timeline
      $0.lease = "a"
    }
    return Attempt(command: .step(step))
  }

  private static func dispatch(
    _ json: String, _ timeline: TimelineID, _ secrets: [String] = [], isValid: Bool = true
  ) throws -> Attempt {
    let event = try JSONSlice(validating: Array(json.utf8))
    let dispatch = ToRecorder.Dispatch {
      $0.timeline = timeline
      $0.lease = "a"
      $0.event = event
    }
    return Attempt(command: .dispatch(dispatch), secrets: secrets, isValid: isValid)
  }

  private static func restore(
    _ json: String, _ timeline: TimelineID, _ secrets: [String] = [], isValid: Bool = true
  ) throws -> Attempt {
    let state = try JSONSlice(validating: Array(json.utf8))
    let restore = ToRecorder.Restore {
      $0.timeline = timeline
      $0.lease = "a"
      $0.from = EntryReference(timeline: timeline, seq: 0)
      $0.state = state
    }
    return Attempt(command: .restore(restore), secrets: secrets, isValid: isValid)
  }

  /// A value as JSON with all its secrets.
  private static func open(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.userInfo[.revealsRedacted] = true
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func found(
    _ secrets: some Sequence<String>, in bytes: some Collection<UInt8>
  ) -> [String] {
    let data = Data(bytes)
    return Set(secrets).filter { data.range(of: Data($0.utf8)) != nil }.sorted()
  }
}
