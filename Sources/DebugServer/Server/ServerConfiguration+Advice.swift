internal import Timelines
internal import WebSockets

/// Advice in the log while the daemon starts; each sentence works in this configuration.
extension ServerConfiguration {
  /// How programs on this machine reach the daemon's socket.
  func recorderAdvice(_ socket: String) -> String {
    guard !isSocketStandard else { return "Recorders on this machine connect to \(socket)." }
    return """
      Recorders connect to \(socket). To record into this daemon, start your program with \
      DEBUGD=\("unix:\(socket)".shellWord)
      """
  }

  /// Why the port serves no page; `nil` if it serves one.
  func pageProblem(exists: (String) -> Bool) -> String? {
    let remedy = "To fix, pass the folder 'web' of Stateline's source: --web FOLDER"
    guard !places.isEmpty else { return nil }
    guard let web else {
      return """
        No inspector page was found, neither in share/debugd/web next to the program's folder nor in \
        the clone that it was built in. \(remedy)
        """
    }
    guard !exists(web + "/index.html") else { return nil }
    return "The folder \(web) has no index.html, so there is no inspector page. \(remedy)"
  }

  /// Why an address cannot be listened on.
  func listenProblem(_ error: any Error, on address: ListenAddress) -> String {
    switch (error, address) {
    case (TransportError.addressInUse(let name), .tcp(let host, _)):
      """
      \(name) is in use by another program. To fix, stop that program, or listen on a free port: \
      --listen \(Place(host: host, port: 0))
      """
    case (TransportError.addressInUse(let name), .unix):
      """
      \(name) is in use by another program. To fix, use the daemon that listens there, or give this \
      one its own data: debugd serve --data FOLDER
      """
    default: Self.sentence(error)
    }
  }

  /// An error of the network, with advice if the system caused it.
  ///
  /// - Parameter pathAdvice: what to do if a path is the cause; it ends with a command.
  static func sentence(_ error: any Error, pathAdvice: String? = nil) -> String {
    guard let error = error as? TransportError, let code = error.systemCode,
      let advice = SystemError(code).advice(error.use, pathAdvice: pathAdvice)
    else { return "\(error)" }
    return "\(error). To fix, \(advice)\(advice == pathAdvice ? "" : ".")"
  }
}

extension TransportError {
  /// What failed.
  fileprivate var use: SystemError.Use {
    switch self {
    case .cannotRead, .noFolder: .reading
    case .loopNotStarted, .cannotListen, .addressInUse, .stopped: .listening
    }
  }
}
