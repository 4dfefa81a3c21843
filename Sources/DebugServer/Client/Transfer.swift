internal import Synchronization
package import Timelines

/// Copies timelines over connections that may break, and continues over new ones.
package struct Transfer: Sendable {
  /// The two ends of a transfer.
  package struct Ends: Sendable {
    package var source: any Backend
    package var target: any Backend

    package init(source: any Backend, target: any Backend) {
      self.source = source
      self.target = target
    }

    /// Ends both connections.
    package func close() async {
      await source.close()
      await target.close()
    }
  }

  package enum Event: Sendable {
    case progress(TimelineCopier.Progress)
    case copied(TimelineCopier.Copy)
    /// The connection broke; it will be tried again.
    case interrupted(String)
  }

  /// The attempts without progress after which it gives up.
  package static let attempts = 6

  private let connect: @Sendable () async throws -> Ends
  private let pause: @Sendable (_ attempt: Int) async throws -> Void

  /// - Parameters:
  ///   - pause: waits before an attempt, which is 1 for the first one after a failure.
  package init(
    connect: @escaping @Sendable () async throws -> Ends,
    pause: @escaping @Sendable (_ attempt: Int) async throws -> Void
  ) {
    self.connect = connect
    self.pause = pause
  }

  /// Copies timelines in order, and their parents before them, each once.
  package func run(
    _ timelines: [TimelineID], report: @escaping @Sendable (Event) -> Void
  ) async throws {
    let state = TransferState()
    var failures = 0
    while true {
      let before = state.steps
      do {
        return try await attempt(timelines, state, report)
      } catch BackendError.disconnected(let why) where state.hasConnected {
        failures = state.steps > before ? 1 : failures + 1
        guard failures < Self.attempts else { throw BackendError.disconnected(why) }
        report(.interrupted(why))
      }
      try await pause(failures)
    }
  }

  private func attempt(
    _ timelines: [TimelineID], _ state: TransferState,
    _ report: @escaping @Sendable (Event) -> Void
  ) async throws {
    let ends = try await connect()
    state.connected()
    let copier = TimelineCopier(from: ends.source, to: ends.target)
    do {
      for timeline in timelines where !state.done.contains(timeline) {
        try await copier.copy(timeline, except: state.done) { event in
          state.count(event)
          report(event)
        }
      }
    } catch {
      await ends.close()
      throw error
    }
    await ends.close()
  }
}

/// How far a transfer is, across connections.
private final class TransferState: Sendable {
  private let contents = Mutex((steps: 0, done: Set<TimelineID>(), hasConnected: false))

  /// Whether there was a connection: a wrong address is not tried again.
  var hasConnected: Bool { contents.withLock { $0.hasConnected } }

  func connected() { contents.withLock { $0.hasConnected = true } }

  /// Counts what was achieved.
  var steps: Int { contents.withLock { $0.steps } }

  /// The timelines that were copied.
  var done: Set<TimelineID> { contents.withLock { $0.done } }

  func count(_ event: Transfer.Event) {
    contents.withLock { contents in
      switch event {
      case .progress: contents.steps += 1
      case .copied(let copy):
        contents.steps += 1
        contents.done.insert(copy.timeline)
      case .interrupted: break
      }
    }
  }
}
