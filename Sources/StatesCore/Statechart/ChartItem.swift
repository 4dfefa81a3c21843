/// A part of a chart in dictionary form: a state, a closure, or the name of a state to go to.
///
/// In the dictionary of a state, three keys are special: `enterState` and `exitState` are its
/// hooks, and `subStates` is a dictionary of its child states. Every other key is the name of a
/// message. The outermost dictionary has one state, `root`.
///
/// ```swift
/// let chart = try Statechart(chart: [
///   "root": [
///     "enterState": .run { $0.goTo("loading") },
///     "apiRespondedSuccessfully": "regularView",
///     "subStates": [
///       "regularView": [:],
///       "loading": [
///         "enterState": .run { context in context.perform { print("show the spinner") } },
///         "exitState": .run { context in context.perform { print("hide it") } },
///       ],
///     ],
///   ]
/// ])
/// try chart.send("apiRespondedSuccessfully")
/// assert(chart.current == "regularView")
/// ```
///
/// Wrap a dictionary that was built at run time: `.state(parts)`.
public struct ChartItem<Value> {
  private enum Kind {
    case goTo(String)
    case run(ChartHandler<Value>)
    case state([(key: String, value: ChartItem)])
  }

  private let kind: Kind

  /// Runs a closure.
  public static func run(_ body: @escaping ChartHandler<Value>) -> ChartItem {
    ChartItem(kind: .run(body))
  }

  /// Goes to a state; the name alone means the same.
  public static func goTo(_ target: String) -> ChartItem {
    ChartItem(kind: .goTo(target))
  }

  /// A state, or a dictionary of states; the order is that of the keys.
  public static func state(_ parts: [String: ChartItem]) -> ChartItem {
    ChartItem(kind: .state(parts.sorted { $0.key < $1.key }))
  }

  private init(kind: Kind) {
    self.kind = kind
  }

  /// The content of the root; throws if the dictionary has a problem.
  func rootContent() throws(ChartError) -> ChartContent<Value, ChartHandler<Value>> {
    guard case .state(let parts) = kind, let root = parts.first(where: { $0.key == "root" }) else {
      if case .state(let parts) = kind { throw .invalid([.missingRoot(found: parts.map(\.key))]) }
      throw .invalid([.missingRoot(found: [])])
    }
    return try root.value.content(at: ["root"])
  }

  private func content(
    at path: [String]
  ) throws(ChartError) -> ChartContent<Value, ChartHandler<Value>> {
    guard case .state(let parts) = kind else {
      throw .invalid([.misplaced(key: path.last ?? "", path: path.dropLast())])
    }
    var content: ChartContent<Value, ChartHandler<Value>> = ChartContent([])
    for (key, value) in parts {
      switch (key, value.kind) {
      case ("subStates", .state(let children)):
        for (name, child) in children {
          let below = try child.content(at: path + [name])
          content.parts.append(.state(ChartState(name, content: below)))
        }
      case ("subStates", _), (_, .state):
        throw .invalid([.misplaced(key: key, path: path)])
      case (_, .goTo(let target)):
        content.parts.append(part(key, .goTo(target)))
      case (_, .run(let body)):
        content.parts.append(part(key, .run(body, mayGoTo: nil)))
      }
    }
    return content
  }

  private func part(
    _ key: String, _ action: ChartAction<ChartHandler<Value>>
  ) -> ChartContent<Value, ChartHandler<Value>>.Part {
    switch key {
    case "enterState": .enter(action)
    case "exitState": .exit(action)
    default: .message(key, ChartReaction(payload: nil, action: action))
    }
  }
}

extension ChartItem: ExpressibleByStringLiteral {
  /// Goes to a state.
  public init(stringLiteral target: String) {
    self.init(kind: .goTo(target))
  }
}

extension ChartItem: ExpressibleByDictionaryLiteral {
  /// A state, or a dictionary of states, in the order in which they are written.
  public init(dictionaryLiteral parts: (String, ChartItem)...) {
    self.init(kind: .state(parts.map { (key: $0.0, value: $0.1) }))
  }
}
