import HostProcesses
package import Replaying

/// Where a recorder runs reducers, of the ways that there are.
package enum HostChoice {
  /// What runs them: this app's executable started anew, when `ReducerHost.runIfAsked` was called in
  /// its `main`; else a thread inside the live app, when that is allowed; else nothing.
  ///
  /// - Parameters:
  ///   - allowsLive: Whether reducers may run inside the live app, where an edit that traps ends it.
  ///   - machines: The machines that are recorded, and that a live host can make.
  package static func runner(
    allowsLive: Bool, limits: HostLimits = HostLimits(),
    machines: @escaping @Sendable () -> [Replay]
  ) -> (any ReducerRunner)? {
    // A host has no host of its own.
    guard !ReducerHost.isAsked else { return nil }
    #if canImport(Glibc)
      if let offered = ReducerHost.offeredMachines,
        let host = ProcessHost(.own, makes: offered.makes, limits: limits)
      {
        return host
      }
    #endif
    guard allowsLive else { return nil }
    return LiveHost(limits: limits) { HostedMachines(machines()) }
  }
}
