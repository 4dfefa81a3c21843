/// How a chart is run again from a recording: on a fresh one, that nobody observes.
extension Statechart {
  /// What one step of a replay led to.
  package struct ReplayedStep {
    /// What was handled, with its report.
    package let input: ChartInput
    /// What went wrong.
    package let error: ChartError?
    /// The messages that the chart's closures sent: a recording has them as entries of their own.
    package let sent: [ChartInput]
  }

  /// Makes one step, without effects; nil stands for the start.
  ///
  /// What closures send meanwhile is answered as in the live chart, but not handled. `origin` is the
  /// message as an earlier step sent it, when one did: it knows how long the chain is.
  package func replay(_ message: ChartMessage?, as origin: ChartInput? = nil) -> ReplayedStep {
    let input = ChartInput(message, chained: origin?.chained ?? 0)
    hold(.queue(limit: .max))
    _ = kernel.takeFailure()
    var done = input
    let subscription = kernel.use { step in done = step.input ?? done }
    kernel.send(input, at: CallSite(), evenWhileHeld: true)
    subscription.cancel()
    return ReplayedStep(
      input: done, error: kernel.takeFailure() as? ChartError, sent: kernel.takeWaiting())
  }

  /// The type of payload that the state which would handle a message now takes; nil when none
  /// handles it, or it takes none.
  package func payloadType(of message: String) -> (any (Codable & Sendable).Type)? {
    let tree = engine.tree
    // Before the start the root is all there is.
    let position = tree.position(at: path) ?? ChartTree<ChartHandler<Value>>.root
    return tree.handler(of: message, at: position, bubbles: options.bubbles)
      .flatMap { tree.nodes[$0].reactions[message]?.payload }
  }
}
