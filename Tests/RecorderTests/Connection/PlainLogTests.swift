import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import Recorder

@Suite("What the recorder logs")
struct PlainLogTests {
  private static let hostile = "a\u{1B}[2J\nb\r\u{202E}c\u{9B}31m\u{2066}d\u{200B}"

  private struct Hostile: Error, CustomStringConvertible {
    var description: String { PlainLogTests.hostile }
  }

  /// A state that cannot be encoded, with an error of its own words.
  private struct Unwritable: Reducible, Codable {
    enum Event: String, Codable { case happened }
    var isFresh = true

    init() {}
    init(from decoder: any Decoder) throws {}
    func encode(to encoder: any Encoder) throws { throw Hostile() }
    static func reduce(state: Unwritable, event: Event) -> Unwritable { state }
  }

  private func expectPlain(_ lines: [String], _ comment: Comment) {
    #expect(!lines.isEmpty, comment)
    for line in lines {
      #expect(!line.unicodeScalars.contains(where: PlainText.isHostile), "\(line.debugDescription)")
    }
    #expect(lines.contains { $0.contains("\\u{1b}[2J\\u{a}b") }, "\(lines) \(comment)")
  }

  @Test("has no control character of the environment, of names, and of errors of the app")
  func plain() {
    let log = Mutex<[String]>([])
    func lines() -> [String] {
      log.withLock { lines in
        defer { lines = [] }; return lines
      }
    }
    var options = RecorderOptions()
    options.log = { line in log.withLock { $0.append(line) } }
    options.destinations = [.memory(MemorySink())]
    let environment = RecorderEnvironment(["DEBUGD": Self.hostile])
    do {
      let recorder = StateRecorder(app: Self.hostile, options: options, environment: environment)
      expectPlain(lines(), "the environment")
      let machine = recorder.record(Machine(Unwritable()), as: "unwritable", isolation: nil)
      machine.send(.happened)
      #expect(recorder.flush(within: .seconds(120)))
      expectPlain(lines(), "an error of the app")
      let other = StateRecorder(
        app: "other", options: options, environment: RecorderEnvironment([:]))
      let named = recorder.record(Machine(Unwritable()), as: Self.hostile, isolation: nil)
      _ = other.record(named, as: "again", isolation: nil)
      expectPlain(lines(), "the name of a machine and of an app")
      recorder.close(within: .seconds(120))
      other.close(within: .seconds(120))
    }
  }

  @Test("a daemon's words have none either")
  func daemon() {
    let words = DaemonSink.printable("The daemon refused: \(Self.hostile)")
    #expect(!words.unicodeScalars.contains(where: PlainText.isHostile))
  }
}
