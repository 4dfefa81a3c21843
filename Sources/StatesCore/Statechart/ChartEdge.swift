/// An edge from one state to another, declared or seen at run time.
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
  /// The trigger of the transition.
  public let trigger: ChartTrigger

  /// Makes an edge.
  public init(from: [String], to: String, trigger: ChartTrigger) {
    self.from = from
    self.to = to
    self.trigger = trigger
  }
}

/// What makes a chart run one of its closures.
///
/// ```swift
/// assert("\(ChartTrigger.message("pushed"))" == "on \"pushed\"")
/// ```
public enum ChartTrigger: Hashable, Sendable, CustomStringConvertible {
  /// A message with that name.
  case message(String)
  /// The state is entered.
  case enter
  /// The state is exited.
  case exit

  /// The trigger as part of a sentence.
  public var description: String {
    switch self {
    case .message(let name): "on \"\(name)\""
    case .enter: "when it is entered"
    case .exit: "when it is exited"
    }
  }
}

extension ChartTrigger: Codable {
  private enum CodingKeys: String, CodingKey { case message }

  /// Reads `"enter"`, `"exit"` or `{"message": name}`.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .message(try container.decode(String.self, forKey: .message))
      return
    }
    let container = try decoder.singleValueContainer()
    switch try container.decode(String.self) {
    case "enter": self = .enter
    case "exit": self = .exit
    case let other:
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "\(other) is neither enter nor exit.")
    }
  }

  /// Writes `"enter"`, `"exit"` or `{"message": name}`.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .message(let name):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .message)
    case .enter, .exit:
      var container = encoder.singleValueContainer()
      try container.encode(self == .enter ? "enter" : "exit")
    }
  }
}
