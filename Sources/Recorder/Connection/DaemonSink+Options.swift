import JSONCore
import Replaying
import Synchronization
import Timelines

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

extension DaemonSink {
  /// Makes the sink for a daemon from the recorder's options. Logs a sentence and returns nil if
  /// the options are invalid or this build has no transport for them.
  package static func make(
    _ destination: DaemonDestination, _ context: SinkContext,
    handler: (any CommandHandler)? = nil
  ) -> DaemonSink? {
    let log = context.options.log
    guard let addresses = addresses(of: destination, context.environment, log) else { return nil }
    var transports: [any Transport] = []
    for address in addresses {
      guard let transport = transport(to: address, destination, log) else { return nil }
      transports.append(transport)
    }
    var options = DaemonSinkOptions(log: log)
    options.outbox.bytes = context.options.bufferBytes
    options.outbox.batchDelay = context.options.batches.delay
    options.outbox.batchBytes = context.options.batches.bytes
    options.outbox.batchEntries = max(1, context.options.batches.entries)
    options.spillPath = context.options.spillPath
    options.outbox.spillBytes = max(0, context.options.spillBytes)
    options.run = context.app.run
    options.requestedAddresses = destination.address == nil ? [] : addresses
    options.certificate = destination.trust
    var trusts: [ConnectionMachine.Trust] = []
    for address in addresses {
      guard let trust = trust(of: destination, at: address, log) else { return nil }
      trusts.append(trust)
    }
    options.trusts = trusts
    return DaemonSink(transports, options: options, handler: handler)
  }

  /// The addresses in the order in which they are tried; nil after logging that one is invalid.
  private static func addresses(
    of destination: DaemonDestination, _ environment: RecorderEnvironment,
    _ log: (String) -> Void
  ) -> [DaemonAddress]? {
    func report(_ problem: String) {
      log(
        """
        Nothing is sent to a daemon: \(problem). To fix, set its address to unix:/path, \
        ws://host:port, or wss://host:port.
        """)
    }
    guard let first = destination.address else {
      let standard = DaemonAddress.standard(environment.variables)
      if standard == nil { report("the environment names no folder for its socket") }
      return standard.map { [$0] }
    }
    var addresses: [DaemonAddress] = []
    for text in [first] + destination.alternatives.prefix(DaemonAddress.maximumAddresses - 1) {
      guard let address = DaemonAddress(text) else {
        report("the address \(text.debugDescription) is invalid")
        return nil
      }
      if !addresses.contains(address) { addresses.append(address) }
    }
    return addresses
  }

  /// The transport to an address. If it cannot be made, logs the reason and returns `nil`.
  private static func transport(
    to address: DaemonAddress, _ destination: DaemonDestination, _ log: (String) -> Void
  ) -> (any Transport)? {
    if case .network(_, _, isSecure: false) = address, destination.trust != .system {
      log(
        """
        Nothing is sent to \(address): a certificate can be checked only over TLS. To fix, write \
        wss:// in the address, or unset DEBUGD_AUTHORITY and DEBUGD_FINGERPRINT.
        """)
      return nil
    }
    if let problem = destination.trust.problem {
      log("Nothing is sent to \(address). \(problem)")
      return nil
    }
    guard let transport = transport(to: address, destination.trust) else {
      log(
        """
        Nothing is sent to \(address): this build cannot connect to it in that way. To fix, record to \
        ws://host:port, or to wss://host:port with a certificate that the system trusts.
        """)
      return nil
    }
    return transport
  }

  private static func trust(
    of destination: DaemonDestination, at address: DaemonAddress, _ log: (String) -> Void
  ) -> ConnectionMachine.Trust? {
    switch address {
    case .socket: .socket
    case .network:
      secret(of: destination, { log("Nothing is sent to \(address). \($0)") }).map { .secret($0) }
    }
  }

  private static func transport(
    to address: DaemonAddress, _ trust: DaemonTrust
  ) -> (any Transport)? {
    #if Recording && os(Linux)
      SocketTransport(address, trust: trust)
    #elseif Recording && canImport(Darwin)
      trust == .system ? URLSessionTransport(address) : nil
    #else
      nil
    #endif
  }

  /// Returns the secret without the line break that an editor leaves at the end.
  private static func secret(
    of destination: DaemonDestination, _ log: (String) -> Void
  ) -> [UInt8]? {
    var bytes = destination.secret.map { Array($0.utf8) } ?? []
    if destination.secret == nil, let path = destination.secretPath {
      switch SecretFile.read(path) {
      case .success(let read): bytes = read
      case .failure(let problem):
        log("The secret cannot be read from \(path): \(problem.text)")
        return nil
      }
    }
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    // 128 bits.
    guard bytes.count >= 16 else {
      log(
        """
        Recording over a network needs a secret of at least 16 bytes, and this one has \
        \(bytes.count). To fix, set DEBUGD_SECRET_FILE to the path of the daemon's secret.
        """)
      return nil
    }
    return bytes
  }
}

extension DaemonSink: CountingSink {
  package func add(to statistics: inout RecorderStatistics) {
    let status = status
    statistics.thinned += status.counts.thinned
    statistics.lost += status.counts.dropped
    statistics.sent += status.counts.sent
    statistics.acknowledged += status.counts.acknowledged
    statistics.lastError = statistics.lastError ?? status.problem
  }
}

extension DaemonSink: ReportingSink {
  package func reportUnsent(_ why: String, isOver: Bool) {
    guard isOurs else { return }
    let notes = core.withLock { core in
      let notes = [core.unusableMessage(), core.unsentMessage(why)]
      if isOver { core.countUnsentAsLost() }
      return notes.compactMap(\.self)
    }
    for note in notes { options.log(Self.printable(note)) }
  }
}

/// Reads a secret from a file that no other user can read.
enum SecretFile {
  /// Why it was not read.
  struct Problem: Error {
    let text: String
  }

  /// Longer than any secret: a larger file is another file.
  private static let maximumBytes = 4_096

  private static let readable = "pass the path of a file that you can read"

  static func read(_ path: String) -> Result<[UInt8], Problem> {
    // Opening a FIFO does not block, and a link is not followed.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      return .failure(
        Problem(
          text: errno == ELOOP
            ? "It is a symbolic link. To fix, pass the path of the file itself."
            : SystemError(errno).sentences(.reading, pathAdvice: readable)))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(Problem(text: "It is not a file. To fix, pass the path of a file."))
    }
    guard status.st_uid == geteuid() else {
      return .failure(
        Problem(text: "It belongs to another user. To fix, pass the path of your own copy."))
    }
    guard status.st_mode & 0o077 == 0 else {
      return .failure(
        Problem(
          text: "Other users can read it. To fix, run: chmod 600 \(path.shellWord)"))
    }
    var bytes = [UInt8](repeating: 0, count: maximumBytes + 1)
    // Safe: the buffer is lent for the call, with its size.
    let count = bytes.withUnsafeMutableBytes { readBytes(file, $0) }
    guard count >= 0 else {
      let why = SystemError(errno).sentences(.reading, pathAdvice: readable)
      return .failure(Problem(text: why))
    }
    guard count <= maximumBytes else {
      return .failure(
        Problem(
          text:
            "It is longer than \(maximumBytes) bytes. To fix, pass the path of the daemon's secret."
        ))
    }
    return .success(Array(bytes.prefix(count)))
  }
}

/// The system's `read`, which the enclosing type's own name hides.
private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
