package import Timelines

/// A place where reducers run, on fresh values.
package protocol ReducerHosting: Sendable {
  /// What is told of it.
  var summary: ToInspector.HostSummary { get }

  /// Whether it keeps the steps of timelines between requests. Default: it does not.
  var keeps: Bool { get }

  /// Runs events one after the other from a state, and hands on what comes out, in order.
  ///
  /// It returns after the last part, which says by `ended` when there are fewer entries than events.
  /// A cancelled task ends the work, and throws `CancellationError`.
  ///
  /// - Throws: a ``Refusal`` when the host cannot be started or reached, or answers what no host may
  ///   answer; and whatever `part` throws.
  func reduce(
    _ request: ToRecorder.Reduce,
    part: @Sendable (FromRecorder.Reduced) async throws -> Void
  ) async throws

  /// Runs recorded entries again, and tells how far they come out in the same bytes; `nil` when it is
  /// a host that does not tell.
  ///
  /// What ends a host counts as not confirmed: whoever asks finds out what it is with `reduce`.
  func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed?
}

extension ReducerHosting {
  /// It does not tell.
  package func confirm(_ request: ToRecorder.Confirm) async throws -> FromRecorder.Confirmed? {
    nil
  }
}

extension ReducerHosting {
  /// It does not.
  package var keeps: Bool { false }
}

/// Whoever knows the hosts, and starts them when they are wanted.
package protocol ReducerHosts: Sendable {
  /// The host for a machine: the first that can make it, processes before live apps.
  ///
  /// - Parameter name: a host's name, when a certain one is wanted.
  /// - Throws: a ``Refusal`` that says what to do when there is none.
  func host(for header: Header, named name: String?) async throws -> any ReducerHosting

  /// A process of its own for a machine that nobody else uses, with variables added to its
  /// environment; it ends when the value is let go.
  ///
  /// - Throws: a ``Refusal`` when no host of the machine is a process that can be started anew.
  func freshHost(
    for header: Header, named name: String?, environment: [String: String]
  ) async throws -> any ReducerHosting
}
