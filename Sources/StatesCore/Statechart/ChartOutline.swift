/// A chart's definition as data, for drawing it.
///
/// ```swift
/// let chart = try Statechart {
///   OnEnter { $0.goTo("open") }
///   ChartState("open")
/// }
/// try chart.start()
/// assert(chart.outline.states.map(\.name) == ["root", "open"])
/// assert(chart.outline.observed.map(\.to) == ["open"])
/// ```
public struct ChartOutline: Hashable, Sendable, Codable {
  /// One state of a chart.
  public struct State: Hashable, Sendable, Codable {
    /// The last component of the path.
    public let name: String
    /// The names of the states from the root to this one.
    public let path: [String]
    /// The messages that it handles, in the order of declaration.
    public let messages: [Message]
    /// Whether it has an enter hook.
    public let hasEnterHook: Bool
    /// Whether it has an exit hook.
    public let hasExitHook: Bool
  }

  /// A message that a state handles.
  public struct Message: Hashable, Sendable, Codable {
    /// The message's name.
    public let name: String
    /// The name of the handler's payload type; nil if it has no payload.
    public let payload: String?
  }

  /// The states, breadth-first from the root.
  public let states: [State]
  /// The edges that the declaration names.
  public let declared: [ChartEdge]
  /// The edges that were followed so far, in the order in which they were first seen.
  public let observed: [ChartEdge]
}

extension ChartTree {
  /// The edges that the declaration names, state by state.
  var declaredEdges: [ChartEdge] {
    nodes.flatMap { node in
      node.actions.flatMap { trigger, action in
        (action.targets ?? []).map { ChartEdge(from: node.path, to: $0, trigger: trigger) }
      }
    }
  }

  /// The definition as data, with the edges that were seen.
  func outline(observed: [ChartEdge]) -> ChartOutline {
    let states = nodes.map { node in
      ChartOutline.State(
        name: node.name, path: node.path,
        messages: node.messages.map { name in
          let payload = node.reactions[name]?.payload
          return ChartOutline.Message(name: name, payload: payload.map { "\($0)" })
        },
        hasEnterHook: !node.enter.isEmpty, hasExitHook: !node.exit.isEmpty)
    }
    return ChartOutline(states: states, declared: declaredEdges, observed: observed)
  }
}
