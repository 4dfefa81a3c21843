import JSONCore
import RedactionSupport
import TestSupport
import Testing
import Timelines

@testable import Replaying

@Suite("Replaying: steps of a machine with redaction")
struct RedactedStepsTests {
  private static let rules = Account.redaction

  private func event(_ text: String) -> [UInt8] {
    let event: JSON = ["login": ["user": .string(text), "password": .string(text)]]
    return event.encoded()
  }

  @Test("the fast path writes the same as the reference implementation, and neither shows secrets")
  func generated() throws {
    for seed in UInt64(0)..<15 {
      var walk = AccountWalk(seed: seed)
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

  @Test("a key that was written before it became a secret is not in the path that removes it")
  func formerKeys() throws {
    var writer = EntryWriter<Account>(hasOutputs: true, redaction: Self.rules)
    var state = Account()
    // With others: a short object would be replaced as a whole.
    for number in 0..<9 { state.names["a name that stays \(number)"] = "a text that stays" }
    state.names["name hunter2-first"] = "known"
    let output = RecordedOutput("byName", json: try CanonicalEncoder().encode(state.names))
    var drafts: [EntryDraft] = []
    for (number, token) in ["", "hunter2-first"].enumerated() {
      state.token = token
      var draft = EntryDraft(seq: Int64(number), t: 0)
      try writer.capture(state, [output], into: &draft)
      drafts.append(draft)
    }
    let lines = drafts.map { String(decoding: $0.line, as: UTF8.self) }
    #expect(lines[0].contains("hunter2") && !lines[1].contains("hunter2"), "\(lines)")
    for (before, change, after) in [
      (drafts[0].state, drafts[1].patch, try writer.fullBytes().state),
      (drafts[0].outputState, drafts[1].outputs, try writer.fullBytes().outputs),
    ] {
      var value = try JSON(parsing: Array(before ?? []))
      try value.apply(Patch(JSON(parsing: Array(change ?? []))))
      #expect(try value == JSON(parsing: after))
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
