import JSONCore
import Replaying
import Timelines

/// The cost of redaction in writing an entry: the same machine with and without a redaction rule.
struct RedactedEntries {
  private struct Ledger: Codable {
    struct Row: Codable {
      var id: Int
      var text: String
      var amount: Int
    }
    var token = ""
    /// 100 KB with the keys.
    var rows = (0..<1_500).map {
      Row(id: $0, text: "an entry of the ledger, number \($0)", amount: $0 % 100)
    }
  }

  private let measure: Measure

  init(_ measure: Measure) { self.measure = measure }

  /// Entries with one change each, after 1,000 texts were hidden; includes keyframes.
  func measure(into values: inout [String: Double]) throws {
    var plain = EntryWriter<Ledger>(hasOutputs: false)
    var redacted = EntryWriter<Ledger>(hasOutputs: false, redaction: [.hide(\Ledger.token)])
    var state = Ledger()
    for number in 0..<1_000 {
      state.token = "token-\(number)-\(number &* 2_654_435_761 % 1_000_003)"
      try write(state, &redacted)
      if number == 999 { try write(state, &plain) }
    }
    var other = state
    other.rows[700].amount += 1
    let states = [other, state]
    var (plainStep, redactedStep) = (0, 0)
    let times = try measure.inTurns([
      {
        try write(states[plainStep & 1], &plain)
        plainStep += 1
      },
      {
        try write(states[redactedStep & 1], &redacted)
        redactedStep += 1
      },
    ])
    let shown = try redacted.fullBytes().state
    guard try JSON(parsing: shown)["token"] == "" else {
      throw BenchmarkError("a token is visible")
    }
    values["record.redacted_vs_plain"] = times[1] / times[0]
  }

  private func write(_ state: Ledger, _ writer: inout EntryWriter<Ledger>) throws {
    var draft = EntryDraft(seq: 1, t: 0)
    draft.event = Self.event[...]
    try writer.capture(state, [], into: &draft)
    use(draft.line)
  }

  private static let event = Array(#"{"paid":{"row":700}}"#.utf8)
}
