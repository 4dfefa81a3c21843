/// The context of handlers and hooks: the chart's current state, its transitions, and its value.
///
/// Decisions are made through the context, so they can be made again from a recording. What touches
/// the world goes into ``perform(_:)``: it runs after the observers, in the live chart only.
///
/// A context is valid for the message it was made for. After that it can still
/// `send(_:file:line:)`, but everything else does nothing.
///
/// ```swift
/// let chart = try Statechart(0) {
///   On("pushed") { context in
///     context.value += 1
///     context.perform { print("beep") }
///     if context.value == 3 { context.goTo("open") }
///   }
///   ChartState("open")
/// }
/// for _ in 1...3 { try chart.send("pushed") }
/// assert(chart.current == "open")
/// ```
public final class ChartContext<Value> {
  /// The chart's value; changes take effect when the message has been handled.
  public var value: Value
  /// The message that is being handled; nil while the chart starts.
  public var message: ChartMessage? { input.message }
  /// The name of the current state, even in the middle of a transition.
  public var current: String { engine.tree.nodes[position].name }
  /// The names of the active states from the root down, even in the middle of a transition.
  public var path: [String] { engine.tree.nodes[position].path }

  let engine: ChartEngine<Value>
  private weak var kernel: Kernel<ChartPosition<Value>, ChartInput>?

  /// The current state, as a position in the engine's tree.
  var position: Int
  /// The input, with the report as far as it is known.
  var input: ChartInput
  /// The error that ended the operation early.
  private(set) var failure: ChartError?
  /// Targets that wait for the running transition to end.
  var pending: [Int] = []
  /// The nesting depth of the running transitions and hooks.
  var depth = 0
  /// The number of transitions made, including those that led to this operation.
  var transitions: Int
  /// The states the operation went to, starting with the one in which it began.
  var trail: [String] = []
  /// The state whose closure runs, and why.
  var owner = (state: ChartTree<ChartHandler<Value>>.root, trigger: ChartTrigger.enter)
  var isOpen = true

  init(
    _ input: ChartInput, at position: Int, engine: ChartEngine<Value>,
    kernel: Kernel<ChartPosition<Value>, ChartInput>
  ) {
    self.input = input
    self.position = position
    self.engine = engine
    self.kernel = kernel
    value = kernel.state.value
    transitions = input.chained
  }

  /// Goes to a state; returns whether the chart has a state with that name, and otherwise does
  /// nothing.
  ///
  /// In a handler, the chart is in that state when this returns. In a hook, it goes there after the
  /// running transition or immediately, depending on ``ChartOptions/dispatch``.
  @discardableResult
  public func goTo(_ name: String) -> Bool {
    guard isOpen, failure == nil, let target = engine.tree.index[name] else { return false }
    engine.observe(from: owner.state, to: target, trigger: owner.trigger)
    if depth > 0, engine.options.dispatch == .queued {
      pending.append(target)
    } else {
      travel(to: target)
      travelOn()
    }
    return true
  }

  /// Sends the chart a message: it is handled after every observer has seen the current one.
  @discardableResult
  public func send(
    _ message: ChartMessage, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    guard let kernel, engine.sendsMessages else { return .refused }
    let next = ChartInput(message, chained: isOpen ? transitions + 1 : 0)
    return kernel.send(
      next, at: CallSite(file: file, line: line), origin: isOpen ? .chart : .app)
  }

  /// Sends the chart a message without a payload.
  @discardableResult
  public func send(
    _ name: String, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    send(ChartMessage(name), file: file, line: line)
  }

  /// Sends the chart a message that has a payload.
  @discardableResult
  public func send(
    _ name: String, _ payload: some Codable & Sendable, file: StaticString = #fileID,
    line: UInt32 = #line
  ) -> SendAnswer {
    send(ChartMessage(name, payload), file: file, line: line)
  }

  /// Runs a side effect after the observers: only in the live chart, and never while it is held.
  public func perform(_ effect: @escaping () -> Void) {
    guard isOpen, engine.performsEffects else { return }
    kernel?.perform(effect)
  }

  /// Runs a side effect on the main actor.
  ///
  /// If the message was sent on the main actor, this runs like ``perform(_:)``; otherwise the main
  /// actor runs it later.
  public func performOnMain(_ effect: @escaping @MainActor () -> Void) {
    perform { [engine] in
      if engine.sender === MainActor.shared {
        MainActor.assumeIsolated(effect)
      } else {
        Task { @MainActor in effect() }
      }
    }
  }

  /// Requests an effect as a value: ``Statechart/onEffect(_:_:)`` receives it, and a recording
  /// shows it.
  public func emit(_ effect: some Sendable) {
    guard isOpen else { return }
    input.effects.append(effect)
  }

  /// Returns the payload if it has that type; otherwise fails the operation.
  func payload<Payload>(as type: Payload.Type) -> Payload? {
    let payload = input.message?.payload
    if let payload = payload as? Payload { return payload }
    fail(
      .payloadMismatch(
        message: input.message?.name ?? "", state: engine.tree.nodes[owner.state].name,
        expected: "\(type)", found: payload.map { "\(Swift.type(of: $0))" }))
    return nil
  }

  /// Ends the operation early: it makes no more transitions.
  func fail(_ error: ChartError) {
    guard failure == nil else { return }
    failure = error
    pending = []
    kernel?.fail(error)
  }
}
