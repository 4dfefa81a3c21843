/// When a batch is sent to a daemon: when it reaches any of these limits.
public struct BatchLimits: Hashable, Sendable {
  /// How long entries wait for more while earlier ones are unacknowledged. Default: 8 ms.
  public var delay: Duration = .milliseconds(8)
  /// The size of a full batch in bytes. Default: 256 KiB.
  public var bytes = 256 << 10
  /// The number of entries in a full batch. Default: 1,000.
  public var entries = 1_000

  /// Creates the default limits.
  public init() {}
}
