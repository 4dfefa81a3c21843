/// Sends events into a run, from inside an effect or a loop.
///
/// It is called like a function, from any thread, and never waits. Events are handled in the order
/// in which they are sent. An event counts when the effect that sent it is still asked for at the
/// moment it is taken from the queue; else it is dropped.
///
/// ```swift
/// let loop: Feedback<Int, String> = react("halves", request: { $0 == 10 ? $0 / 2 : nil }) {
///   half, emit in
///   emit("got \(half)")
/// }
/// ```
public struct Emit<Event>: Sendable {
  private let send: @Sendable (Event, CallSite) -> Void

  /// Makes one that calls a closure, for a test of an effect.
  ///
  /// ```swift
  /// let emit = Emit<String> { event, _ in print(event) }
  /// emit("loaded")
  /// ```
  public init(_ send: @escaping @Sendable (Event, CallSite) -> Void) {
    self.send = send
  }

  /// Sends an event.
  public func callAsFunction(
    _ event: Event, file: StaticString = #fileID, line: UInt32 = #line
  ) {
    send(event, CallSite(file: file, line: line))
  }

  /// The same way in for events of another type.
  ///
  /// ```swift
  /// let emit = Emit<String> { event, _ in print(event) }
  /// let numbers: Emit<Int> = emit.pullback { "number \($0)" }
  /// numbers(3)
  /// ```
  public func pullback<Other>(_ event: @escaping @Sendable (Other) -> Event) -> Emit<Other> {
    Emit<Other> { [send] other, callSite in send(event(other), callSite) }
  }
}
