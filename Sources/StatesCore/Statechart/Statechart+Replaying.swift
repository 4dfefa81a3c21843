/// How a chart is run again from a recording: on a fresh one, that nobody observes.
extension Statechart {
  /// Makes one step, without effects; nil stands for the start. Answers what was handled, with its
  /// report, and what went wrong.
  ///
  /// What closures send meanwhile is answered as in the live chart, but never handled: a recording
  /// has it as entries of its own.
  package func replay(_ message: ChartMessage?, chained: Int) -> (ChartInput, ChartError?) {
    var done = ChartInput(message, chained: chained)
    // A held chart makes this one step, performs nothing, and lets all others wait.
    hold(.queue(limit: .max))
    let subscription = kernel.use { step in done = step.input ?? done }
    kernel.send(done, at: CallSite(), evenWhileHeld: true)
    subscription.cancel()
    kernel.discardWaiting()
    return (done, kernel.takeFailure() as? ChartError)
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
