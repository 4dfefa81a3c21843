internal import Timelines

// What is said of a daemon that was asked for by name and cannot be used, and of entries that a daemon
// does not get. Without such a wish, and without a daemon, the recorder is silent.
extension DaemonSinkCore {
  /// The daemon that was asked for cannot be used: said once, when the first try has failed.
  mutating func unusableNote() -> String? {
    guard let address = options.requestedAddress, !wasWelcomed, !hasReportedUnusable,
      let problem = machine.problem
    else { return nil }
    switch machine.state {
    case .refused:
      // The connection has said so itself.
      hasReportedUnusable = true
      return nil
    case .waiting:
      hasReportedUnusable = true
      let sentence = problem.hasSuffix(".") ? problem : "\(problem)."
      return "The daemon at \(address) cannot be used: \(sentence) \(Self.advice(address, problem))"
    case .idle, .connecting, .proving, .greeting, .welcomed: return nil
    }
  }

  private static func advice(_ address: DaemonAddress, _ problem: String) -> String {
    // The last two are how OpenSSL begins its sentences.
    let words = ["certificate", "tls", "ssl"]
    switch address {
    case .network(_, _, true) where words.contains(where: problem.lowercased().contains):
      return """
        To fix, name its authority's certificates in DEBUGD_AUTHORITY, or its own fingerprint in \
        DEBUGD_FINGERPRINT.
        """
    case .network(let host, let port, true):
      return """
        To fix, start it there: debugd serve --listen \(listening(at: host, port: port)) \
        --certificate FILE --key FILE
        """
    case .network(let host, let port, false) where isLoopback(host):
      return "To fix, start it there: debugd serve --listen \(listening(at: host, port: port))"
    case .network(let host, let port, false):
      // Without TLS everyone on the way reads the recording, so that is only the exception.
      let place = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
      return """
        To fix, start it there with TLS: debugd serve --listen \
        \(listening(at: host, port: port)) --certificate FILE --key FILE. Then record to \
        wss://\(place), with the certificate's SHA-256 in DEBUGD_FINGERPRINT. Only in a network \
        where everyone may read the recordings, use --insecure instead of both files.
        """
    case .socket(let path): return "To fix, start it: debugd serve --socket \(path.shellWord)"
    }
  }

  private static func isLoopback(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The value of `--listen`, numeric addresses only; a daemon goes by its own addresses, and by
  /// another name only when it is given.
  private static func listening(at host: String, port: Int) -> String {
    let isNumeric =
      host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
    if isNumeric { return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    if isLoopback(host) { return "127.0.0.1:\(port)" }
    return "0.0.0.0:\(port) --name \(host.shellWord)"
  }

  /// Counts the entries that are kept as lost, and says so; nil where there is nothing to say.
  ///
  /// Silent where no daemon was asked for and none was there.
  mutating func unsentNote(_ why: String) -> String? {
    guard wasWelcomed || options.requestedAddress != nil, !hasReportedUnsent, !hasHandedOver,
      outbox.count > 0
    else { return nil }
    hasReportedUnsent = true
    let count = outbox.count
    outbox.counts.dropped += count
    return "\(count) entries were not sent to the daemon: \(why)."
  }

  /// Reports each cause of losses once; the statistics continue to count.
  mutating func lossNote() -> String? {
    let counts = outbox.counts
    if !hasReportedAbandoned, counts.abandoned > reportedAbandoned {
      hasReportedAbandoned = true
      return """
        Entries are lost because their timeline was deleted from the daemon before they arrived. \
        The recorder continues with a new timeline. From now on such losses are only counted.
        """
    }
    guard !hasReportedLoss, counts.dropped > counts.abandoned else { return nil }
    hasReportedLoss = true
    let why =
      machine.isWelcomed
      ? "they come faster than the daemon takes them" : "no daemon takes them"
    return """
      Entries are lost on the way to the daemon: \(why), and the recorder keeps no more. \
      From now on losses are only counted.
      """
  }

  /// The daemon refused something that was sent to it.
  mutating func take(_ error: ErrorReply, now: Duration) -> [Work] {
    let note = "The daemon refused: \(error.message)"
    guard let timeline = error.timeline else { return [.note(note)] }
    switch outbox.refuse(timeline) {
    case .connectAgain:
      // Another connection begins where the daemon says that it stands.
      return [.note(note)] + handle(.again(error.message), now: now)
    case .givenUp(let kept, let lost):
      reportedAbandoned += kept
      return [.note("\(note) The timeline is given up, and \(Self.entries(lost)) of it are lost.")]
    case .over(let unreported) where unreported > 0:
      let lost = Self.entries(unreported)
      return [.note("\(note) The timeline does not say that \(lost) were lost at its end.")]
    case .over: return [.note(note)]
    }
  }

  private static func entries(_ count: some BinaryInteger) -> String {
    count == 1 ? "1 entry" : "\(count) entries"
  }
}
