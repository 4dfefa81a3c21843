/// What a chart did with one message: which state handled it, and which states it exited and
/// entered.
///
/// ```swift
/// let chart = try Statechart { On("pushed", goTo: "open"); ChartState("open") }
/// try chart.send("pushed")
/// assert(chart.lastReport.handler == ["root"])
/// assert(chart.lastReport.entered == ["open"])
/// ```
public struct ChartReport: Hashable, Sendable, Codable {
  /// The path of the state whose handler ran; nil when the message was not handled.
  public var handler: [String]?
  /// Every state that was exited or entered, in order.
  public var visits: [ChartVisit] = []
  /// Every `goTo` that was completed, in the order of completion.
  public var moves: [ChartMove] = []

  init() {}

  /// The states that were exited, in order.
  public var exited: [String] { visits.filter { $0.kind == .exited }.map(\.state) }
  /// The states that were entered, in order.
  public var entered: [String] { visits.filter { $0.kind == .entered }.map(\.state) }
}

/// A state that was exited or entered.
///
/// ```swift
/// assert("\(ChartVisit(.entered, "loading"))" == "entered loading")
/// ```
public struct ChartVisit: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The two things that happen to a state.
  public enum Kind: String, Hashable, Sendable, Codable {
    /// The state was left.
    case exited
    /// The state became the current one.
    case entered
  }

  /// What happened to the state.
  public let kind: Kind
  /// The state's name.
  public let state: String

  /// Makes a visit.
  public init(_ kind: Kind, _ state: String) {
    self.kind = kind
    self.state = state
  }

  /// For example `entered loading`.
  public var description: String { "\(kind.rawValue) \(state)" }
}

/// A completed `goTo`, even one that went nowhere.
///
/// ```swift
/// let chart = try Statechart { On("pushed", goTo: "open"); ChartState("open") }
/// chart.onMove { move in print("from", move.from.last ?? "", "to", move.target) }
/// try chart.send("pushed")
/// ```
public struct ChartMove: Hashable, Sendable, Codable {
  /// The active path when the `goTo` began.
  public let from: [String]
  /// The target.
  public let target: String
  /// The active path when it was completed.
  ///
  /// It ends with the target, unless a hook moved the chart further.
  public let to: [String]
}
