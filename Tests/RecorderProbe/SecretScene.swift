import Foundation
import Recorder
import Replaying
import StatesCore

extension Scene {
  /// `secrets PLACE SECRET`: records a machine that redacts a secret, and crashes in its reducer
  /// while it handles an event with the secret.
  static let secrets = Scene(name: "secrets") { arguments in
    guard arguments.count == 2 else { exit(64) }
    let recorder = StateRecorder(app: "probe", options: options(arguments[0]))
    let machine = recorder.record(Machine(Locked()), as: "locked")
    recorder.flush(within: .seconds(60))
    CrashWatch.shared?.wait(forAtMost: 60_000)
    machine.send(.locked(arguments[1]))
    machine.send(.unlocked(arguments[1]))
    _ = recorder
  }
}

/// A lock that never opens.
private struct Locked: Reducible, Codable, Redactable {
  var secret = ""

  enum Event: Codable {
    case locked(String)
    case unlocked(String)
  }

  static func reduce(state: Locked, event: Event) -> Locked {
    switch event {
    case .locked(let secret): return Locked(secret: secret)
    case .unlocked: preconditionFailure("as asked")
    }
  }

  static var redaction: RedactionRules { [.hide(\Locked.secret), .events("locked")] }
}
