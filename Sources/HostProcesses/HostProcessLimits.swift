/// The limits of a host process.
package struct HostProcessLimits: Hashable, Sendable {
  /// The milliseconds that a request may take, unless it sets a lower limit (default: 10 s).
  package var milliseconds: Int64 = 10_000

  /// The bytes by which the process may grow, unless the request sets a lower limit (default: 1 GiB).
  package var bytes: Int64 = 1 << 30

  /// The maximum length of an output line in bytes (default: 16 MiB).
  package var messageBytes = 16 << 20

  /// The milliseconds from the start of the process to its first line (default: 10 s).
  ///
  /// Loading a large executable from a cold disk takes seconds.
  package var startMilliseconds: Int64 = 10_000

  /// The milliseconds after which an idle process is ended; as long as a person may take between two
  /// requests (default: 5 minutes).
  package var idleMilliseconds: Int64 = 300_000

  /// The maximum number of waiting requests (default: 64).
  package var waiting = 64

  package init() {}
}
