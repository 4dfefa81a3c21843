/// A daemon, and how it knows that this recorder may talk to it.
public struct DaemonDestination: Hashable, Sendable {
  /// `unix:/path`, `ws://host:port` or `wss://host:port`. Default: the socket of this user's daemon.
  public var address: String?

  /// The secret that both share; it never travels. Default: none, which a Unix socket does not need.
  public var secret: String?

  /// A file that holds the secret. Default: none.
  public var secretPath: String?

  /// Which certificate is taken over `wss://`. Default: one that the system trusts.
  public var trust: DaemonTrust

  /// A daemon at an address.
  public init(
    address: String? = nil, secret: String? = nil, secretPath: String? = nil,
    trust: DaemonTrust = .system
  ) {
    self.address = address
    self.secret = secret
    self.secretPath = secretPath
    self.trust = trust
  }
}
