import Foundation
import JSONCore

extension Group {
  /// What grows with the number of entries, and with the size of the state: the points of the charts
  /// in docs/performance.md.
  static let curves = Group(
    name: "curves",
    summary: "the points of the charts: answers by entries, and entries by the size of the state",
    metrics: AnswerCurve.metrics + EntryCurve.metrics,
    runsByDefault: false
  ) { measure in
    var values = try EntryCurve.measure(measure)
    for point in AnswerCurve.points(isQuick: measure.isQuick) {
      values.merge(try AnswerCurve.measure(point, isQuick: measure.isQuick)) { $1 }
    }
    return values
  }
}

/// How long an answer takes, by the number of entries.
private enum AnswerCurve {
  struct Point {
    let name: String
    let count: Int
  }

  static func points(isQuick: Bool) -> [Point] {
    zip(["10k", "100k", "1m", "10m"], [10_000, 100_000, 1_000_000, 10_000_000]).map {
      Point(name: $0, count: isQuick ? $1 / 10 : $1)
    }
  }

  static var metrics: [Metric] {
    points(isQuick: false).flatMap { point in
      [
        Metric("curves.seek_p50_ms_\(point.name)", "milliseconds to the state at a random entry"),
        Metric("curves.seek_p99_ms_\(point.name)", "the same, 99th percentile"),
        Metric("curves.changes_p50_ms_\(point.name)", "milliseconds to who set a value"),
        Metric("curves.changes_p99_ms_\(point.name)", "the same, 99th percentile"),
      ]
    }
  }

  static func measure(_ point: Point, isQuick: Bool) throws -> [String: Double] {
    let looks = isQuick ? 300 : 3_000
    let (seek, changes) = try StoredPayments.with(count: point.count) { payments in
      var (seek, changes) = (SeekTimes(), ChangesTimes())
      var generator = SeededGenerator(seed: 23)
      for _ in 0..<looks {
        try await seek.read(into: payments, &generator)
        try await changes.ask(payments, isRare: false, &generator)
      }
      return (seek.states, changes.often)
    }
    return [
      "curves.seek_p50_ms_\(point.name)": seek.quantile(0.5) * 1e3,
      "curves.seek_p99_ms_\(point.name)": seek.quantile(0.99) * 1e3,
      "curves.changes_p50_ms_\(point.name)": changes.quantile(0.5),
      "curves.changes_p99_ms_\(point.name)": changes.quantile(0.99),
    ]
  }
}

/// How much processor time one changed number costs, by the size of the state.
private enum EntryCurve {
  /// An item has about 110 bytes as JSON.
  private static let sizes = [
    ("1kb", 9), ("10kb", 90), ("100kb", 900), ("1mb", 9_000), ("10mb", 90_000),
  ]

  static var metrics: [Metric] {
    sizes.flatMap { size, _ in
      [
        Metric("curves.patch_us_\(size)", "µs to find and encode one changed item"),
        Metric("curves.copy_us_\(size)", "µs to copy the list of items"),
        Metric("curves.jsonencoder_us_\(size)", "µs for the whole state with JSONEncoder"),
      ]
    }
  }

  static func measure(_ measure: Measure) throws -> [String: Double] {
    var values: [String: Double] = [:]
    for (size, count) in sizes.prefix(measure.isQuick ? 4 : 5) {
      let first = LargeState(seed: 1, count: count)
      let states = [first, first.changed(at: count / 2)]
      var encoder = IncrementalEncoder<LargeState>()
      try encoder.start(states[0])
      let foundation = JSONEncoder()
      var next = 0
      let times = try measure.inTurns([
        {
          next = 1 - next
          use(try encoder.advance(to: states[next]))
        },
        { use(states[0].unshared) },
        { use(try foundation.encode(states[0])) },
      ])
      values["curves.patch_us_\(size)"] = times[0] / 1e3
      values["curves.copy_us_\(size)"] = times[1] / 1e3
      values["curves.jsonencoder_us_\(size)"] = times[2] / 1e3
    }
    for (size, _) in sizes.dropFirst(measure.isQuick ? 4 : 5) {
      for name in ["patch", "copy", "jsonencoder"] { values["curves.\(name)_us_\(size)"] = .nan }
    }
    return values
  }
}
