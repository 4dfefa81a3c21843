/// What one request may cost a host.
///
/// ```swift
/// var limits = HostLimits()
/// limits.milliseconds = 2_000
/// assert(limits.partEntries == 1_000)
/// ```
public struct HostLimits: Hashable, Sendable {
  /// The time that a request may take, unless it asks for less.
  ///
  /// It is looked at between two events; a single event that never ends is ended with its process.
  /// Default: 10 s, in which a reducer of a microsecond makes ten million steps.
  public var milliseconds: Int64 = 10_000

  /// The memory by which the process may grow, unless the request asks for less. Default: 1 GiB.
  public var bytes: Int64 = 1 << 30

  /// The bytes of entries at which a part of the answer is sent. Default: 256 KiB.
  public var partBytes = 256 << 10

  /// The entries at which a part of the answer is sent. Default: 1,000.
  public var partEntries = 1_000

  /// The bytes that one message may have. Default: 16 MiB.
  public var messageBytes = 16 << 20

  /// The default limits.
  public init() {}
}
