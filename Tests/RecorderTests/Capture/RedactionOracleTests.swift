import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines
import Wire

/// Everything that leaves the process is searched for secrets of several forms, byte by byte.
@Suite("Redacted values, in everything that leaves the process,")
@MainActor
struct RedactionOracleTests {
  private let memory = MemorySink()
  private let logged = LogLines()

  private func makeRecorder(
    _ change: (inout RecorderOptions) -> Void = { _ in }
  ) -> StateRecorder {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    options.allowsControl = true
    options.log = { [logged] in logged.add($0) }
    change(&options)
    return StateRecorder(app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  private func expectNothing(
    in bytes: some Collection<UInt8>, _ place: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!bytes.isEmpty, place, sourceLocation: sourceLocation)
    #expect(Secrets.found(in: bytes) == [], place, sourceLocation: sourceLocation)
  }

  private func expectNothingLogged(sourceLocation: SourceLocation = #_sourceLocation) {
    let found = Secrets.found(in: logged.all.joined(separator: "\n").utf8)
    #expect(found == [], "the log", sourceLocation: sourceLocation)
  }

  private func play(_ machine: Machine<Vault>) {
    machine.send(.stored(Secrets()))
    machine.send(.counted)
    machine.send(.echoed(Secrets().token))
    machine.send(.echoed("pin \(Secrets().pin) of \(Secrets().parts[0])"))
  }

  @Test("the search finds each secret in what hides nothing")
  func control() throws {
    let open = Array(try CanonicalEncoder().encode(Secrets()))
    let found = Secrets.found(in: open)
    for needle in ["48151623421", "314159.26535", "part-one-x81", "left-hand-5512", "private-81f"] {
      #expect(found.contains(needle), "\(needle)")
    }
    let base64 = Secrets.found(
      in: Array(Data("..\(Secrets().token)".utf8).base64EncodedString().utf8))
    #expect(!base64.isEmpty)
  }

  @Test("lines, headers and the samples of schemas")
  func lines() throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Vault()), as: "vault")
    play(machine)
    #expect(recorder.flush(within: .seconds(120)))
    let timeline = try #require(memory.timeline(named: "vault"))
    let samples = try #require(timeline.header.schema?["cases"]).text
    #expect(samples.contains(#""samples""#) && samples.contains(#"{"stored":"#), "\(samples)")
    expectNothing(in: timeline.header.line.bytes, "the header")
    for entry in timeline.entries { expectNothing(in: entry.line.bytes, "entry \(entry.seq)") }
    #expect(timeline.entries.count == 5 && timeline.end?.state["count"] == 4)
    expectNothingLogged()
  }

  #if os(Linux)
    @Test("the spill file")
    func spillFile() throws {
      let folder = try TemporaryFolder()
      let recorder = makeRecorder {
        $0.destinations = [.daemon(DaemonDestination(address: "unix:\(folder.path("none.sock"))"))]
        $0.bufferBytes = 40_000
        $0.spillPath = folder.path("spill")
        $0.spillBytes = 8 << 20
      }
      let machine = recorder.record(Machine(Vault()), as: "vault")
      var spilled = Data()
      for _ in 0..<200 where spilled.count < 100_000 {
        for _ in 0..<20 { play(machine) }
        _ = recorder.flush(within: .milliseconds(50))
        spilled = try Self.nameless(in: folder.url.path)
      }
      #expect(String(decoding: spilled, as: UTF8.self).contains(#""event":{"stored""#))
      expectNothing(in: spilled, "the spill file")
      recorder.close(within: .zero)
      // At least that nothing was sent.
      #expect(!logged.all.isEmpty)
      expectNothingLogged()
    }

    /// What the files of a folder hold that this process has open and that have no name.
    static func nameless(in folder: String) throws -> Data {
      let files = FileManager.default
      for name in try files.contentsOfDirectory(atPath: "/proc/self/fd") {
        let path = "/proc/self/fd/\(name)"
        guard let target = try? files.destinationOfSymbolicLink(atPath: path),
          target.hasPrefix(folder), target.hasSuffix("(deleted)")
        else { continue }
        return try Data(contentsOf: URL(filePath: path))
      }
      return Data()
    }
  #endif

  @Test("answers to commands, of what is carried out and of what is refused")
  func replies() async throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Vault()), as: "vault")
    machine.send(.counted)
    recorder.flush(within: .seconds(120))
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    var replies: [FromRecorder] = []
    for (number, command) in try commands(timeline).enumerated() {
      let answers = Answers(.number(Int64(number + 1)))
      try #require(recorder.core).handler.handle(command, answer: answers.answer)
      replies += await answers.all()
      #expect(replies.count > number, "command \(number) is answered")
    }
    let refused = replies.filter { if case .error = $0 { true } else { false } }
    #expect(refused.count >= 5, "\(replies)")
    for reply in replies { expectNothing(in: Envelope(reply).encoded(), "a reply") }
    recorder.flush(within: .seconds(120))
    for entry in try #require(memory.timeline(named: "vault")).entries {
      expectNothing(in: entry.line.bytes, "entry \(entry.seq)")
    }
    expectNothingLogged()
  }

  private func commands(_ timeline: TimelineID) throws -> [RecorderCommand] {
    let hold = RecorderCommand.hold(
      ToRecorder.Hold {
        $0.timeline = timeline
        $0.policy = .queue
        $0.lease = "a"
        $0.milliseconds = 600_000
      })
    let secrets = Secrets.json
    let events = [
      #"{"stored":{"_0":\#(secrets)}}"#, #"{"stored":\#(secrets)}"#,
      #"{"echoed":{"_0":\#(secrets)}}"#,
      #"{"counted":{},"stored":{"_0":\#(secrets)}}"#, secrets,
    ]
    let states = [
      #"{"secrets":\#(secrets),"echo":"","count":3,"padding":""}"#,
      #"{"secrets":\#(secrets),"echo":7}"#, #"{"secrets":[\#(secrets)]}"#, secrets,
    ]
    var commands = [hold]
    for text in events {
      let event = try JSONSlice(validating: Array(text.utf8))
      commands.append(
        .dispatch(
          ToRecorder.Dispatch {
            $0.timeline = timeline
            $0.lease = "a"
            $0.event = event
          }))
    }
    for text in states {
      let state = try JSONSlice(validating: Array(text.utf8))
      commands.append(
        .restore(
          ToRecorder.Restore {
            $0.timeline = timeline
            $0.lease = "a"
            $0.from = EntryReference(timeline: timeline, seq: 0)
            $0.state = state
          }))
    }
    return commands
  }

  @Test("answers of hosts, of what is run and of what cannot be read")
  func hosts() throws {
    let session = HostSession(
      HostedMachines(of: Vault.self), limits: HostLimits(), environment: HostSessionEnvironment())
    let (make, secrets) = (#""make":"RecorderTests.Vault.self""#, Secrets.json)
    let start = #""state":{"echo":"","count":0,"padding":""},"seq":1"#
    let requests = [
      #"{"type":"reduce","id":1,\#(make),\#(start),"steps":[{"event":{"stored":{"_0":\#(secrets)}},"t":1},"#
        + #"{"event":{"echoed":{"_0":"part-one-x81 and 48151623421"}},"t":2}],"snapshot":true}"#,
      #"{"type":"reduce","id":2,\#(make),"state":{"secrets":\#(secrets),"echo":"","count":3,"padding":""},"seq":1,"steps":[{"event":{"counted":{}},"t":1}],"snapshot":true}"#,
      #"{"type":"reduce","id":3,\#(make),\#(start),"steps":[{"event":{"stored":\#(secrets)},"t":1}]}"#,
      #"{"type":"reduce","id":4,\#(make),\#(start),"steps":[{"event":\#(secrets),"t":1}]}"#,
      #"{"type":"reduce","id":5,\#(make),"state":{"secrets":[\#(secrets)]},"seq":1,"steps":[{"event":{"counted":{}},"t":1}]}"#,
      #"{"type":"reduce","id":6,\#(make),"state":\#(secrets),"seq":1,"steps":[{"event":{"counted":{}},"t":1}]}"#,
    ]
    for (number, request) in requests.enumerated() {
      var lines: [UInt8] = []
      session.receive(Array(request.utf8)) { lines += $0.encoded() }
      expectNothing(in: lines, "request \(number + 1)")
    }
  }

  @Test("the file of a program that crashes on a secret")
  func rescue() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("run.timeline")
    let probe = try ChildProcess(
      ChildProcess.built("RecorderProbe"), ["secrets", path, Secrets().token],
      environment: CrashTests.quiet, mergesErrors: true)
    #expect(probe.end() < 0, "\(probe.lines)")
    // Both its streams: at least the trap has written a line.
    expectNothing(in: probe.lines.joined(separator: "\n").utf8, "what the program writes")
    let file = try Data(contentsOf: URL(filePath: path))
    let last = try #require(TimelineFile.read(Array(file)).timeline.entries.last)
    #expect(last.error == "trapped" && last.eventName == "unlocked")
    expectNothing(in: file, "the file")
  }
}

/// A state that decodes but cannot be encoded; its error shows all of it.
private struct Fussy: Reducible, Codable, Redactable {
  var token = "9f2c-secret"
  var isBroken = false

  enum Event: Codable {
    case opened(String)

    func encode(to encoder: any Encoder) throws { throw Fussy.error(of: self) }
    init(from decoder: any Decoder) throws {
      self = .opened(try decoder.singleValueContainer().decode(String.self))
    }
  }

  enum CodingKeys: String, CodingKey { case token, isBroken }

  func encode(to encoder: any Encoder) throws {
    if isBroken { throw Fussy.error(of: self) }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(token, forKey: .token)
    try container.encode(isBroken, forKey: .isBroken)
  }

  private static func error(of value: Any) -> EncodingError {
    .invalidValue(value, EncodingError.Context(codingPath: [], debugDescription: "no: \(value)"))
  }

  static func reduce(state: Fussy, event: Event) -> Fussy { state }
  static var redaction: RedactionRules { [.hide("/token"), .events("opened")] }
}

extension RedactionOracleTests {
  @Test("a refused state that cannot be encoded is answered without its value")
  func unwritable() async throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Fussy()), as: "fussy")
    recorder.flush(within: .seconds(120))
    let timeline = try #require(recorder.core?.machines.first?.timeline)
    var texts: [String] = []
    let state = try JSONSlice(
      validating: Array(#"{"token":"9f2c-secret","isBroken":true}"#.utf8))
    let event = try JSONSlice(validating: Array(#""9f2c-secret""#.utf8))
    let commands: [RecorderCommand] = [
      .hold(
        ToRecorder.Hold {
          $0.timeline = timeline
          $0.policy = .queue
          $0.lease = "a"
          $0.milliseconds = 600_000
        }),
      .restore(
        ToRecorder.Restore {
          $0.timeline = timeline
          $0.lease = "a"
          $0.from = EntryReference(timeline: timeline, seq: 0)
          $0.state = state
        }),
      .dispatch(
        ToRecorder.Dispatch {
          $0.timeline = timeline
          $0.lease = "a"
          $0.event = event
        }),
    ]
    for (number, command) in commands.enumerated() {
      let answers = Answers(.number(Int64(number + 1)))
      try #require(recorder.core).handler.handle(command, answer: answers.answer)
      for answer in await answers.all() {
        texts.append(String(decoding: Envelope(answer).encoded(), as: UTF8.self))
      }
    }
    #expect(texts.count == 3 && texts.allSatisfy { !$0.contains("9f2c") }, "\(texts)")
    #expect(texts.dropFirst().allSatisfy { $0.contains("cannot be encoded") }, "\(texts)")
    #expect(machine.state.token == "9f2c-secret" && !machine.state.isBroken)
  }

  @Test("a log line about what cannot be encoded does not show it")
  func unwritableLogged() throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Fussy()), as: "fussy")
    machine.send(.opened("9f2c-secret"))
    #expect(recorder.flush(within: .seconds(120)))
    let lines = logged.all.filter { $0.contains("of fussy cannot be encoded as JSON") }
    #expect(lines.count == 1 && !logged.all.contains { $0.contains("9f2c") }, "\(logged.all)")
  }
}
