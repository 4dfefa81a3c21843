/// A daemon to record to, and how both ends authenticate.
public struct DaemonDestination: Hashable, Sendable {
  /// `unix:/path`, `ws://host:port` or `wss://host:port`. Default: the socket of this
  /// user's daemon, at the path in `DEBUGD_SOCKET` if that is set.
  public var address: String?

  /// Other daemons of the same store, each an address of the same form, to use in turn when the
  /// current one cannot be reached, refuses, or is lost. They share the secret and the trust. Not
  /// used without an address. At most 15. Default: none.
  public var alternatives: [String] = []

  /// The shared secret, which is never sent. Not needed for a Unix socket. Default: nil.
  public var secret: String?

  /// A file that contains the secret. Default: nil.
  public var secretPath: String?

  /// Which certificate to accept for `wss://`. Default: one that the system trusts.
  public var trust: DaemonTrust

  /// Creates a destination for a daemon.
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
