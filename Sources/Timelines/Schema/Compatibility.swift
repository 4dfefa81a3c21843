/// How well a recording's events fit today's types.
public struct Compatibility: Hashable, Sendable {
  /// What was found, in the order of the recording's cases.
  public var findings: [Finding]

  /// The worst of the findings; fine when there are none.
  public var grade: Grade { findings.map(\.grade).max() ?? .fine }

  /// How well something fits.
  public enum Grade: String, Comparable, Sendable {
    /// Every recorded event can be read and means the same.
    case fine
    /// Every recorded event is likely to be read, but something in it may be lost or made up.
    case risky
    /// Some events cannot be read.
    case impossible

    private var rank: Int {
      switch self {
      case .fine: 0
      case .risky: 1
      case .impossible: 2
      }
    }

    /// Whether the first fits better.
    public static func < (left: Grade, right: Grade) -> Bool { left.rank < right.rank }
  }

  /// One thing that differs.
  public struct Finding: Hashable, Sendable, CustomStringConvertible {
    /// How bad it is.
    public var grade: Grade

    /// Where: the case, then the keys down to the value.
    public var path: [String]

    /// What, as a sentence.
    public var text: String

    /// The sentence.
    public var description: String { text }
  }
}

extension EventSchema {
  /// Holds the schema of a recording against today's.
  ///
  /// Only what a recording may contain counts: a case that is new today is no difference.
  public static func compare(recorded: EventSchema, current: EventSchema) -> Compatibility {
    var comparison = SchemaComparison(recorded: recorded, current: current)
    comparison.run()
    return Compatibility(findings: comparison.findings)
  }
}
