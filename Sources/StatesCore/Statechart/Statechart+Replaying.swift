/// Replays a recording, on a fresh chart without observers.
extension Statechart {
  /// Makes one step, without effects; nil stands for the start. Returns what was handled, with its
  /// report, and the error, if any.
  ///
  /// Messages that closures send get the same answer as in the live chart, but are never handled,
  /// because a recording has separate entries for them.
  package func replay(_ message: ChartMessage?, chained: Int) -> (ChartInput, ChartError?) {
    var done = ChartInput(message, chained: chained)
    // A held chart makes this one step, performs nothing, and queues all others.
    hold(.queue(limit: .max))
    let subscription = kernel.use { step in done = step.input ?? done }
    kernel.send(done, at: CallSite(), evenWhileHeld: true)
    subscription.cancel()
    kernel.discardWaiting()
    return (done, kernel.consumeFailure() as? ChartError)
  }

  /// The payload type of the handler that would handle a message now; nil without a handler, or for
  /// one without a payload.
  package func payloadType(of message: String) -> (any (Codable & Sendable).Type)? {
    let tree = engine.tree
    // Before the start, only the root can handle a message.
    let position = tree.position(at: path) ?? ChartTree<ChartHandler<Value>>.root
    return tree.handler(of: message, at: position, bubbles: options.bubbles)
      .flatMap { tree.nodes[$0].reactions[message]?.payload }
  }
}
