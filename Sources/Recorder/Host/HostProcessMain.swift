import HostProcesses
import JSONCore
import Replaying
import Synchronization
import Timelines
import Wire

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The main loop of a host process: reads request lines and writes answer lines until the input
/// ends.
///
/// A separate thread reads, so that a request can be canceled while another one runs, and so that
/// the process ends with its input even if a reducer never returns.
final class HostProcessMain: Sendable {
  private struct Queue {
    var lines: [LineBuffer.Line] = []
    var canceled: Set<RequestID> = []
  }

  private let machines: HostedMachines
  private let limits: HostLimits
  private let queue = ForkSafeMutex(Queue())
  private let signal = Waker()

  init(_ machines: HostedMachines, limits: HostLimits) {
    self.machines = machines
    self.limits = limits
  }

  func run() -> Never {
    let (input, output) = Self.redirectStreams()
    signalIgnoringPipe()
    TrapSlot.shared.install(answeringOn: output)
    // 71 is `EX_OSERR`, a failure of the system.
    guard signal != nil, HostThread.start({ self.work(output) }) else { _exit(71) }
    read(input)
    _exit(0)
  }

  /// Moves the protocol away from the standard streams: what a reducer prints goes to the standard
  /// error stream, and its standard input is empty.
  private static func redirectStreams() -> (input: Int32, output: Int32) {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let nothing = open("/dev/null", O_RDONLY)
    if nothing >= 0 { dup2(nothing, STDIN_FILENO) }
    if nothing > STDERR_FILENO { close(nothing) }
    return (input, output)
  }

  private func signalIgnoringPipe() {
    // If the peer is gone, the next read reports the end of the input.
    _ = Self.ignore(SIGPIPE)
  }

  private static func ignore(_ number: Int32) -> Int32 {
    var action = sigaction()
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = SIG_IGN
    #else
      action.__sigaction_handler.sa_handler = SIG_IGN
    #endif
    return sigaction(number, &action, nil)
  }

  private func read(_ input: Int32) {
    var lines = LineBuffer(limit: limits.messageBytes)
    // Safe: only the bytes that were written are read, and the buffer does not escape.
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      while true {
        let count = Self.read(input, buffer)
        guard count > 0 else { return }
        lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
          if case .whole(let bytes) = line, let request = Self.canceledRequest(in: bytes) {
            queue.withLock { _ = $0.canceled.insert(request) }
          } else {
            queue.withLock { $0.lines.append(line) }
          }
          signal?.wake()
        }
      }
    }
  }

  private static func read(_ input: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    while true {
      #if canImport(Glibc)
        let count = Glibc.read(input, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = Musl.read(input, buffer.baseAddress, buffer.count)
      #else
        let count = Darwin.read(input, buffer.baseAddress, buffer.count)
      #endif
      if count < 0, errno == EINTR { continue }
      return count
    }
  }

  /// The request that a line cancels; nil for other lines.
  private static func canceledRequest(in line: [UInt8]) -> RequestID? {
    // Every request passes here, and most are long; a `cancel` never is.
    guard line.count < 1_024,
      case .cancel(let cancel)? = try? Envelope<ToRecorder>(reading: line, maxMessage: 1_024).body
    else { return nil }
    return cancel.request
  }

  private func work(_ output: Int32) {
    TrapSlot.prepareThread()
    let start = ContinuousClock.now
    var environment = HostSessionEnvironment(
      now: { ContinuousClock.now - start }, memory: { ProcessMemory.resident() },
      isCancelled: { id in self.queue.withLock { $0.canceled.contains(id) } })
    environment.willRun = { id, seq in TrapSlot.shared.begin(Self.head(of: id), at: seq) }
    environment.didCollect = { TrapSlot.shared.collect($0) }
    environment.didSend = { TrapSlot.shared.clear() }
    let session = HostSession(
      machines, limits: limits, environment: environment, keeps: true)
    let send: (Envelope<FromRecorder>) -> Void = { writeAll($0.encoded() + [0x0A], to: output) }
    send(session.hello(.process))
    while true {
      let line = queue.withLock { $0.lines.isEmpty ? nil : $0.lines.removeFirst() }
      switch line {
      case .whole(let bytes)?: session.receive(bytes, send: send)
      case .tooLong?:
        send(Envelope(.error(MessageError(.tooLong(limit: limits.messageBytes)).reply)))
      case nil: signal?.wait(nil)
      }
    }
  }

  /// The beginning of the line that reports a trap.
  private static func head(of id: RequestID) -> [UInt8] {
    let empty = Envelope(FromRecorder.reduced(FromRecorder.Reduced()), re: id).encoded()
    // This leaves everything before the last `]}`: `{"type":"reduced","re":8,"entries":[`.
    return Array(empty.dropLast(2))
  }
}
