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
  /// The sink for a daemon as the recorder's options name it; nil, with a sentence in the log, when
  /// it cannot be reached that way or this build has no transport.
  package static func make(
    _ destination: DaemonDestination, _ context: SinkContext,
    handler: (any CommandHandler)? = nil
  ) -> DaemonSink? {
    let log = context.options.log
    guard let address = address(of: destination, context.environment) else {
      log(
        """
        \(destination.address ?? "the socket of a daemon") is no place of a daemon. To fix, write \
        unix:/path, ws://host:port or wss://host:port.
        """)
      return nil
    }
    if let problem = destination.trust.problem {
      log("\(problem) Nothing is sent to a daemon.")
      return nil
    }
    guard let transport = transport(to: address, destination.trust) else {
      log(
        """
        This build has no transport to \(address) that takes certificates as asked. Nothing is sent \
        to a daemon.
        """)
      return nil
    }
    var options = DaemonSinkOptions(log: log)
    options.outbox.bytes = context.options.bufferBytes
    options.outbox.batchDelay = context.options.batches.delay
    options.outbox.batchBytes = context.options.batches.bytes
    options.outbox.batchEntries = max(1, context.options.batches.entries)
    options.spillPath = context.options.spillPath
    options.outbox.spillBytes = max(0, context.options.spillBytes)
    options.run = context.app.run
    options.requestedAddress = destination.address == nil ? nil : address
    if case .network = address {
      guard let secret = secret(of: destination, log) else { return nil }
      options.trust = .secret(secret)
    }
    return DaemonSink(transport, options: options, handler: handler)
  }

  private static func address(
    of destination: DaemonDestination, _ environment: RecorderEnvironment
  ) -> DaemonAddress? {
    guard let text = destination.address else {
      return DaemonAddress.standard(environment.variables)
    }
    return DaemonAddress(text)
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

  /// The secret: its bytes without the line's end that an editor leaves.
  private static func secret(
    of destination: DaemonDestination, _ log: (String) -> Void
  ) -> [UInt8]? {
    var bytes = destination.secret.map { Array($0.utf8) } ?? []
    if destination.secret == nil, let path = destination.secretPath {
      switch SecretFile.read(path) {
      case .success(let read): bytes = read
      case .failure(let problem):
        log("The secret of the daemon cannot be read from \(path): \(problem.text)")
        return nil
      }
    }
    while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
    // 128 bits.
    guard bytes.count >= 16 else {
      log(
        """
        A daemon that is reached by its port needs a secret of 16 bytes or more. To fix, name its \
        file in DEBUGD_SECRET_FILE.
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
  package func reportUnsent() {
    guard isOurs else { return }
    let notes = core.withLock { core in
      [core.unusableNote(), core.unsentNote("the program ended first")].compactMap(\.self)
    }
    for note in notes { options.log(Self.printable(note)) }
  }
}

/// Reads a secret from a file that nobody else can read.
enum SecretFile {
  /// Why it was not read.
  struct Problem: Error {
    let text: String
  }

  /// More than any secret has: what is longer is another file.
  private static let mostBytes = 4_096

  static func read(_ path: String) -> Result<[UInt8], Problem> {
    // Nothing waits for whoever writes to a pipe of that name, and a link is not followed.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else {
      return .failure(
        Problem(
          text: errno == ELOOP
            ? "It is a link, which is not followed. To fix, name the file itself."
            : String(cString: strerror(errno))))
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return .failure(Problem(text: "It is no file."))
    }
    guard status.st_uid == geteuid() else {
      return .failure(Problem(text: "It belongs to another user. To fix, name a copy of your own."))
    }
    guard status.st_mode & 0o077 == 0 else {
      return .failure(
        Problem(
          text: "Others may read it. To fix, make it yours alone: chmod 600 \(path.shellWord)"))
    }
    var bytes = [UInt8](repeating: 0, count: mostBytes + 1)
    // Safe: the buffer is lent for the call, which is told its size.
    let count = bytes.withUnsafeMutableBytes { readBytes(file, $0) }
    guard count >= 0 else { return .failure(Problem(text: String(cString: strerror(errno)))) }
    guard count <= mostBytes else { return .failure(Problem(text: "It is too long for a secret.")) }
    return .success(Array(bytes.prefix(count)))
  }
}

/// The system's `read`, which the enclosing type's own name hides.
private func readBytes(_ file: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(file, buffer.baseAddress, buffer.count)
}
