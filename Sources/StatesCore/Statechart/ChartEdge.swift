/// A way from one state to another, declared or seen at run time.
///
/// ```swift
/// let chart = try Statechart { On("pushed", goTo: "open"); ChartState("open") }
/// let edge = ChartEdge(from: ["root"], to: "open", trigger: .message("pushed"))
/// assert(chart.outline.declared == [edge])
/// ```
public struct ChartEdge: Hashable, Sendable, Codable {
  /// The path of the state whose handler or hook goes there.
  public let from: [String]
  /// The name of the state it goes to.
  public let to: String
  /// What makes it go.
  public let trigger: ChartTrigger

  /// Names an edge.
  public init(from: [String], to: String, trigger: ChartTrigger) {
    self.from = from
    self.to = to
    self.trigger = trigger
  }
}

/// What runs a closure of a chart.
///
/// ```swift
/// assert("\(ChartTrigger.message("pushed"))" == "on \"pushed\"")
/// ```
public enum ChartTrigger: Hashable, Sendable, Codable, CustomStringConvertible {
  /// A message of that name.
  case message(String)
  /// The state is entered.
  case enter
  /// The state is exited.
  case exit

  /// In words, as part of a sentence.
  public var description: String {
    switch self {
    case .message(let name): "on \"\(name)\""
    case .enter: "when it is entered"
    case .exit: "when it is exited"
    }
  }
}
