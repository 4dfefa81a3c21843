/// A tree of named states that guides an app: you send it messages about what happened, and it
/// decides what to do about them.
///
/// A message goes to the current state, or otherwise to its nearest ancestor that handles it. A
/// handler may go to another state: the states in between are exited and entered one by one, and
/// their hooks run.
///
/// ```swift
/// struct Session: Codable { var items: [String] = [] }
/// let chart = try Statechart(Session()) {
///   OnEnter { $0.goTo("loading") }
///   On("apiResponded", goTo: "regular")
///   On("failed", String.self) { context, why in
///     context.value.items = [why]
///     context.goTo("regular")
///   }
///   ChartState("loading") {
///     OnEnter { context in context.perform { print("show the spinner") } }
///     OnExit { context in context.perform { print("hide it") } }
///   }
///   ChartState("regular")
/// }
/// try chart.send("apiResponded")
/// assert(chart.path == ["root", "regular"])
/// ```
///
/// The initializers check the chart but run nothing: ``start(file:line:sender:)`` or the first
/// message enters the root.
///
/// **Errors.** A message that no state handles, and a `goTo` to an unknown state, are ignored.
/// `send` throws if one operation makes more than ``ChartOptions/transitionLimit`` transitions, or
/// if a payload has the wrong type; you can continue to use the chart.
public final class Statechart<Value>: StateMachine {
  /// What the chart runs on.
  public let kernel: Kernel<ChartPosition<Value>, ChartInput>
  /// Where the chart's recordings can be replayed.
  public let replayability: ChartReplayability

  let engine: ChartEngine<Value>

  /// Makes a chart with a value, and checks it.
  public convenience init(
    _ value: Value, options: ChartOptions = ChartOptions(),
    @ChartBuilder<Value, ChartHandler<Value>> _ content: () -> ChartContent<
      Value, ChartHandler<Value>
    >
  ) throws(ChartError) {
    try self.init(value, ChartTree(root: content()), options, .onItsOwner)
  }

  /// Makes a chart without a value, and checks it.
  public convenience init(
    options: ChartOptions = ChartOptions(),
    @ChartBuilder<NoChartValue, ChartHandler<NoChartValue>> _ content: () -> ChartContent<
      NoChartValue, ChartHandler<NoChartValue>
    >
  ) throws(ChartError) where Value == NoChartValue {
    try self.init(NoChartValue(), ChartTree(root: content()), options, .onItsOwner)
  }

  /// Makes a chart from a definition that can be used anywhere, and checks it.
  ///
  /// ```swift
  /// let definition = ChartDefinition<Int> {
  ///   On("added", Int.self) { context, amount in context.value += amount }
  /// }
  /// let chart = try Statechart(0, definition)
  /// try chart.send("added", 2)
  /// assert(chart.value == 2)
  /// ```
  public convenience init(
    _ value: Value, _ definition: ChartDefinition<Value>, options: ChartOptions = ChartOptions()
  ) throws(ChartError) {
    try self.init(value, ChartTree(definition.tree) { $0 }, options, .anywhere)
  }

  /// Makes a chart from its dictionary form, and checks it.
  ///
  /// See ``ChartItem`` for the special keys.
  public convenience init(
    _ value: Value, chart: ChartItem<Value>, options: ChartOptions = ChartOptions()
  ) throws(ChartError) {
    let tree = ChartTree(root: try chart.rootContent())
    try self.init(value, tree, options, .notAtAll)
  }

  /// Makes a chart without a value from its dictionary form, and checks it.
  public convenience init(
    chart: ChartItem<NoChartValue>, options: ChartOptions = ChartOptions()
  ) throws(ChartError) where Value == NoChartValue {
    try self.init(NoChartValue(), chart: chart, options: options)
  }

  private init(
    _ value: Value, _ tree: ChartTree<ChartHandler<Value>>, _ options: ChartOptions,
    _ replayability: ChartReplayability
  ) throws(ChartError) {
    try tree.validate(options.checks, bubbles: options.bubbles)
    let engine = ChartEngine(tree: tree, options: options)
    self.engine = engine
    self.replayability = replayability
    kernel = Kernel(ChartPosition(path: [], value: value)) { kernel, input in
      engine.handle(input, in: kernel)
    }
  }

  /// The names of the active states from the root down, after the last step.
  public var path: [String] { kernel.state.path }
  /// The name of the current state after the last step; nil before the chart has started.
  public var current: String? { kernel.state.current }
  /// The chart's value after the last step.
  public var value: Value { kernel.state.value }
  /// Whether the chart has entered its root.
  public var isStarted: Bool { !path.isEmpty }
  /// How the chart treats messages and transitions.
  public var options: ChartOptions { engine.options }
  /// The report of the last message, or of the start.
  public var lastReport: ChartReport { engine.lastReport }
  /// The definition as data, with the edges that were followed so far.
  public var outline: ChartOutline { engine.tree.outline(observed: engine.observed) }

  /// The payload types that handlers of a message accept: what its payload can be decoded as.
  ///
  /// ```swift
  /// let chart = try Statechart { On("failed", String.self) { _, _ in } }
  /// assert(chart.payloadTypes(of: "failed").first == String.self)
  /// ```
  public func payloadTypes(of message: String) -> [any (Codable & Sendable).Type] {
    engine.tree.payloadTypes(of: message)
  }

  /// Throws if the declaration has problems, including those that were not checked when it was
  /// made.
  public func validate() throws(ChartError) {
    try engine.tree.validate(.all, bubbles: options.bubbles)
  }

  /// Enters the root, and follows its hooks; does nothing if the chart has already started.
  ///
  /// `sender` is the caller's actor, if the compiler knows it.
  @discardableResult
  public func start(
    file: StaticString = #fileID, line: UInt32 = #line, sender: (any Actor)? = #isolation
  ) throws(ChartError) -> SendAnswer {
    guard !isStarted else { return .handled }
    return try run(nil, at: CallSite(file: file, line: line), by: sender)
  }

  /// Handles a message and everything that is sent in response, or queues or refuses it.
  ///
  /// Starts the chart if necessary. `sender` is the caller's actor; the compiler fills it in.
  @discardableResult
  public func send(
    _ message: ChartMessage, file: StaticString = #fileID, line: UInt32 = #line,
    sender: (any Actor)? = #isolation
  ) throws(ChartError) -> SendAnswer {
    let site = CallSite(file: file, line: line)
    if !isStarted, !isHeld { _ = try run(nil, at: site, by: sender) }
    return try run(message, at: site, by: sender)
  }

  /// Handles a message that has only a name.
  @discardableResult
  public func send(
    _ name: String, file: StaticString = #fileID, line: UInt32 = #line,
    sender: (any Actor)? = #isolation
  ) throws(ChartError) -> SendAnswer {
    try send(ChartMessage(name), file: file, line: line, sender: sender)
  }

  /// Handles a message that has a payload.
  @discardableResult
  public func send(
    _ name: String, _ payload: some Codable & Sendable, file: StaticString = #fileID,
    line: UInt32 = #line, sender: (any Actor)? = #isolation
  ) throws(ChartError) -> SendAnswer {
    try send(ChartMessage(name, payload), file: file, line: line, sender: sender)
  }

  /// Handles a message on behalf of an inspector; the steps carry the errors.
  @discardableResult
  package func dispatch(
    _ message: ChartMessage, chained: Int = 0, at site: CallSite, origin: Origin,
    evenWhileHeld: Bool
  ) -> SendAnswer {
    kernel.send(
      ChartInput(message, chained: chained), at: site, origin: origin,
      evenWhileHeld: evenWhileHeld)
  }

  /// Turns `perform` off, for a chart that replays a recording.
  ///
  /// Without `messages`, this also drops the messages that its closures send, because a recording
  /// has a separate entry for each of them.
  package func stopEffects(keepingMessages messages: Bool) {
    engine.performsEffects = false
    engine.sendsMessages = messages
  }

  private func run(
    _ message: ChartMessage?, at site: CallSite, by sender: (any Actor)?
  ) throws(ChartError) -> SendAnswer {
    // Inside one of the chart's own closures: the message counts toward the operation that sent it.
    let chained = engine.operation.map { $0.transitions + 1 } ?? 0
    let input = ChartInput(message, chained: chained)
    guard !kernel.isBusy else {
      let isInside = engine.operation != nil
      guard engine.sendsMessages || !isInside else { return .refused }
      return kernel.send(input, at: site, origin: isInside ? .chart : .app)
    }
    engine.sender = sender
    defer { engine.sender = nil }
    // An error of a run without a caller, as after `resume()`, is in its step; it is not ours.
    _ = kernel.consumeFailure()
    let answer = kernel.send(input, at: site)
    if let error = kernel.consumeFailure() as? ChartError { throw error }
    return answer
  }

  /// The invariants that do not hold, as sentences; for tests, between two calls.
  package func checkInvariants() -> [String] {
    var violations = kernel.checkInvariants()
    if engine.operation != nil { violations.append("an idle chart has no current operation") }
    if !path.isEmpty, !engine.tree.nodes.contains(where: { $0.path == path }) {
      violations.append("the path leads from the root to a state")
    }
    return violations
  }
}
