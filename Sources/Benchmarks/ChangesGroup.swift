import Foundation
import JSONCore
import TimelineStore

extension Group {
  /// Finds the entries that changed a value.
  static let changes = Group(
    name: "changes",
    summary: "the entries that changed a value, in ten million",
    metrics: [
      Metric(
        "changes.p99_ms_10m", "milliseconds for the last change of a value before a moment, p99",
        goal: .atMost(1)),
      Metric("changes.p50_ms_10m", "the same, p50"),
      Metric("changes.rare_ms_10m", "milliseconds, median, for a value that hardly ever changes"),
    ]
  ) { measure in
    let count = measure.isQuick ? 100_000 : 10_000_000
    let times = try StoredPayments.with(count: count) { payments in
      var (generator, times) = (SeededGenerator(seed: 17), ChangesTimes())
      for round in 0..<(measure.isQuick ? 1_000 : 5_000) {
        try await times.ask(payments, isRare: round % 10 == 0, &generator)
      }
      return times
    }
    let (often, rare) = (times.often, times.rare)
    return [
      "changes.p99_ms_10m": often.quantile(0.99),
      "changes.p50_ms_10m": often.quantile(0.5),
      "changes.rare_ms_10m": rare.quantile(0.5),
    ]
  }
}

/// The milliseconds to find the last change of a value before a moment.
struct ChangesTimes: Sendable {
  private(set) var often: [Double] = []
  private(set) var rare: [Double] = []

  /// Asks for a random moment and value.
  mutating func ask(
    _ payments: StoredPayments, isRare: Bool, _ generator: inout SeededGenerator
  ) async throws {
    let account = Int.random(in: 0..<StoredPayments.accountCount, using: &generator)
    let path = isRare ? "/state/settings/theme" : "/state/accounts/\(account)/balance"
    let seq = Int64.random(in: 100...Int64(payments.count), using: &generator)
    let query = ChangesQuery(path: try Pointer(path), .before(seq), limit: 1)
    let clock = ContinuousClock()
    let start = clock.now
    let answer = try await payments.store.changes(query, of: payments.id)
    let time = (clock.now - start) / .milliseconds(1)
    guard answer.changes.count == 1 || seq < 2_000 || isRare else {
      throw BenchmarkError("nothing changed \(path) before \(seq)")
    }
    if isRare { rare.append(time) } else { often.append(time) }
  }
}
