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

/// Generated states whose secrets come again in other places, in everything that leaves the process.
@Suite("Redacted values of generated states")
@MainActor
struct RedactedWalkTests {
  nonisolated private static let seeds = UInt64(0)..<15

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

  private static func walk(_ seed: UInt64) -> AccountWalk {
    AccountWalk(seed: seed, pins: 1_000_000_000...9_999_999_999)
  }

  /// The next two events.
  private static func events(_ walk: inout AccountWalk) -> [Account.Event] {
    walk.step()
    return [.became(walk.state), .login(user: walk.text(), password: walk.secret())]
  }

  /// A value as JSON with all its secrets.
  private static func open(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.userInfo[.revealsRedacted] = true
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private static func found(_ secrets: [String], in bytes: some Collection<UInt8>) -> [String] {
    let data = Data(bytes)
    return Set(secrets).filter { data.range(of: Data($0.utf8)) != nil }.sorted()
  }

  private func expectNothing(
    of secrets: [String], in bytes: some Collection<UInt8>, _ place: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(!bytes.isEmpty, place, sourceLocation: sourceLocation)
    #expect(Self.found(secrets, in: bytes) == [], place, sourceLocation: sourceLocation)
    let log = logged.all.joined(separator: "\n").utf8
    #expect(Self.found(secrets, in: log) == [], "the log", sourceLocation: sourceLocation)
  }

  @Test("are found where nothing hides them", arguments: seeds)
  func control(seed: UInt64) throws {
    var walk = Self.walk(seed)
    var text = ""
    for _ in 0..<60 { text += try Self.events(&walk).map(Self.open).joined() }
    let found = Self.found(walk.secrets, in: text.utf8)
    #expect(found.count >= 20 && Set(found).count == Set(walk.secrets).count)
  }

  @Test("are not in lines and headers", arguments: seeds)
  func lines(seed: UInt64) throws {
    let recorder = makeRecorder()
    let machine = recorder.record(Machine(Account()), as: "account")
    var walk = Self.walk(seed)
    for _ in 0..<60 {
      for event in Self.events(&walk) { machine.send(event) }
      #expect(recorder.flush(within: .seconds(120)))
    }
    let timeline = try #require(memory.timeline(named: "account"))
    expectNothing(of: walk.secrets, in: timeline.header.line.bytes, "the header")
    for entry in timeline.entries {
      expectNothing(of: walk.secrets, in: entry.line.bytes, "entry \(entry.seq)")
    }
    #expect(timeline.entries.count == 121 && timeline.end?.state["number"] != nil)
  }

  #if os(Linux)
    @Test("are not in the spill file")
    func spillFile() throws {
      let folder = try TemporaryFolder()
      let recorder = makeRecorder {
        $0.destinations = [.daemon(DaemonDestination(address: "unix:\(folder.path("none.sock"))"))]
        $0.bufferBytes = 40_000
        $0.spillPath = folder.path("spill")
        $0.spillBytes = 8 << 20
      }
      var walks = Self.seeds.map(Self.walk)
      let machines = walks.indices.map { recorder.record(Machine(Account()), as: "account \($0)") }
      var spilled = Data()
      for _ in 0..<200 where spilled.count < 100_000 {
        for index in walks.indices {
          for event in Self.events(&walks[index]) { machines[index].send(event) }
        }
        _ = recorder.flush(within: .milliseconds(50))
        spilled = try RedactionOracleTests.nameless(in: folder.url.path)
      }
      // The recorder knows only the secrets of states that it has seen.
      #expect(recorder.statistics.lost == 0)
      #expect(String(decoding: spilled, as: UTF8.self).contains(#""event":{"login""#))
      expectNothing(of: walks.flatMap(\.secrets), in: spilled, "the spill file")
      recorder.close(within: .zero)
      expectNothing(of: walks.flatMap(\.secrets), in: logged.all.joined().utf8, "the log")
    }
  #endif

  @Test("are not in answers of hosts", arguments: seeds)
  func hosts(seed: UInt64) throws {
    let session = HostSession(
      HostedMachines(of: Account.self), limits: HostLimits(), environment: HostSessionEnvironment())
    var walk = Self.walk(seed)
    let start = try Self.open(walk.state)
    var steps: [String] = []
    for _ in 0..<60 { steps += try Self.events(&walk).map(Self.open) }
    // The last one cannot be decoded.
    steps.append(#"{"became":{"_0":{"token":\#(try Self.open(walk.state))}}}"#)
    let list = steps.enumerated().map { #"{"event":\#($1),"t":\#($0)}"# }.joined(separator: ",")
    var lines: [UInt8] = []
    session.receive(
      Array(
        #"{"type":"reduce","id":1,"make":"RedactionSupport.Account.self","state":\#(start),"seq":1,"steps":[\#(list)],"snapshot":true}"#
          .utf8)
    ) { lines += $0.encoded() }
    expectNothing(of: walk.secrets, in: lines, "what the host answers")
    let text = String(decoding: lines, as: UTF8.self)
    #expect(text.contains(#""seq":120"#) && text.contains("•••"), "\(text)")
  }
}
