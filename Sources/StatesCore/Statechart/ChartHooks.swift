/// A closure of a chart that belongs to its owner, and may use whatever the owner may use.
///
/// ```swift
/// let counting: ChartHandler<Int> = { context in context.value += 1 }
/// let chart = try Statechart(0) { On("pushed", counting) }
/// try chart.send("pushed")
/// assert(chart.value == 1)
/// ```
public typealias ChartHandler<Value> = (ChartContext<Value>) -> Void

/// A closure of a chart that can run anywhere, because it captures nothing from an actor.
///
/// ```swift
/// let counting: SendableChartHandler<Int> = { context in context.value += 1 }
/// let chart = try Statechart(0, ChartDefinition { On("pushed", counting) })
/// try chart.send("pushed")
/// assert(chart.value == 1)
/// ```
public typealias SendableChartHandler<Value> = @Sendable (ChartContext<Value>) -> Void

/// A hook that runs when a state has become the current one.
///
/// Several of them in one state run in the order of declaration.
///
/// ```swift
/// let chart = try Statechart(0) {
///   OnEnter { $0.value += 1 }
///   OnEnter(goTo: "ready")
///   ChartState("ready")
/// }
/// try chart.start()
/// assert(chart.value == 1 && chart.current == "ready")
/// ```
public struct OnEnter<Value, Handler> {
  let action: ChartAction<Handler>

  /// Goes to a state.
  public init(goTo target: String) {
    action = .goTo(target)
  }
}

extension OnEnter where Handler == ChartHandler<Value> {
  /// Runs a closure; `mayGoTo` declares where it may go, nil says nothing about that.
  public init(mayGoTo targets: [String]? = nil, _ body: @escaping ChartHandler<Value>) {
    action = .run(body, mayGoTo: targets)
  }
}

extension OnEnter where Handler == SendableChartHandler<Value> {
  /// Runs a closure; `mayGoTo` declares where it may go, nil says nothing about that.
  public init(mayGoTo targets: [String]? = nil, _ body: @escaping SendableChartHandler<Value>) {
    action = .run(body, mayGoTo: targets)
  }
}

/// A hook that runs when a state was left and its parent is the current one.
///
/// Several of them in one state run in the order of declaration. The root is never exited.
///
/// ```swift
/// let chart = try Statechart {
///   On("pushed", goTo: "open")
///   On("pulled", goTo: "root")
///   ChartState("open") {
///     OnExit { context in assert(context.current == "root") }
///   }
/// }
/// try chart.send("pushed")
/// try chart.send("pulled")
/// ```
public struct OnExit<Value, Handler> {
  let action: ChartAction<Handler>

  /// Goes to a state.
  public init(goTo target: String) {
    action = .goTo(target)
  }
}

extension OnExit where Handler == ChartHandler<Value> {
  /// Runs a closure; `mayGoTo` declares where it may go, nil says nothing about that.
  public init(mayGoTo targets: [String]? = nil, _ body: @escaping ChartHandler<Value>) {
    action = .run(body, mayGoTo: targets)
  }
}

extension OnExit where Handler == SendableChartHandler<Value> {
  /// Runs a closure; `mayGoTo` declares where it may go, nil says nothing about that.
  public init(mayGoTo targets: [String]? = nil, _ body: @escaping SendableChartHandler<Value>) {
    action = .run(body, mayGoTo: targets)
  }
}
