import Synchronization

/// What happens to the lease of a database.
package enum LeaseNews: Hashable, Sendable {
  /// How durable commits are; also when it is read for the first time.
  case durability(Durability)
  /// Another daemon has the lease; this one stores nothing anymore.
  case lost
}

/// Renews a lease until it is released or lost, three times before it would expire.
///
/// While the database does not answer, it continues to try: the lease may have expired, and is still
/// this daemon's if no other one has taken it.
final class LeaseKeeper: Sendable {
  private struct State {
    var durability: Durability?
    var renewed: Int64?
    var isEnded = false
    var observer: (@Sendable (LeaseNews) -> Void)?
    /// What happened before there was an observer.
    var waiting: [LeaseNews] = []
  }

  private let lease: any DatabaseLease
  private let thread: StoreThread
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  /// - Parameter now: the wall clock in microseconds since 1970.
  init(
    _ lease: any DatabaseLease, runner: (any StoreRunner)?, now: @escaping @Sendable () -> Int64
  ) {
    self.lease = lease
    self.now = now
    thread = StoreThread(name: "store.lease", runner: runner)
    thread.call { [weak self] in self?.renew() }
  }

  var source: any RowSource { lease.source }

  /// How durable commits are, once it was read.
  var durability: Durability? { state.withLock { $0.durability } }

  /// When the lease was renewed last, in microseconds since 1970; `nil` before the first time.
  var renewed: Int64? { state.withLock { $0.renewed } }

  /// Calls a closure with everything that happens, and that has happened.
  func observe(_ observer: @escaping @Sendable (LeaseNews) -> Void) {
    let missed = state.withLock { state in
      defer { state.waiting = [] }
      state.observer = observer
      return state.waiting
    }
    for news in missed { observer(news) }
  }

  /// Ends the lease.
  func release() {
    let wasEnded = state.withLock { state in
      defer { state.isEnded = true }
      return state.isEnded
    }
    if !wasEnded { lease.release() }
  }

  /// Receives that a write has found the lease lost.
  func lose() {
    let wasEnded = state.withLock { state in
      defer { state.isEnded = true }
      return state.isEnded
    }
    if !wasEnded { report(.lost) }
  }

  private func renew() {
    guard !state.withLock({ $0.isEnded }) else { return }
    do throws(StoreError) {
      receive(try lease.renew())
    } catch {
      guard error.reason != .server(.leaseLost) else { return lose() }
    }
    thread.call(after: lease.milliseconds / 3) { [weak self] in self?.renew() }
  }

  private func receive(_ durability: Durability) {
    let isChanged = state.withLock { [now] state in
      state.renewed = now()
      defer { state.durability = durability }
      return state.durability != durability
    }
    if isChanged { report(.durability(durability)) }
  }

  private func report(_ news: LeaseNews) {
    let observer = state.withLock { state in
      if state.observer == nil { state.waiting.append(news) }
      return state.observer
    }
    observer?(news)
  }
}
