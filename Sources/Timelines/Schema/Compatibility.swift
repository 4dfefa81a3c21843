/// How compatible a recording's events are with today's types.
public struct Compatibility: Hashable, Sendable {
  /// The findings, in the order of the recording's cases.
  public var findings: [Finding]

  /// The worst grade of the findings.
  public var grade: Grade { findings.map(\.grade).max() ?? .fine }

  /// A grade of compatibility.
  public enum Grade: String, Comparable, Sendable {
    /// Every recorded event can be decoded with the same meaning.
    case fine
    /// Every recorded event can probably be decoded, but values may be lost or replaced by defaults.
    case risky
    /// Some events cannot be decoded.
    case impossible

    private var rank: Int {
      switch self {
      case .fine: 0
      case .risky: 1
      case .impossible: 2
      }
    }

    /// Whether the first grade is better.
    public static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }
  }

  /// A difference.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// Its grade.
    public var grade: Grade

    /// The path: the case, then the keys.
    public var path: [String]

    /// A description.
    public var text: String

    /// The sentence.
    public var description: String { text }
  }
}

extension EventSchema {
  /// Compares the schema of a recording with today's.
  ///
  /// Only counts what a recording may contain: a new case is not a difference.
  public static func compare(recorded: EventSchema, current: EventSchema) -> Compatibility {
    var comparison = SchemaComparison(recorded: recorded, current: current)
    comparison.run()
    return Compatibility(findings: comparison.findings)
  }
}
