import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines
import Wire

/// The errors of what cannot be decoded usually contain the value.
@Suite("Redacted values that cannot be decoded")
@MainActor
struct RefusedRedactionTests {
  private let recorder: StateRecorder

  init() {
    var options = RecorderOptions()
    options.destinations = [.memory(MemorySink())]
    options.allowsControl = true
    options.log = { _ in }
    recorder = StateRecorder(app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  private static func found(in texts: [String]) -> [String] {
    Strict.needles.filter { needle in texts.contains { $0.contains(needle) } }
  }

  /// The answers to commands with values that do not fit, to the only recorded machine.
  private func answers() async throws -> [String] {
    #expect(recorder.flush(within: .seconds(120)))
    let core = try #require(recorder.core)
    let timeline = try #require(core.machines.first?.timeline)
    let hold = ToRecorder.Hold {
      $0.timeline = timeline
      $0.policy = .queue
      $0.lease = "a"
      $0.milliseconds = 600_000
    }
    var commands = [RecorderCommand.hold(hold)]
    for card in Strict.cards {
      let event = try JSONSlice(validating: Array(#"{"became":{"_0":\#(card)}}"#.utf8))
      let state = try JSONSlice(validating: Array(#"{"card":\#(card)}"#.utf8))
      let dispatch = ToRecorder.Dispatch {
        $0.timeline = timeline
        $0.lease = "a"
        $0.event = event
      }
      let restore = ToRecorder.Restore {
        $0.timeline = timeline
        $0.lease = "a"
        $0.from = EntryReference(timeline: timeline, seq: 0)
        $0.state = state
      }
      commands += [.dispatch(dispatch), .restore(restore)]
    }
    var texts: [String] = []
    for (number, command) in commands.enumerated() {
      let answers = Answers(.number(Int64(number + 1)))
      core.handler.handle(command, answer: answers.answer)
      for answer in await answers.all() {
        texts.append(String(decoding: Envelope(answer).encoded(), as: UTF8.self))
      }
    }
    #expect(texts.filter { $0.contains("cannot be decoded") }.count == 6, "\(texts)")
    for place in ["/card/pin", "/card/role", "/became/_0/pin", "/became/_0/role"] {
      #expect(texts.contains { $0.contains("(at \(place))") }, "\(texts)")
    }
    return texts
  }

  @Test("are shown in answers of a machine that hides nothing")
  func open() async throws {
    let machine = recorder.record(Machine(OpenCard()), as: "card")
    #expect(Self.found(in: try await answers()) == Strict.needles)
    #expect(machine.state == OpenCard())
  }

  @Test("are not in answers of a machine with rules")
  func ruled() async throws {
    let machine = recorder.record(Machine(RuledCard()), as: "card")
    let texts = try await answers()
    #expect(Self.found(in: texts) == [], "\(texts)")
    #expect(machine.state == RuledCard())
  }

  @Test("are not in answers of a machine with redacted properties")
  func marked() async throws {
    let machine = recorder.record(Machine(MarkedCard()), as: "card")
    let texts = try await answers()
    #expect(Self.found(in: texts) == [], "\(texts)")
    #expect(machine.state == MarkedCard())
  }

  /// What a host answers to requests with values that do not fit, and with one that does not encode.
  private static func hosted(_ make: String) -> [String] {
    let session = HostSession(
      HostedMachines(of: OpenCard.self, RuledCard.self, MarkedCard.self), limits: HostLimits(),
      environment: HostSessionEnvironment())
    let unwritable = #"{"pin":1,"role":"member","word":"unwritable"}"#
    let valid = #"{"pin":1,"role":"member","word":"word"}"#
    var pairs = Strict.cards.flatMap { [(valid, $0), ($0, valid)] }
    pairs.append((valid, unwritable))
    pairs.append((unwritable, valid))
    return pairs.map { state, event in
      let request =
        #"{"type":"reduce","id":1,"make":"RecorderTests.\#(make).self","state":{"card":\#(state)},"#
        + #""seq":1,"steps":[{"event":{"became":{"_0":\#(event)}},"t":1}],"snapshot":true}"#
      var lines: [UInt8] = []
      session.receive(Array(request.utf8)) { lines += $0.encoded() }
      return String(decoding: lines, as: UTF8.self)
    }
  }

  @Test("are not in the events that a host returns")
  func returned() {
    let session = HostSession(
      HostedMachines(of: Forgetful.self), limits: HostLimits(),
      environment: HostSessionEnvironment())
    let request =
      #"{"type":"reduce","id":1,"make":"RecorderTests.Forgetful.self","state":{"count":0},"seq":1,"#
      + #""steps":[{"event":{"unlocked":{"_0":"hunter2-word"}},"t":1}]}"#
    var lines: [UInt8] = []
    session.receive(Array(request.utf8)) { lines += $0.encoded() }
    let text = String(decoding: lines, as: UTF8.self)
    #expect(text.contains(#""unlocked""#) && !text.contains("hunter2"), "\(text)")
  }

  @Test("are not in answers of hosts", arguments: ["RuledCard", "MarkedCard"])
  func hosts(make: String) {
    let texts = Self.hosted(make)
    #expect(texts.count == 8, "\(texts)")
    #expect(texts.prefix(6).allSatisfy { $0.contains("cannot decode") }, "\(texts)")
    #expect(Self.found(in: texts) == [], "\(texts)")
    #expect(Self.found(in: Self.hosted("OpenCard")) == Strict.needles)
  }
}
