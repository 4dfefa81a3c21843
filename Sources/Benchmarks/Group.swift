/// A number that a group measures, and what it should be.
struct Metric: Sendable {
  /// Which side of the goal is good.
  enum Goal: Sendable {
    case atLeast(Double)
    case atMost(Double)
    /// Watched, without a goal.
    case none
  }

  /// The name in results, `group.what`.
  let name: String
  /// What the number counts, with its direction: "times faster than JSONEncoder".
  let unit: String
  let goal: Goal

  init(_ name: String, _ unit: String, goal: Goal = .none) {
    self.name = name
    self.unit = unit
    self.goal = goal
  }

  /// The goal in words; empty without one.
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

/// Measurements that belong together. A new group is a new file and a line in `all`.
struct Group: Sendable {
  /// The name on the command line, and the first part of its metrics' names.
  let name: String
  let summary: String
  let metrics: [Metric]

  /// Measures, and gives every metric's value by its name.
  let run: @Sendable (Measure) throws -> [String: Double]

  /// Every group there is.
  static let all: [Group] = [
    .encode, .decode, .patch, .machines, .ingest, .seek, .changes, .find, .storage, .record,
    .replay, .prove,
  ]
}
