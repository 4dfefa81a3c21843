/// A state that lives elsewhere, in a database for example.
///
/// A run loads it at the start and before each event, and stores what the event made of it before
/// any loop sees it. Errors stop the run.
///
/// ```swift
/// actor Database {
///   var count = 0
///   func save(_ count: Int) { self.count = count }
/// }
/// let database = Database()
/// let store = FeedbackStore(
///   load: { await database.count },
///   store: { await database.save($0) })
/// let system = FeedbackSystem(state: store, reduce: { $0 + $1 }, feedback: [])
/// ```
public struct FeedbackStore<State: Sendable>: Sendable {
  /// Gives the state.
  public let load: @Sendable () async throws -> State
  /// Keeps the state.
  public let store: @Sendable (State) async throws -> Void

  /// Describes where a state lives.
  public init(
    load: @escaping @Sendable () async throws -> State,
    store: @escaping @Sendable (State) async throws -> Void
  ) {
    self.load = load
    self.store = store
  }
}
