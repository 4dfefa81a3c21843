package struct HostSettings: Hashable, Sendable {
  /// The executables that are hosts. Default: none.
  package var executables: [HostSpec] = []

  /// The option with which suggested commands find the daemon. Default: empty.
  package var dataOption = ""

  /// The maximum milliseconds of one request. Default: 10 s.
  package var milliseconds: Int64 = 10_000

  /// The maximum bytes by which a host's memory may grow in one request. Default: 1 GiB.
  package var bytes: Int64 = 1 << 30

  /// The milliseconds in which a host must report what it can make. Default: 10 s.
  package var startMilliseconds: Int64 = 10_000

  /// The milliseconds after which an idle host is ended. Default: 5 minutes.
  package var idleMilliseconds: Int64 = 300_000

  /// The milliseconds between two checks of the executables' files. Default: 1 s.
  package var watchMilliseconds: Int64 = 1_000

  /// The maximum number of executables; each may be a process. Default: 32.
  package var maximumExecutables = 32

  /// The maximum number of processes that are started for one verification each and run at once.
  /// Default: 16, enough for two verifications of the maximum size.
  package var mostFreshHosts = 16

  /// The folder that relative paths from inspectors start from. Default: `/`.
  package var workingDirectory = "/"

  package init() {}
}
