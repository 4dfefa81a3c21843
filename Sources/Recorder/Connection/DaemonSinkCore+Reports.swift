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
    case .network(let host, let port, _):
      let name = host.contains(":") ? "[\(host)]" : host
      return "To fix, start it there: debugd serve --listen \(name):\(port)"
    case .socket: return "To fix, start it: debugd serve"
    }
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
}
