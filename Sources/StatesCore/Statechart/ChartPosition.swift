/// The complete state of a ``Statechart``: its active states and its value.
///
/// The next position follows from this one and the message alone.
///
/// ```swift
/// let position = ChartPosition(path: ["root", "loading"], value: 3)
/// assert(position.current == "loading")
/// ```
public struct ChartPosition<Value> {
  /// The names of the active states, from the root down; empty before the chart has started.
  public var path: [String]
  /// The chart's value.
  public var value: Value

  /// Makes a position.
  public init(path: [String], value: Value) {
    self.path = path
    self.value = value
  }

  /// The name of the current state; nil before the chart has started.
  public var current: String? { path.last }
}

extension ChartPosition: Sendable where Value: Sendable {}
extension ChartPosition: Equatable where Value: Equatable {}
extension ChartPosition: Hashable where Value: Hashable {}
extension ChartPosition: Encodable where Value: Encodable {}
extension ChartPosition: Decodable where Value: Decodable {}

/// The value of a chart without a value.
///
/// ```swift
/// let chart = try Statechart { On("pushed", goTo: "open"); ChartState("open") }
/// assert(chart.value == NoChartValue())
/// ```
public struct NoChartValue: Hashable, Sendable, Codable {
  /// Makes the only value.
  public init() {}
}
