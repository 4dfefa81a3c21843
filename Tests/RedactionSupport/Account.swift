package import Replaying
import StatesCore

/// A state that shows its secrets in many places.
package struct Account: Codable, Equatable, Sendable {
  package struct Row: Codable, Equatable, Sendable {
    package var id = 0
    package var note = ""
    @Redacted package var key = ""

    package init(id: Int = 0, note: String = "", key: String = "") {
      self.id = id
      self.note = note
      self.key = key
    }
  }

  package var token = ""
  package var pin = 0
  package var rows: [Row] = []
  package var names: [String: String] = [:]
  package var log: [String] = []
  package var number = 0
  @Redacted package var phrase = ""

  package init() {}
}

extension Account: Reducible, Redactable {
  package enum Event: Codable, Equatable, Sendable {
    case became(Account)
    case login(user: String, password: String)
  }

  package static func reduce(state: Account, event: Event) -> Account {
    switch event {
    case .became(let next): return next
    case .login(let user, _):
      var next = state
      next.log.append(user)
      return next
    }
  }

  package static var redaction: RedactionRules {
    [
      .hide(\Account.token), .hide("/pin"), .hide("/names/k1"), .events("became"),
      .events("login", "/password"),
    ]
  }
}

extension Account {
  /// The account with a value in place of each one that equals a stand-in.
  package var filled: Account {
    var filled = self
    if filled.token.isEmpty { filled.token = "-" }
    if filled.phrase.isEmpty { filled.phrase = "-" }
    if filled.pin == 0 { filled.pin = 1 }
    if filled.rows.isEmpty { filled.rows = [Row()] }
    for index in filled.rows.indices {
      if filled.rows[index].note.isEmpty { filled.rows[index].note = "-" }
      if filled.rows[index].key.isEmpty { filled.rows[index].key = "-" }
    }
    filled.names["k0", default: ""] += "-"
    for (name, text) in filled.names where text.isEmpty { filled.names[name] = "-" }
    filled.log = filled.log.map { $0.isEmpty ? "-" : $0 } + ["-"]
    return filled
  }

  /// What the rules hide in a state.
  package var hiddenTexts: Set<String> {
    Set([token, "\(pin)".trimmingZeros, phrase, names["k1"] ?? ""] + rows.map(\.key))
  }
}
