package import Timelines
package import Wire

/// A place where reducers run, on fresh values.
package protocol ReducerHosting: Sendable {
  var summary: ToInspector.HostSummary { get }

  /// Whether it keeps the steps of timelines between requests. Default: false.
  var keeps: Bool { get }

  /// Whether it answers requests with `expand`; it may be started to find out. Default: false.
  func expands() async -> Bool

  /// Runs events from a state, and passes on the resulting entries, in order.
  ///
  /// It returns after the last part, whose `ended` says why there are fewer entries than events.
  /// Canceling the task cancels the work and throws `CancellationError`.
  ///
  /// - Throws: a ``Refusal`` if the host cannot be started or reached, or sends an invalid answer;
  ///   and any error of `part`.
  func reduce(
    _ request: ToRecorder.Reduce,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws

  /// Runs recorded entries again, and reports how many come out in the same bytes; `nil` if this
  /// host does not support it.
  ///
  /// An entry at which the host ends early counts as not confirmed: `reduce` finds out what it is.
  func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed?
}

extension ReducerHosting {
  /// Not supported by default.
  package func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? {
    nil
  }
}

extension ReducerHosting {
  package var keeps: Bool { false }

  package func expands() async -> Bool { false }
}

/// Finds hosts, and starts them on demand.
package protocol ReducerHosts: Sendable {
  /// The host for a machine: the first that can make it, processes before live apps.
  ///
  /// - Parameter name: the name of a host, if a specific one is requested.
  /// - Throws: a ``Refusal`` that says what to do if there is none.
  func host(for header: Header, named name: String?) async throws -> any ReducerHosting

  /// A separate process for a machine that is not shared, with variables added to its environment;
  /// it ends when the value is released.
  ///
  /// - Throws: a ``Refusal`` if no host of the machine is an executable.
  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting
}
