internal import Timelines
internal import Wire

// Log messages about a daemon that was requested by address and cannot be used, and about entries
// that it does not receive. If no daemon was requested and none is running, the recorder is silent.
extension DaemonSinkCore {
  /// Reports once that the requested daemon cannot be used, after the first attempt failed.
  mutating func unusableMessage() -> String? {
    guard !options.requestedAddresses.isEmpty, !wasWelcomed, !hasReportedUnusable else {
      return nil
    }
    switch machine.state {
    case .refused, .waiting:
      guard machine.rotation.hasFailedEverywhere else { return nil }
      hasReportedUnusable = true
      let notes = options.requestedAddresses.enumerated().compactMap { daemon, address in
        unusableMessage(daemon, address)
      }
      return notes.isEmpty ? nil : notes.joined(separator: " ")
    case .idle, .connecting, .proving, .greeting, .welcomed: return nil
    }
  }

  private func unusableMessage(_ daemon: Int, _ address: DaemonAddress) -> String? {
    let problems = machine.rotation.problems
    // The connection has already logged why a daemon refused.
    guard problems.indices.contains(daemon), let problem = problems[daemon],
      !machine.rotation.hasRefused(daemon)
    else { return nil }
    let beginning = "The daemon at \(address) cannot be used: \(problem)"
    // Some problems come with their own remedy.
    if problem.contains("To fix, ") { return beginning }
    return "\(beginning)\(problem.hasSuffix(".") ? "" : ".") \(advice(address, problem))"
  }

  /// Returns what to log when another daemon accepts the connection than before.
  mutating func moveMessage() -> String? {
    defer { acceptedBy = machine.daemon }
    guard let acceptedBy, acceptedBy != machine.daemon,
      options.requestedAddresses.indices.contains(machine.daemon)
    else { return nil }
    return
      "The recording continues with the daemon at \(options.requestedAddresses[machine.daemon])."
  }

  private func advice(_ address: DaemonAddress, _ problem: String) -> String {
    let problem = problem.lowercased()
    if problem.contains("cannot be resolved") { return "To fix, correct it in DEBUGD." }
    if case .network(_, _, true) = address, problem.contains("certificate") {
      return certificateAdvice(problem)
    }
    return Self.addressAdvice(address, problem)
  }

  /// What to do about a certificate that was rejected.
  private func certificateAdvice(_ problem: String) -> String {
    if problem.contains("expected fingerprint") {
      return """
        To fix, set DEBUGD_FINGERPRINT to the SHA-256 of the certificate that the daemon uses.
        """
    }
    if problem.contains("another host name") {
      return """
        To fix, write a name from the certificate in the address, or set DEBUGD_FINGERPRINT to the \
        certificate's SHA-256.
        """
    }
    if problem.contains("expired") || problem.contains("not valid yet") {
      return """
        To fix, renew the daemon's certificate, or set DEBUGD_FINGERPRINT to its SHA-256.
        """
    }
    if case .authority(let path) = options.certificate {
      return """
        To fix, put the certificate of the authority that issued it into \(path), the file that \
        DEBUGD_AUTHORITY names, or set DEBUGD_FINGERPRINT to the certificate's SHA-256.
        """
    }
    return """
      To fix, name its authority's certificates in DEBUGD_AUTHORITY, or its own fingerprint in \
      DEBUGD_FINGERPRINT.
      """
  }

  private static func addressAdvice(_ address: DaemonAddress, _ problem: String) -> String {
    switch address {
    case .network(let host, let port, true) where problem.contains("ssl err"):
      // The transport reports a rejected certificate as such.
      return """
        To fix, check the address that the daemon logs. If it begins with http://, record to \
        \(DaemonAddress.network(host: host, port: port, isSecure: false)). Otherwise another program \
        listens there.
        """
    case .network(let host, let port, false) where problem.hasPrefix("read failed"):
      return """
        To fix, check the address that the daemon logs. If it begins with https://, record to \
        \(DaemonAddress.network(host: host, port: port, isSecure: true)). Otherwise another program \
        listens there.
        """
    case .network(let host, let port, true):
      return """
        To fix, start it there: debugd serve --listen \(listening(at: host, port: port)) \
        --certificate FILE --key FILE
        """
    case .network(let host, let port, false) where isLoopback(host):
      return "To fix, start it there: debugd serve --listen \(listening(at: host, port: port))"
    case .network(let host, let port, false):
      // Without TLS anyone on the network can read the recording, so that is the exception.
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

  /// The value of `--listen`, which accepts only numeric addresses. Another host name must be
  /// passed with `--name`.
  private static func listening(at host: String, port: Int) -> String {
    let isNumeric =
      host.contains(":") || host.utf8.allSatisfy { $0 == 0x2E || (0x30...0x39).contains($0) }
    if isNumeric { return host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
    if isLoopback(host) { return "127.0.0.1:\(port)" }
    return "0.0.0.0:\(port) --name \(host.shellWord)"
  }

  /// Reports what the daemon did not acknowledge, in one line; nil if there is nothing to report.
  ///
  /// Silent if no daemon was requested and none was running.
  func unsentMessage(_ why: String) -> String? {
    guard wasWelcomed || !options.requestedAddresses.isEmpty, !hasCountedUnsent else { return nil }
    let (kept, unsent) = (outbox.count, outbox.unsentCount)
    let dropped = outbox.counts.dropped - reportedAbandoned
    guard kept > 0 else {
      guard dropped > 0 else { return nil }
      return "\(Counted.entries(dropped)) did not reach the daemon. \(Self.bufferAdvice)"
    }
    let earlier = dropped > 0 ? " \(Counted.entries(dropped)) had been dropped before." : ""
    // A daemon that refused the recorder, or that it refused, is running: `lastError` says why, and
    // this must not contradict it.
    let why = refusalReason ?? why
    let advice =
      why.contains("To fix, ") ? "" : " " + Self.unsentAdvice(isConnected: machine.isWelcomed)
    // The reason of a refusal was logged, too.
    if hasReportedUnusable || refusalReason != nil, !wasWelcomed {
      return "\(Counted.entriesWere(kept)) not sent to the daemon, for the reason above.\(earlier)"
    }
    guard unsent < kept else {
      return "\(Counted.entriesWere(kept)) not sent to the daemon: \(why).\(earlier)\(advice)"
    }
    let rest = unsent > 0 ? "\(unsent) of them were not sent" : "all of them were sent"
    return
      "\(Counted.entriesWere(kept)) not stored by the daemon: \(why); \(rest).\(earlier)\(advice)"
  }

  private var refusalReason: String? {
    guard case .refused(let reason, _) = machine.state else { return nil }
    return reason.hasSuffix(".") ? String(reason.dropLast()) : reason
  }

  static func unsentAdvice(isConnected: Bool) -> String {
    isConnected
      ? "To fix, call close(within:) with more time, before the program ends."
      : "To fix, start the daemon, or record to a file."
  }

  private static let bufferAdvice =
    "To fix, raise RecorderOptions.bufferBytes, or set RecorderOptions.spillPath."

  /// Counts what the daemon did not acknowledge as lost, once.
  mutating func countUnsentAsLost() {
    guard !hasCountedUnsent else { return }
    hasCountedUnsent = true
    outbox.counts.dropped += outbox.count
  }

  /// Reports each cause of losses once; the statistics continue to count.
  mutating func lossMessage() -> String? {
    let counts = outbox.counts
    if !hasReportedAbandoned, counts.abandoned > reportedAbandoned {
      hasReportedAbandoned = true
      return """
        Entries are lost because their timeline was deleted from the daemon before they arrived. \
        The recorder continues with a new timeline. From now on such losses are only counted.
        """
    }
    // What was unsent at the end is in `counts.dropped`, too, and has a message of its own.
    guard wasWelcomed || !options.requestedAddresses.isEmpty, !hasReportedLoss, !hasCountedUnsent,
      counts.dropped > counts.abandoned
    else { return nil }
    hasReportedLoss = true
    let why =
      machine.isWelcomed
      ? "they arrive faster than the daemon stores them" : "no daemon is connected"
    return """
      Entries are lost on the way to the daemon: \(why), and the buffer of \
      \(options.outbox.bytes) bytes is full. \(Self.bufferAdvice) From now on losses are only counted.
      """
  }

  /// Handles an error that the daemon replied.
  mutating func handleRefusal(_ error: ErrorReply, now: Duration) -> [Work] {
    let note = "The daemon refused: \(error.message)"
    guard let timeline = error.timeline else { return [.log(note)] }
    switch outbox.refuse(timeline) {
    case .connectAgain:
      // A new connection continues where the daemon's `welcome` says.
      return [.log(note)] + handle(.reconnect(error.message), now: now)
    case .abandoned(let kept, let lost):
      reportedAbandoned += kept
      return [
        .log("\(note) The timeline is abandoned, and \(Counted.entries(lost)) of it are lost.")
      ]
    case .over(let unreported) where unreported > 0:
      let lost = Counted.entries(unreported)
      return [.log("\(note) The timeline does not say that \(lost) were lost at its end.")]
    case .over: return [.log(note)]
    }
  }
}
