/// How the daemon runs reducers.
package struct HostSettings: Hashable, Sendable {
  /// The executables that are hosts. Default: none.
  package var executables: [HostSpec] = []

  /// What commands that messages suggest need to find the daemon. Default: nothing.
  package var dataOption = ""

  /// The milliseconds that one request may take. Default: 10 s.
  package var milliseconds: Int64 = 10_000

  /// The bytes by which a host's memory may grow in one request. Default: 1 GiB.
  package var bytes: Int64 = 1 << 30

  /// The milliseconds in which a host must say what it can make. Default: 10 s.
  package var startMilliseconds: Int64 = 10_000

  /// The milliseconds for which a host without work is kept. Default: 5 minutes.
  package var idleMilliseconds: Int64 = 300_000

  /// The milliseconds between two looks at the files of executables. Default: 1 s.
  package var watchMilliseconds: Int64 = 1_000

  /// The executables that a daemon has at most; each may be a process. Default: 32.
  package var mostExecutables = 32

  /// The processes that are started for one verification each and run at once. Default: 16, so that
  /// two may have as many as can be asked for.
  package var mostFreshHosts = 16

  /// Where relative paths of executables begin, which inspectors give. Default: `/`.
  package var workingDirectory = "/"

  /// The default settings.
  package init() {}
}
