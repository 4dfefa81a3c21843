/// The states of a chart whose closures capture nothing of an actor: it can be run anywhere, also
/// by somebody who replays a recording.
///
/// A closure in it can not touch a view. It says what to do on the main actor with
/// ``ChartContext/performOnMain(_:)``, or asks for an effect with ``ChartContext/emit(_:)``.
///
/// ```swift
/// struct Session: Codable { var attempts = 0 }
/// let definition = ChartDefinition<Session> {
///   OnEnter { $0.goTo("loading") }
///   On("failed", goTo: "loading")
///   On("apiResponded", goTo: "regular")
///   ChartState("loading") { OnEnter { $0.value.attempts += 1 } }
///   ChartState("regular")
/// }
/// let chart = try Statechart(Session(), definition)
/// try chart.send("apiResponded")
/// assert(chart.value.attempts == 1)
/// ```
public struct ChartDefinition<Value>: Sendable {
  let tree: ChartTree<SendableChartHandler<Value>>

  /// Makes a definition; ``validate(bubbles:)``, or making a chart of it, checks it.
  public init(
    @ChartBuilder<Value, SendableChartHandler<Value>> _ content: () -> ChartContent<
      Value, SendableChartHandler<Value>
    >
  ) {
    tree = ChartTree(root: content())
  }

  /// The definition as data; the edges are the declared ones.
  public var outline: ChartOutline { tree.outline(observed: []) }

  /// The types of payload that handlers of a message take: what it can be decoded as.
  public func payloadTypes(of message: String) -> [any (Codable & Sendable).Type] {
    tree.payloadTypes(of: message)
  }

  /// Throws when a chart can not work as it is declared.
  ///
  /// ```swift
  /// let definition = ChartDefinition<Int> { On("pushed", goTo: "nowhere") }
  /// do {
  ///   try definition.validate()
  /// } catch {
  ///   print(error)
  /// }
  /// ```
  public func validate(bubbles: Bool = true) throws(ChartError) {
    try tree.validate(.all, bubbles: bubbles)
  }
}

/// How far a chart can be run again from a recording.
///
/// ```swift
/// let chart = try Statechart(chart: ["root": ["pushed": "root"]])
/// print(chart.replayability.sentence)
/// ```
public enum ChartReplayability: String, Hashable, Sendable, Codable {
  /// Its closures capture nothing of an actor.
  case anywhere
  /// Its closures may belong to an actor, so only code on that actor can run it.
  case onItsOwner
  /// Its closures are plain values in a dictionary: nothing says what makes them again.
  case notAtAll

  /// The same in words, with what to do about it.
  public var sentence: String {
    switch self {
    case .anywhere:
      "This chart can be replayed anywhere."
    case .onItsOwner:
      """
      This chart's handlers belong to where it was made, so it can be replayed only there. \
      To replay it anywhere, make it from a ChartDefinition.
      """
    case .notAtAll:
      """
      This chart is made of plain closures in a dictionary: it can be looked at, not replayed. \
      To replay it, make it from a ChartDefinition.
      """
    }
  }
}
