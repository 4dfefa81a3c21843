import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import Testing
import Timelines
import Wire

/// A machine for hosts: it counts, says no, and keeps a secret.
struct Purse: Reducible, Codable, Equatable, Redactable {
  var coins = 0
  var code = ""

  enum Event: Codable, Equatable {
    case put(Int)
    case locked(code: String)
  }

  static func reduce(state: Purse, event: Event) -> Purse {
    switch event {
    case .put(let coins): Purse(coins: state.coins + coins, code: state.code)
    case .locked(let code): Purse(coins: state.coins, code: code)
    }
  }

  static var outputs: Outputs<Purse> { Output("isRich") { $0.coins > 100 } }
  static var redaction: RedactionRules { [.hide(\Purse.code), .events("locked")] }
}

enum Book: Replayable {
  static func make() -> StateForm<[Int], Never> { StateForm(state: [1, 2]) }
}

struct Unreadable: Reducible {
  enum Event { case happened }
  static func reduce(state: Unreadable, event: Event) -> Unreadable { state }
}

/// Makes a machine whose types cannot be read.
enum MadeUnreadable: Replayable {
  static func make() -> Machine<Unreadable> { Machine(Unreadable()) }
}

/// Collects what a runner answers, and lets a test wait for the end of it.
final class Answers: Sendable {
  private struct State {
    var messages: [FromRecorder] = []
    var waiting: CheckedContinuation<Void, Never>?
    var isOver = false
  }

  private let state = Mutex(State())
  let id: RequestID

  init(_ id: RequestID = .number(7)) {
    self.id = id
  }

  var answer: CommandAnswer {
    CommandAnswer(id: id, maxMessage: 1 << 20) { envelope in self.receive(envelope.body) }
  }

  private func receive(_ message: FromRecorder) {
    let waiting = state.withLock { state -> CheckedContinuation<Void, Never>? in
      state.messages.append(message)
      if case .reduced(let reduced) = message, reduced.more { return nil }
      state.isOver = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  /// All messages, as soon as the last one has come.
  func all() async -> [FromRecorder] {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
    return state.withLock { $0.messages }
  }

  /// The entries and how the answer ended.
  func reduced() async throws -> (entries: [JSON], ended: EarlyEnd?) {
    var entries: [JSON] = []
    var ended: EarlyEnd?
    for message in await all() {
      guard case .reduced(let reduced) = message else {
        Issue.record("no answer to reduce: \(message)")
        continue
      }
      entries += reduced.entries.map(\.value)
      ended = reduced.ended
    }
    return (entries, ended)
  }
}

extension ToRecorder.Reduce {
  /// A request written as JSON.
  init(_ json: String) throws {
    let line = #"{"type":"reduce","id":1,"# + json.dropFirst()
    let envelope = try Envelope<ToRecorder>(reading: Array(line.utf8), maxMessage: 16 << 20)
    guard case .reduce(let reduce) = envelope.body else {
      throw ReplayError(.notReplayable(why: "no reduce"))
    }
    self = reduce
  }
}
