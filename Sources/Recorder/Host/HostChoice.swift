import HostProcesses
package import Replaying

/// Chooses where a recorder runs reducers.
package enum HostChoice {
  /// Returns the runner: a new process of this app's executable if its `main` calls
  /// `ReducerHost.runIfAsked`; otherwise a thread inside the live app, if that is allowed;
  /// otherwise nil.
  ///
  /// - Parameters:
  /// - allowsLive: Whether reducers may run inside the live app, where a trap in an edited event
  ///   ends the app.
  /// - machines: The recorded machines, which a live host can make.
  package static func runner(
    allowsLive: Bool, limits: HostLimits = HostLimits(),
    machines: @escaping @Sendable () -> [Replay]
  ) -> (any ReducerRunner)? {
    // A host does not start another host.
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
