/// What a handler or hook does.
enum ChartAction<Handler> {
  case goTo(String)
  /// Runs a closure; if the targets are nil, it may go anywhere.
  case run(Handler, mayGoTo: [String]?)

  /// The declared targets, if any.
  var targets: [String]? {
    switch self {
    case .goTo(let target): [target]
    case .run(_, let targets): targets
    }
  }

  func mapped<Other>(_ convert: (Handler) -> Other) -> ChartAction<Other> {
    switch self {
    case .goTo(let target): .goTo(target)
    case .run(let handler, let targets): .run(convert(handler), mayGoTo: targets)
    }
  }
}

extension ChartAction: Sendable where Handler: Sendable {}

/// How a state handles one message.
struct ChartReaction<Handler> {
  /// The handler's payload type.
  let payload: (any (Codable & Sendable).Type)?
  let action: ChartAction<Handler>
}

extension ChartReaction: Sendable where Handler: Sendable {}

/// The states of a chart as a table, breadth-first: the first state with a name is the one that a
/// breadth-first search from the root finds.
struct ChartTree<Handler> {
  /// One state.
  struct Node {
    let name: String
    /// The names from the root to this state.
    let path: [String]
    /// The positions in the table from the root to this state: a state's identity is its position.
    let lineage: [Int]
    var messages: [String] = []
    var reactions: [String: ChartReaction<Handler>] = [:]
    var enter: [ChartAction<Handler>] = []
    var exit: [ChartAction<Handler>] = []

    var parent: Int? { lineage.dropLast().last }

    /// Every action of the state, with its trigger.
    var actions: [(ChartTrigger, ChartAction<Handler>)] {
      enter.map { (.enter, $0) } + exit.map { (.exit, $0) }
        + messages.compactMap { name in
          reactions[name].map { (.message(name), $0.action) }
        }
    }
  }

  static var root: Int { 0 }

  private(set) var nodes: [Node] = []
  /// The position of each state, by name.
  private(set) var index: [String: Int] = [:]
  /// Handlers that can never run, because their state has an earlier one for the same message.
  private(set) var repeatedHandlers: [ChartProblem] = []
  /// Children with the same name as an earlier child of the same parent.
  private(set) var repeatedChildren: [ChartProblem] = []

  init<Value>(root content: ChartContent<Value, Handler>, named name: String = "root") {
    var queue = [(name: name, parent: Int?.none, content: content)]
    var head = 0
    while head < queue.count {
      let next = queue[head]
      head += 1
      let position = nodes.count
      let parent = next.parent.map { nodes[$0] }
      var node = Node(
        name: next.name, path: (parent?.path ?? []) + [next.name],
        lineage: (parent?.lineage ?? []) + [position])
      var children: Set<String> = []
      for part in next.content.parts {
        switch part {
        case .enter(let action): node.enter.append(action)
        case .exit(let action): node.exit.append(action)
        case .message(let message, let reaction):
          if node.reactions[message] != nil {
            repeatedHandlers.append(.duplicateHandler(message: message, path: node.path))
          } else {
            node.reactions[message] = reaction
            node.messages.append(message)
          }
        case .state(let state):
          if !children.insert(state.name).inserted {
            let path = node.path + [state.name]
            repeatedChildren.append(.duplicateName(state.name, paths: [path, path]))
          }
          queue.append((state.name, position, state.content))
        }
      }
      if index[node.name] == nil { index[node.name] = position }
      nodes.append(node)
    }
  }

  /// The same states with handlers of another type.
  init<Other>(_ other: ChartTree<Other>, _ convert: (Other) -> Handler) {
    nodes = other.nodes.map { node in
      var copy = Node(name: node.name, path: node.path, lineage: node.lineage)
      copy.messages = node.messages
      copy.reactions = node.reactions.mapValues {
        ChartReaction(payload: $0.payload, action: $0.action.mapped(convert))
      }
      copy.enter = node.enter.map { $0.mapped(convert) }
      copy.exit = node.exit.map { $0.mapped(convert) }
      return copy
    }
    index = other.index
    repeatedHandlers = other.repeatedHandlers
    repeatedChildren = other.repeatedChildren
  }

  /// The child of `position` on the path down to `target`; nil if `target` is not below it.
  func step(from position: Int, toward target: Int) -> Int? {
    let depth = nodes[position].lineage.count
    let lineage = nodes[target].lineage
    guard lineage.count > depth, lineage[depth - 1] == position else { return nil }
    return lineage[depth]
  }

  /// The state at the end of a path, or the deepest one on it that exists; nil for an empty path.
  func position(at path: [String]) -> Int? {
    guard !path.isEmpty else { return nil }
    // A restored path may come from another version of the chart.
    var best = Self.root
    for (position, node) in nodes.enumerated() where path.starts(with: node.path) {
      if node.path.count > nodes[best].path.count { best = position }
    }
    return best
  }

  /// The state that handles a message sent to `position`.
  func handler(of message: String, at position: Int, bubbles: Bool) -> Int? {
    guard bubbles else { return nodes[position].reactions[message].map { _ in position } }
    return nodes[position].lineage.last { nodes[$0].reactions[message] != nil }
  }
}

extension ChartTree.Node: Sendable where Handler: Sendable {}
extension ChartTree: Sendable where Handler: Sendable {}
