/// What handlers and hooks decide with: where the chart stands, where it goes, its value.
///
/// Decisions are made through the context, so they can be made again from a recording. What touches
/// the world goes into ``perform(_:)``: it runs after the observers, in the live chart only.
///
/// A context is good for the message it was made for. Kept longer, it can still
/// `send(_:file:line:)`, and everything else does nothing.
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
  /// The chart's own value; what is changed here is the chart's value after the message.
  public var value: Value
  /// The message that is handled; nil while the chart starts.
  public var message: ChartMessage? { input.message }
  /// The name of the current state, in the middle of a transition too.
  public var current: String { engine.tree.nodes[position].name }
  /// The names of the active states from the root down, in the middle of a transition too.
  public var path: [String] { engine.tree.nodes[position].path }

  let engine: ChartEngine<Value>
  private weak var kernel: Kernel<ChartPosition<Value>, ChartInput>?

  /// Where the chart stands; a position in the engine's tree.
  var position: Int
  /// The input, with the report as far as it is known.
  var input: ChartInput
  /// What ended the operation early.
  private(set) var failure: ChartError?
  /// Targets that wait until the transition under way is over.
  var pending: [Int] = []
  /// How many transitions and hooks are under way, one inside another.
  var depth = 0
  /// How many transitions were made, with those that led to this operation.
  var transitions: Int
  /// The states the operation went to, the one it began in first.
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

  /// Goes to a state; answers whether the chart knows it. An unknown one is ignored.
  ///
  /// In a handler the chart is there when this returns. In a hook it goes there after the
  /// transition under way, or at once, as ``ChartOptions/dispatch`` says.
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

  /// Sends the chart a message: it is handled after the current one, when every observer has seen
  /// that.
  @discardableResult
  public func send(
    _ message: ChartMessage, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    guard let kernel, engine.sendsMessages else { return .refused }
    let next = ChartInput(message, chained: isOpen ? transitions + 1 : 0)
    return kernel.send(
      next, at: CallSite(file: file, line: line), origin: isOpen ? .chart : .app)
  }

  /// Sends the chart a message by its name.
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

  /// Does something to the world, after the observers: in the live chart, never while it is held.
  public func perform(_ effect: @escaping () -> Void) {
    guard isOpen, engine.performsEffects else { return }
    kernel?.perform(effect)
  }

  /// Does something to the world on the main actor.
  ///
  /// When the message was sent on the main actor it is done like ``perform(_:)``, else as soon as
  /// the main actor gets to it.
  public func performOnMain(_ effect: @escaping @MainActor () -> Void) {
    perform { [engine] in
      if engine.sender === MainActor.shared {
        MainActor.assumeIsolated(effect)
      } else {
        Task { @MainActor in effect() }
      }
    }
  }

  /// Asks for an effect as a value: ``Statechart/onEffect(_:_:)`` gets it, and a recording shows it.
  public func emit(_ effect: some Sendable) {
    guard isOpen else { return }
    input.effects.append(effect)
  }

  /// The payload, if it is of that type; else the operation has failed.
  func payload<Payload>(as type: Payload.Type) -> Payload? {
    let payload = input.message?.payload
    if let payload = payload as? Payload { return payload }
    fail(
      .payloadMismatch(
        message: input.message?.name ?? "", state: engine.tree.nodes[owner.state].name,
        expected: "\(type)", found: payload.map { "\(Swift.type(of: $0))" }))
    return nil
  }

  /// Ends the operation early: nothing goes anywhere any more.
  func fail(_ error: ChartError) {
    guard failure == nil else { return }
    failure = error
    pending = []
    kernel?.fail(error)
  }
}
