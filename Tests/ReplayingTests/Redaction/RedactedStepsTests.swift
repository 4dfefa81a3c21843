import JSONCore
import TestSupport
import Testing
import Timelines

@testable import Replaying

/// A state that shows its secrets in many places.
private struct Account: Codable {
  struct Row: Codable, Equatable {
    var id = 0
    var note = ""
    @Redacted var key = ""
  }
  var token = ""
  var pin = 0
  var rows: [Row] = []
  var names: [String: String] = [:]
  var log: [String] = []
  var number = 0
  @Redacted var phrase = ""
}

/// A seeded walk through such states.
private struct Walk {
  var generator: SeededGenerator
  var state = Account()
  /// The secrets so far, which must not be visible.
  var secrets: [String] = []

  mutating func secret() -> String {
    // Sometimes an earlier one.
    if Int.random(in: 0..<4, using: &generator) == 0,
      let old = secrets.randomElement(using: &generator)
    {
      return old
    }
    let text = "s\(Int.random(in: 10_000_000...4_000_000_000, using: &generator))k"
    secrets.append(text)
    return text
  }

  /// A visible text, sometimes a secret.
  mutating func text() -> String {
    let known = secrets.randomElement(using: &generator) ?? "wörld9"
    return ["hello", "of \(known)!", "\(known)", "\(number())", ""].randomElement(using: &generator)
      ?? ""
  }

  mutating func number() -> Int { Int.random(in: 0..<100, using: &generator) }

  mutating func step() {
    let index = state.rows.indices.randomElement(using: &generator) ?? 0
    switch Int.random(in: 0..<15, using: &generator) {
    case 0: state.token = secret()
    case 1:
      state.pin = Int.random(in: 100_000...99_999_999, using: &generator)
      secrets.append("\(state.pin)".trimmingZeros)
    case 2: state.phrase = secret()
    case 3: state.rows.append(.init(id: number(), note: text(), key: secret()))
    case 4: state.rows.append(.init(id: number(), note: text()))
    case 5: state.rows.insert(.init(id: number(), note: text()), at: index)
    case 6 where !state.rows.isEmpty: state.rows.remove(at: index)
    case 7 where !state.rows.isEmpty: state.rows[index].note = text()
    case 8 where !state.rows.isEmpty: state.rows[index].key = secret()
    case 9: state.names["k\(number() % 5)"] = text()
    case 10:
      if let old = secrets.randomElement(using: &generator), old.utf8.count >= 8 {
        state.names["name \(old)"] = "known"
      }
    case 11: state.names["k\(number() % 5)"] = nil
    case 12: state.number = number()
    case 13: state.number = state.pin
    default: state.log.append(text())
    }
    if state.log.count > 12 { state.log.removeFirst() }
    if state.names.count > 6 { state.names = [:] }
  }
}

extension String {
  fileprivate var trimmingZeros: String {
    var digits = self
    while digits.count > 6, digits.hasSuffix("0") { digits.removeLast() }
    return digits
  }
}

@Suite("Replaying: steps of a machine with redaction")
struct RedactedStepsTests {
  private static let rules: RedactionRules = [
    .hide(\Account.token), .hide("/pin"), .hide("/names/k1"), .events("login", "/password"),
  ]

  private func event(_ text: String) -> [UInt8] {
    let event: JSON = ["login": ["user": .string(text), "password": .string(text)]]
    return event.encoded()
  }

  @Test("the fast path writes the same as the reference implementation, and neither shows secrets")
  func generated() throws {
    for seed in UInt64(0)..<15 {
      var walk = Walk(generator: SeededGenerator(seed: seed))
      var quick = RedactedEncoder<Account>(Self.rules, encoder: CanonicalEncoder())
      var plain = RedactedEncoder<Account>(
        Self.rules, encoder: CanonicalEncoder(), readsAll: true)
      var followed: JSON?
      for number in 0..<100 {
        walk.step()
        let state = walk.state
        let login = walk.text()
        if login.unicodeScalars.count >= 4 { walk.secrets.append(login) }
        let outputs = {
          [RecordedOutput("header", json: JSON.string("t \(state.token)").encoded())]
        }
        func entry(_ encoder: inout RedactedEncoder<Account>) throws -> EntryDraft {
          var draft = EntryDraft(seq: Int64(number), t: 0)
          draft.error = "failed with \(login)"
          try encoder.capture(state, outputs, { _ in event(login)[...] }, true, into: &draft)
          return draft
        }
        let one = try entry(&quick)
        let other = try entry(&plain)
        let patch = try Patch(JSON(parsing: Array(one.patch ?? [])))
        var next = followed ?? .null
        try next.apply(patch)
        followed = next
        #expect(try next == JSON(parsing: quick.bytes), "seed \(seed), step \(number)")
        #expect(try next == JSON(parsing: plain.bytes), "seed \(seed), step \(number)")
        #expect(one.event == other.event && one.error == other.error)
        #expect(one.outputs == other.outputs)
        #expect(Set(one.redacted) == Set(other.redacted), "seed \(seed), step \(number)")
        for bytes in [one.line, quick.bytes, quick.outputs.bytes] {
          // Secrets do not have characters that JSON escapes.
          let text = String(decoding: bytes, as: UTF8.self)
          for secret in walk.secrets where text.utf8.count >= secret.utf8.count {
            #expect(!text.contains(secret), "seed \(seed), step \(number): \(secret) in \(text)")
          }
        }
      }
    }
  }

  @Test("the first secret is still hidden after hundreds of others")
  func rotation() throws {
    var writer = EntryWriter<Account>(hasOutputs: false, redaction: Self.rules)
    var state = Account()
    state.log = ["login with hunter2-first"]
    var lines: [String] = []
    for number in 0..<400 {
      state.token = number == 0 ? "hunter2-first" : "rotated-\(number)"
      state.number = number
      var draft = EntryDraft(seq: Int64(number), t: 0)
      try writer.capture(state, [], into: &draft)
      lines.append(String(decoding: draft.line, as: UTF8.self))
    }
    #expect(lines.allSatisfy { !$0.contains("hunter2-first") && !$0.contains("rotated-") })
    let bytes = try writer.fullBytes().state
    #expect(try JSON(parsing: bytes)["log"] == ["login with •••"])
  }

  @Test("a hidden number is masked in outputs, texts, and events")
  func numbers() throws {
    var writer = EntryWriter<Account>(hasOutputs: true, redaction: [.hide(\Account.pin)])
    var state = Account()
    state.pin = 4_111_222_233_334_444
    state.number = 4_111_222_233_334_444
    state.log = ["pin 4111 2222 3333 4444 or 4111222233334444"]
    var draft = EntryDraft(seq: 0, t: 0)
    let event: JSON = ["typed": 4_111_222_233_334_444]
    draft.event = event.encoded()[...]
    let output = JSON.string("pin=4111222233334444").encoded()
    try writer.capture(state, [RecordedOutput("pin", json: output)], into: &draft)
    let line = String(decoding: draft.line, as: UTF8.self)
    #expect(!line.contains("4111"), "\(line)")
    #expect(
      Set(draft.redacted.map(\.pointer.description)).isSuperset(of: [
        "/state/pin", "/state/number", "/state/log/0", "/outputs/pin", "/event/typed",
      ]))
  }

  @Test("the next timeline of a machine hides the secrets of the previous one")
  func memory() throws {
    var first = EntryWriter<Account>(hasOutputs: false, redaction: Self.rules)
    var state = Account()
    state.token = "hunter2-first"
    var draft = EntryDraft(seq: 0, t: 0)
    try first.capture(state, [], into: &draft)
    state.token = ""
    state.log = ["it was hunter2-first"]
    var second = EntryWriter<Account>(hasOutputs: false, redaction: Self.rules)
    second.redactionMemory = first.redactionMemory
    draft = EntryDraft(seq: 0, t: 0)
    try second.capture(state, [], into: &draft)
    #expect(!String(decoding: draft.line, as: UTF8.self).contains("hunter2"))
  }

  @Test("a step reads the whole state only if it hides a new value or changes a hidden one")
  func cost() throws {
    struct Counted: Codable {
      var token = "hunter2-first"
      var rows = (0..<500).map { Account.Row(id: $0, note: "row \($0)") }
      var number = 0
    }
    var encoder = RedactedEncoder<Counted>(
      [.hide(\Counted.token)], encoder: CanonicalEncoder())
    var state = Counted()
    try encoder.start(state) { [] }
    for number in 1...50 {
      state.rows[number].note = "changed \(number)"
      var draft = EntryDraft(seq: Int64(number), t: 0)
      try encoder.capture(state, { [] }, nil, true, into: &draft)
      #expect((draft.patch?.count ?? .max) < 100)
    }
    #expect(encoder.fullReads == 1)
    state.token = "rotated-1"
    var draft = EntryDraft(seq: 51, t: 0)
    try encoder.capture(state, { [] }, nil, true, into: &draft)
    #expect(encoder.fullReads == 2)
  }
}
