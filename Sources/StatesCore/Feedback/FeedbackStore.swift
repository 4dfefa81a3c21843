/// A state that is stored elsewhere, for example in a database.
///
/// A run loads it at the start and before each event, and stores the new state before any loop sees
/// it. Errors stop the run.
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
  /// Loads the state.
  public let load: @Sendable () async throws -> State
  /// Stores the state.
  public let store: @Sendable (State) async throws -> Void

  /// Makes a store from two functions.
  public init(
    load: @escaping @Sendable () async throws -> State,
    store: @escaping @Sendable (State) async throws -> Void
  ) {
    self.load = load
    self.store = store
  }
}
