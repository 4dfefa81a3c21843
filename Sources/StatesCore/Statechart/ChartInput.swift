/// What a ``Statechart`` handles, as its middleware sees it: the start or a message, and its
/// effects.
///
/// ```swift
/// func describe(_ input: ChartInput) -> String {
///   "\(input.message?.name ?? "start"): \(input.report.visits)"
/// }
/// ```
public struct ChartInput: Sendable {
  /// What was sent; nil for the start of the chart.
  public let message: ChartMessage?
  /// What the chart did with it, known once it is handled.
  public internal(set) var report = ChartReport()
  /// The effects that were requested as values, in order.
  public internal(set) var effects: [any Sendable] = []

  /// The number of transitions and messages that led to this one without leaving the chart's own
  /// closures; 0 for an input from outside.
  ///
  /// It counts against ``ChartOptions/transitionLimit``, so it belongs to a recorded message.
  public let chained: Int

  /// Makes an input from a message, or the start of the chart.
  package init(_ message: ChartMessage?, chained: Int = 0) {
    self.message = message
    self.chained = chained
  }

  /// Whether this is a message that no state on the active path handles.
  public var isUnhandled: Bool { message != nil && report.handler == nil }
}

extension Origin {
  /// A statechart's own closures.
  ///
  /// A chart that replays the message before this one sends this one too, unless that is turned
  /// off.
  ///
  /// ```swift
  /// assert(Origin.chart.rawValue == "chart")
  /// ```
  public static var chart: Origin { Origin(rawValue: "chart") }
}
