/// Metrics in the text format of Prometheus.
///
/// ```swift
/// var text = MetricsText()
/// text.add("debugd_live_timelines", .gauge, "Timelines that a recorder writes.", 3)
/// ```
struct MetricsText {
  /// How a value behaves.
  enum Kind: String {
    /// It only grows while the daemon runs.
    case counter
    case gauge
  }

  /// The version is part of the media type.
  static let mediaType = "text/plain; version=0.0.4; charset=utf-8"

  private(set) var text = ""

  /// Adds a metric with one value.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, _ value: some LosslessStringConvertible
  ) {
    begin(name, kind, help)
    text += "\(name) \(value)\n"
  }

  /// Adds a metric with a value for each value of a label.
  mutating func add(
    _ name: String, _ kind: Kind, _ help: String, by label: String,
    _ values: KeyValuePairs<String, some LosslessStringConvertible>
  ) {
    begin(name, kind, help)
    for (key, value) in values {
      text += "\(name){\(label)=\"\(Self.escaped(key))\"} \(value)\n"
    }
  }

  private mutating func begin(_ name: String, _ kind: Kind, _ help: String) {
    text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
  }

  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text {
      switch character {
      case "\\": result += #"\\"#
      case "\"": result += #"\""#
      case "\n": result += #"\n"#
      default: result.append(character)
      }
    }
    return result
  }
}
