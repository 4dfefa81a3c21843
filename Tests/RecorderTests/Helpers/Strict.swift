import Recorder
import Replaying
import StatesCore

/// Types that do not decode every value, and whose errors contain the value.
enum Strict {
  /// Values that these types do not decode.
  static let needles = ["48151623421", "hunter2-role", "hunter2-word"]

  enum Role: String, Codable, HasStandIn {
    case guest, member

    static var standIn: Role { .guest }
  }

  struct Word: Codable, Equatable, HasStandIn {
    struct Failure: Error { var text: String }

    var text = "word"
    static var standIn: Word { Word(text: "") }

    init(text: String = "word") { self.text = text }

    init(from decoder: any Decoder) throws {
      text = try decoder.singleValueContainer().decode(String.self)
      if text.contains("hunter2") { throw Failure(text: text) }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      if text == "unwritable" {
        throw EncodingError.invalidValue(
          Strict.needles, EncodingError.Context(codingPath: [], debugDescription: "no"))
      }
      try container.encode(text)
    }
  }

  struct Card: Codable, Equatable {
    var pin: Int8 = 1
    var role = Role.member
    var word = Word()
  }

  /// Cards whose values do not fit.
  static let cards = [
    #"{"pin":48151623421,"role":"member","word":"word"}"#,
    #"{"pin":1,"role":"hunter2-role","word":"word"}"#,
    #"{"pin":1,"role":"member","word":"hunter2-word"}"#,
  ]
}

/// Hides nothing.
struct OpenCard: Reducible, Codable, Equatable {
  var card = Strict.Card()
  enum Event: Codable, Equatable { case became(Strict.Card) }

  static func reduce(state: OpenCard, event: Event) -> OpenCard {
    switch event {
    case .became(let card): OpenCard(card: card)
    }
  }
}

/// Hides its card by rules.
struct RuledCard: Reducible, Codable, Equatable, Redactable {
  var card = Strict.Card()
  enum Event: Codable, Equatable { case became(Strict.Card) }

  static func reduce(state: RuledCard, event: Event) -> RuledCard {
    switch event {
    case .became(let card): RuledCard(card: card)
    }
  }

  static var redaction: RedactionRules { [.hide("/card"), .events("became")] }
}

/// Hides the values of its card by their type.
struct MarkedCard: Reducible, Codable, Equatable {
  struct Card: Codable, Equatable {
    @Redacted var pin: Int8 = 1
    @Redacted var role = Strict.Role.member
    @Redacted var word = Strict.Word()
  }

  var card = Card()
  enum Event: Codable, Equatable { case became(Card) }

  static func reduce(state: MarkedCard, event: Event) -> MarkedCard {
    switch event {
    case .became(let card): MarkedCard(card: card)
    }
  }
}

/// Takes a hidden text, and keeps nothing of it.
struct Forgetful: Reducible, Codable, Equatable {
  var count = 0
  enum Event: Codable, Equatable { case unlocked(Redacted<String>) }

  static func reduce(state: Forgetful, event: Event) -> Forgetful {
    Forgetful(count: state.count + 1)
  }
}
