import Foundation
import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines

/// A state with a secret in it.
private struct Session: Reducible, Codable, Sendable, Equatable {
  var token = "9f2c-secret"
  var count = 0
  var price = 1.0

  enum Event: String, Codable, Sendable { case counted, spoiled }

  static func reduce(state: Session, event: Event) -> Session {
    var next = state
    next.count += 1
    if event == .spoiled { next.price = .infinity }
    return next
  }

  init() {}

  func encode(to encoder: any Encoder) throws {
    // Like an app with limits of its own.
    guard price.isFinite else {
      throw EncodingError.invalidValue(
        self, EncodingError.Context(codingPath: [], debugDescription: "no price: \(self)"))
    }
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(token, forKey: .token)
    try container.encode(count, forKey: .count)
  }
}

/// Makes a form, and declares redaction rules for it.
private enum LoginForm: Replayable, Redactable {
  static func make() -> StateForm<Session, Never> { StateForm(state: Session()) }
  static var redaction: RedactionRules { [.hide("/token")] }
}

/// A dispatcher's class that does the same.
private final class Gate: Stateful, Redactable {
  private(set) lazy var state = Dispatcher(for: self)
  static func open(with code: String) -> State { state(code) { _ in } }
  static var redaction: RedactionRules { [.hide("/target/arguments/*")] }
}

/// A state that declares a redaction rule with a key path.
private struct Locker: Reducible, Redactable {
  var code = "9f2c-secret"
  enum Event { case opened }
  static func reduce(state: Locker, event: Event) -> Locker { state }
  static var redaction: RedactionRules { [.hide(\Locker.code)] }
}

/// A state that declares a redaction rule with a pointer.
private struct PointedLocker: Reducible, Redactable {
  var code = "9f2c-secret"
  enum Event { case opened }
  static func reduce(state: PointedLocker, event: Event) -> PointedLocker { state }
  static var redaction: RedactionRules { [.hide("/code")] }
}

@Suite("Redacted values, while recording,")
struct RecordedRedactionTests {
  private func text(of recording: MemoryRecording) -> String {
    #expect(recording.recorder.flush(within: .seconds(120)))
    return recording.memory.timelines.flatMap { timeline in
      recording.memory.lines(of: timeline.header.timeline)
    }.joined(separator: "\n")
  }

  @Test("are hidden by the rules of the type that makes the machine")
  func maker() {
    let recording = MemoryRecording()
    let form = recording.recorder.record(LoginForm.make(), as: "login", madeBy: LoginForm.self)
    form.apply { $0.count += 1 }
    let text = text(of: recording)
    #expect(text.contains(#""count":1"#) && text.contains("/state/token"))
    #expect(!text.contains("9f2c"))
  }

  @Test("are hidden by the rules of a dispatcher's class")
  func dispatcher() {
    let recording = MemoryRecording()
    let gate = recording.recorder.record(Gate(), as: "gate")
    gate.state.apply { $0.open(with: "9f2c-secret") }
    let text = text(of: recording)
    #expect(text.contains("open(with:)"))
    #expect(!text.contains("9f2c"))
  }

  @Test("are hidden by pointers in a machine that is encoded on its own thread")
  func onCallerByPointer() {
    let recording = MemoryRecording()
    let machine = recording.recorder.record(
      Machine(PointedLocker()), as: "locker", encoded: .onCaller)
    machine.send(.opened)
    let text = text(of: recording)
    #expect(text.contains("/state/code"))
    #expect(!text.contains("9f2c"))
  }

  @Test("prevent recording with a key path and encoding on the caller's thread")
  func onCallerByKeyPath() {
    let log = Mutex<[String]>([])
    let recording = MemoryRecording {
      $0.redaction = [.hide(\Session.token)]
      $0.log = { line in log.withLock { $0.append(line) } }
    }
    let session = recording.recorder.record(Machine(Session()), as: "session", encoded: .onCaller)
    let locker = recording.recorder.record(Machine(Locker()), as: "locker", encoded: .onCaller)
    let free = recording.recorder.record(
      Machine(PointedLocker()), as: "pointed", encoded: .onCaller)
    session.send(.counted)
    locker.send(.opened)
    free.send(.opened)
    #expect(!text(of: recording).contains("9f2c"))
    #expect(recording.memory.timelines.map(\.header.machine.name) == ["pointed"])
    let logged = log.withLock { $0 }
    #expect(
      logged.count == 2
        && logged.allSatisfy {
          $0.hasSuffix("To fix, use a pointer, such as .hide(\"/token\").")
        })
  }

  @Test("are in no message about a state that cannot be encoded", arguments: [true, false])
  func failures(onCaller: Bool) {
    let log = Mutex<[String]>([])
    let recording = MemoryRecording {
      $0.redaction = [.hide("/token")]
      $0.log = { line in log.withLock { $0.append(line) } }
    }
    let machine = Machine(Session())
    if onCaller {
      recording.recorder.record(machine, as: "session", encoded: .onCaller)
    } else {
      recording.recorder.record(machine, as: "session")
    }
    for event in [Session.Event.counted, .spoiled, .counted] { machine.send(event) }
    let text = text(of: recording)
    #expect(text.contains(Entry.failure(of: "state")))
    let said = text + log.withLock { $0 }.joined() + (recording.recorder.statistics.lastError ?? "")
    #expect(!said.contains("9f2c"))
    #expect(recording.recorder.statistics.lastError?.contains("cannot be encoded") == true)
  }

  @Test(
    "where nothing is hidden, the sentence says where, and not by showing the value",
    arguments: [true, false])
  func openFailures(onCaller: Bool) {
    let recording = MemoryRecording()
    let machine = Machine(Session())
    if onCaller {
      recording.recorder.record(machine, as: "session", encoded: .onCaller)
    } else {
      recording.recorder.record(machine, as: "session")
    }
    machine.send(.spoiled)
    #expect(text(of: recording).contains("EncodingError, for a value of type Session: no price"))
  }
}
