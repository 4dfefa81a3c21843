/// The states of a chart whose closures capture nothing from an actor: it can run anywhere, and so
/// can a replay of its recordings.
///
/// Its closures cannot access a view. They run code on the main actor with
/// ``ChartContext/performOnMain(_:)``, or request an effect with ``ChartContext/emit(_:)``.
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

  /// Makes a definition; ``validate(bubbles:)`` checks it, and so does making a chart from it.
  public init(
    @ChartBuilder<Value, SendableChartHandler<Value>> _ content: () -> ChartContent<
      Value, SendableChartHandler<Value>
    >
  ) {
    tree = ChartTree(root: content())
  }

  /// The definition as data, with the declared edges.
  public var outline: ChartOutline { tree.outline(observed: []) }

  /// The payload types that handlers of a message accept: what its payload can be decoded as.
  public func payloadTypes(of message: String) -> [any (Codable & Sendable).Type] {
    tree.payloadTypes(of: message)
  }

  /// Throws if the declaration has problems.
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

/// Where a chart's recordings can be replayed.
///
/// ```swift
/// let chart = try Statechart(chart: ["root": ["pushed": "root"]])
/// print(chart.replayability.sentence)
/// ```
public enum ChartReplayability: String, Hashable, Sendable, Codable {
  /// Its closures capture nothing from an actor.
  case anywhere
  /// Its closures may belong to an actor, so only code on that actor can run it.
  case onItsOwner
  /// Its closures are plain values in a dictionary, so no other process can recreate them.
  case notAtAll

  /// A sentence for the user, with what to do about it.
  public var sentence: String {
    switch self {
    case .anywhere:
      "This chart can be replayed anywhere."
    case .onItsOwner:
      """
      This chart's handlers belong to the actor that made it, so it can be replayed only there. \
      To replay it anywhere, make it from a ChartDefinition.
      """
    case .notAtAll:
      """
      This chart is made of plain closures in a dictionary: it can be viewed, not replayed. \
      To replay it, make it from a ChartDefinition.
      """
    }
  }
}
