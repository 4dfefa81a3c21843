/// What a host's process is held to by whoever started it.
package struct HostProcessLimits: Hashable, Sendable {
  /// The milliseconds that a request may take, unless it asks for less. Default: 10 s.
  package var milliseconds: Int64 = 10_000

  /// The memory by which the process may grow, unless the request asks for less. Default: 1 GiB.
  package var bytes: Int64 = 1 << 30

  /// The bytes that one line of it may have. Default: 16 MiB.
  package var messageBytes = 16 << 20

  /// The milliseconds from its start to its first line.
  ///
  /// Loading a large executable from a cold disk takes seconds. Default: 10 s.
  package var startMilliseconds: Int64 = 10_000

  /// The milliseconds for which a process without work is kept: as long as somebody may still be at
  /// it. Default: 5 minutes.
  package var idleMilliseconds: Int64 = 300_000

  /// The requests that may wait for one process. Default: 64.
  package var waiting = 64

  /// The default limits.
  package init() {}
}
