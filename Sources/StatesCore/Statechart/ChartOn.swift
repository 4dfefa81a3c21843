/// How a state handles a message.
///
/// A handler with a payload names its type, so that the message can be sent again from a recording.
///
/// ```swift
/// struct Session: Codable { var items: [String] = []; var progress = 0 }
/// let chart = try Statechart(Session()) {
///   On("apiResponded", goTo: "regular")
///   On("failed", String.self) { context, why in
///     context.value.items = [why]
///     context.goTo("regular")
///   }
///   On("progress") { (context, percent: Int) in context.value.progress = percent }
///   ChartState("regular")
/// }
/// try chart.send("failed", "no network")
/// assert(chart.current == "regular" && chart.value.items == ["no network"])
/// ```
public struct On<Value, Handler> {
  let message: String
  let reaction: ChartReaction<Handler>

  /// Goes to a state.
  public init(_ message: String, goTo target: String) {
    self.message = message
    reaction = ChartReaction(payload: nil, action: .goTo(target))
  }
}

extension On where Handler == ChartHandler<Value> {
  /// Runs a closure; `mayGoTo` declares where it may go, nil says nothing about that.
  public init(
    _ message: String, mayGoTo targets: [String]? = nil, _ body: @escaping ChartHandler<Value>
  ) {
    self.message = message
    reaction = ChartReaction(payload: nil, action: .run(body, mayGoTo: targets))
  }

  /// Runs a closure that receives the message's payload.
  public init<Payload: Codable & Sendable>(
    _ message: String, _ payload: Payload.Type = Payload.self, mayGoTo targets: [String]? = nil,
    _ body: @escaping (ChartContext<Value>, Payload) -> Void
  ) {
    self.message = message
    let handler: ChartHandler<Value> = { context in
      if let payload = context.payload(as: Payload.self) { body(context, payload) }
    }
    reaction = ChartReaction(payload: payload, action: .run(handler, mayGoTo: targets))
  }
}

extension On where Handler == SendableChartHandler<Value> {
  /// Runs a closure; `mayGoTo` declares where it may go, nil says nothing about that.
  public init(
    _ message: String, mayGoTo targets: [String]? = nil,
    _ body: @escaping SendableChartHandler<Value>
  ) {
    self.message = message
    reaction = ChartReaction(payload: nil, action: .run(body, mayGoTo: targets))
  }

  /// Runs a closure that receives the message's payload.
  public init<Payload: Codable & Sendable>(
    _ message: String, _ payload: Payload.Type = Payload.self, mayGoTo targets: [String]? = nil,
    _ body: @escaping @Sendable (ChartContext<Value>, Payload) -> Void
  ) {
    self.message = message
    let handler: SendableChartHandler<Value> = { context in
      if let payload = context.payload(as: Payload.self) { body(context, payload) }
    }
    reaction = ChartReaction(payload: payload, action: .run(handler, mayGoTo: targets))
  }
}
