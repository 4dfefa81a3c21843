/// When entries are sent to a daemon: whichever comes first.
public struct BatchLimits: Hashable, Sendable {
  /// How long entries wait for others while something is under way. Default: 8 ms.
  public var delay: Duration = .milliseconds(8)
  /// The bytes at which a batch is sent. Default: 256 KiB.
  public var bytes = 256 << 10
  /// The entries at which a batch is sent. Default: 1,000.
  public var entries = 1_000

  /// The default limits.
  public init() {}
}
