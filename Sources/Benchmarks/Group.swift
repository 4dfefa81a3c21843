/// A number that a group measures, and its goal.
struct Metric: Sendable {
  /// The condition that the number should meet.
  enum Goal: Sendable {
    case atLeast(Double)
    case atMost(Double)
    case none
  }

  /// The name in results, `group.metric`.
  let name: String
  /// A description with the unit: "times faster than JSONEncoder".
  let unit: String
  let goal: Goal

  init(_ name: String, _ unit: String, goal: Goal = .none) {
    self.name = name
    self.unit = unit
    self.goal = goal
  }

  /// The goal as text; empty without one.
  var goalText: String {
    switch goal {
    case .atLeast(let bound): "≥ \(bound.shortText)"
    case .atMost(let bound): "≤ \(bound.shortText)"
    case .none: ""
    }
  }

  /// Whether a value meets the goal; `nil` without one.
  func isMet(by value: Double) -> Bool? {
    switch goal {
    case .atLeast(let bound): value >= bound
    case .atMost(let bound): value <= bound
    case .none: nil
    }
  }
}

/// Related measurements. To add a group, add a file and a line in `all`.
struct Group: Sendable {
  /// The name on the command line, and the first part of its metrics' names.
  let name: String
  let summary: String
  let metrics: [Metric]
  /// Whether it runs when no group is named.
  var runsByDefault = true

  /// Measures, and returns every metric's value by its name.
  let run: @Sendable (Measure) throws -> [String: Double]

  static let all: [Group] = [
    .encode, .decode, .patch, .machines, .ingest, .seek, .changes, .find, .storage, .record,
    .replay, .prove, .explore, .many, .large, .curves,
  ]
}
