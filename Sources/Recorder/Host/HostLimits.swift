/// The limits of one request to a host.
///
/// ```swift
/// var limits = HostLimits()
/// limits.milliseconds = 2_000
/// assert(limits.partEntries == 1_000)
/// ```
public struct HostLimits: Hashable, Sendable {
  /// The maximum time of a request in milliseconds, unless the request asks for less.
  ///
  /// It is checked between events. A single event that never returns is ended with its process.
  /// Default: 10 s, in which a reducer of a microsecond makes ten million steps.
  public var milliseconds: Int64 = 10_000

  /// The maximum growth of the process's memory in bytes, unless the request asks for less.
  /// Default: 1 GiB.
  public var bytes: Int64 = 1 << 30

  /// The bytes of entries after which a part of the answer is sent. Default: 256 KiB.
  public var partBytes = 256 << 10

  /// The number of entries after which a part of the answer is sent. Default: 1,000.
  public var partEntries = 1_000

  /// The maximum length of a message in bytes. Default: 16 MiB.
  public var messageBytes = 16 << 20

  /// Creates the default limits.
  public init() {}
}
