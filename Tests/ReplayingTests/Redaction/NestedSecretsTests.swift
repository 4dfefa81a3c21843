import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Replaying

@Suite("Replaying: hidden values inside hidden values")
struct NestedSecretsTests {
  struct Card: Codable, Equatable, HasStandIn {
    var owner = ""
    @Redacted var number = ""
    @Redacted var notes: [String: String] = [:]
    static var standIn: Card { Card() }
  }

  struct Purse: Codable, Equatable {
    @Redacted var card = Card()
    @Redacted var cards: [String: Card] = [:]
    var wallet = Card()
    var spare = Card()
    var log: [String] = []
  }

  private enum Event: Codable { case paid(Redacted<Card>) }

  private static let rules: RedactionRules = [.hide(\Purse.wallet), .hide("/spare")]

  private struct Walk {
    var generator: SeededGenerator
    var purse = Purse()
    var event = Card()
    var secrets: [String] = []

    /// Puts a new secret into one place, and an earlier or the new one into the log.
    mutating func step() {
      let secret = "s\(Int.random(in: 10_000_000...4_000_000_000, using: &generator))k"
      secrets.append(secret)
      event = Card()
      switch Int.random(in: 0..<9, using: &generator) {
      case 0: purse.card.owner = secret
      case 1: purse.card.number = secret
      case 2: purse.card.notes = [secret: "a note"]
      case 3: purse.cards[secret] = Card()
      case 4: purse.cards["a card", default: Card()].number = secret
      case 5: purse.wallet.number = secret
      case 6: purse.wallet.notes["a key"] = secret
      case 7: purse.spare.notes = [secret: secret]
      default: event.number = secret
      }
      purse.log.append("saw \(secrets.randomElement(using: &generator) ?? "") and \(secret)")
      if purse.log.count > 5 { purse.log.removeFirst() }
    }
  }

  /// A value with all its secrets.
  private func open(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.userInfo[.revealsRedacted] = true
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  @Test("no secret is visible in any entry, and each is in the state or event that it was put into")
  func generated() throws {
    for seed in UInt64(0)..<15 {
      var walk = Walk(generator: SeededGenerator(seed: seed))
      var writer = EntryWriter<Purse>(hasOutputs: false, redaction: Self.rules)
      for number in 0..<60 {
        walk.step()
        var draft = EntryDraft(seq: Int64(number), t: 0)
        let event = Event.paid(Redacted(walk.event))
        try writer.capture(
          walk.purse, { [] }, event: { _ in try CanonicalEncoder().encode(event)[...] },
          into: &draft)
        var bare = walk.purse
        bare.log = []
        let hidden = try open(bare) + open(event)
        #expect(hidden.contains(walk.secrets[number]), "seed \(seed), step \(number)")
        for bytes in [draft.line, try writer.fullBytes().state] {
          let text = String(decoding: bytes, as: UTF8.self)
          let found = walk.secrets.filter(text.contains)
          #expect(found == [], "seed \(seed), step \(number): \(text)")
        }
      }
    }
  }

  @Test("a secret is known even if the encoding that has it writes only a part, or nothing, of it")
  func partial() throws {
    struct Digest: Encodable {
      var token = Redacted("hunter2-first")
      var log: [String]

      enum CodingKeys: String, CodingKey { case tokens, log }

      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let tokens = try JSONEncoder().encode([token])
        try container.encode(tokens.count, forKey: .tokens)
        try container.encode(log, forKey: .log)
      }
    }
    var writer = EntryWriter<Digest>(hasOutputs: false)
    var draft = EntryDraft(seq: 0, t: 0)
    try writer.capture(Digest(log: ["with hunter2-first"]), [], into: &draft)
    #expect(try JSON(parsing: writer.fullBytes().state)["log"] == ["with •••"])
    #expect(!String(decoding: draft.line, as: UTF8.self).contains("hunter2"))
  }

  @Test("the names of properties are not secrets")
  func names() throws {
    struct Profile: Codable, Equatable { var nickname = "ann-the-first" }
    struct Users: Codable {
      @Redacted var own: Profile? = Profile()
      var others = [Profile(nickname: "bob")]
    }
    var writer = EntryWriter<Users>(hasOutputs: false)
    var draft = EntryDraft(seq: 0, t: 0)
    try writer.capture(Users(), [], into: &draft)
    #expect(try JSON(parsing: writer.fullBytes().state)["others"] == [["nickname": "bob"]])
  }

  @Test("a state that is not Codable hides what is inside its hidden values, too")
  func reflected() throws {
    struct Lock: HasStandIn {
      var code = ""
      @Redacted var spare = ""
      static var standIn: Lock { Lock() }
    }
    struct Plain {
      @Redacted var card = Card()
      @Redacted var lock = Lock()
      var log = "paid with 4111-hidden, opened with code-7f and spare-8e"
    }
    var plain = Plain()
    plain.card.number = "4111-hidden"
    (plain.lock.code, plain.lock.spare) = ("code-7f", "spare-8e")
    var writer = EntryWriter<Reflected<Plain>>(hasOutputs: false)
    var draft = EntryDraft(seq: 0, t: 0)
    try writer.capture(Reflected(plain), [], into: &draft)
    let text = String(decoding: draft.line, as: UTF8.self)
    #expect(!text.contains("4111") && !text.contains("-7f") && !text.contains("-8e"), "\(text)")
    let state = try JSON(parsing: writer.fullBytes().state)
    #expect(state["log"] == "paid with •••, opened with ••• and •••")
    #expect(state["_lock"] == "redacted")
    #expect(draft.redacted.map(\.pointer.description).contains("/state/_lock"))
  }
}
