/// Sends events into a run, from inside an effect or a loop.
///
/// Call it like a function, from any thread; it never waits. Events are handled in the order in
/// which they are sent. An event is dropped if, by the time it is dequeued, the state no longer
/// requests the effect that sent it.
///
/// ```swift
/// let loop: Feedback<Int, String> = react("halves", request: { $0 == 10 ? $0 / 2 : nil }) {
///   half, emit in
///   emit("got \(half)")
/// }
/// ```
public struct Emit<Event>: Sendable {
  private let send: @Sendable (Event, CallSite) -> Void

  /// Makes an emitter that calls a closure, to test an effect.
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

  /// Returns an emitter for events of another type.
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
