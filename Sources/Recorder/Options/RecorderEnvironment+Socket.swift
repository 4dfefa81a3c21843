extension RecorderEnvironment {
  /// The destinations, with the socket that `debugd` takes from the same environment for each daemon
  /// without an address.
  func withSocket(
    _ configured: [RecordingDestination], log: (String) -> Void
  ) -> [RecordingDestination] {
    guard let path = variables["DEBUGD_SOCKET"], !path.isEmpty,
      configured.contains(where: \.isStandardDaemon)
    else { return configured }
    guard let address = DaemonAddress("unix:\(path)") else {
      log(
        """
        DEBUGD_SOCKET=\(path) is invalid and ignored. To fix, set it to the absolute path of the \
        daemon's socket.
        """)
      return configured
    }
    return configured.map { destination in
      guard case .daemon(var daemon) = destination, destination.isStandardDaemon else {
        return destination
      }
      daemon.address = address.description
      return .daemon(daemon)
    }
  }
}

extension RecordingDestination {
  fileprivate var isStandardDaemon: Bool {
    if case .daemon(let daemon) = self { daemon.address == nil } else { false }
  }
}
