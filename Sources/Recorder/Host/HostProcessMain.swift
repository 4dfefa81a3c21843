import HostProcesses
import JSONCore
import Replaying
import Synchronization
import Timelines

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a host process does: lines in, lines out, until the input ends.
///
/// One thread reads, so that a request can be cancelled while another one works, and so that the
/// process ends with its input even when a reducer never returns.
final class HostProcessMain: Sendable {
  private struct Queue {
    var lines: [LineBuffer.Line] = []
    var cancelled: Set<RequestID> = []
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
    let (input, output) = Self.takeStreams()
    signalIgnoringPipe()
    TrapSlot.shared.install(answeringOn: output)
    // 71 is what `sysexits` calls a failure of the system.
    guard signal != nil, HostThread.start({ self.work(output) }) else { _exit(71) }
    read(input)
    _exit(0)
  }

  /// Moves the protocol away from the standard streams: what a reducer prints goes to the standard
  /// error stream, and what it reads is empty.
  private static func takeStreams() -> (input: Int32, output: Int32) {
    let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
    let output = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
    dup2(STDERR_FILENO, STDOUT_FILENO)
    let nothing = open("/dev/null", O_RDONLY)
    if nothing >= 0 { dup2(nothing, STDIN_FILENO) }
    if nothing > STDERR_FILENO { close(nothing) }
    return (input, output)
  }

  private func signalIgnoringPipe() {
    // Without a reader there is nobody to answer: the next read says that the input has ended.
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
    // Safe: the buffer is read no further than was written to it, and not kept.
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
      while true {
        let count = Self.read(input, buffer)
        guard count > 0 else { return }
        lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
          if case .whole(let bytes) = line, let request = Self.cancelled(by: bytes) {
            queue.withLock { _ = $0.cancelled.insert(request) }
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

  /// The request that a line cancels; a line that only looks like it costs one look more.
  private static func cancelled(by line: [UInt8]) -> RequestID? {
    // Requests are long, and this is on the way of each: no cancel has a hundredth of that.
    guard line.count < 1_024,
      case .cancel(let cancel)? = try? Envelope<ToRecorder>(reading: line, maxMessage: 1_024).body
    else { return nil }
    return cancel.request
  }

  private func work(_ output: Int32) {
    TrapSlot.prepareThread()
    let start = ContinuousClock.now
    var surroundings = HostSurroundings(
      now: { ContinuousClock.now - start }, memory: { ProcessMemory.resident() },
      isCancelled: { id in self.queue.withLock { $0.cancelled.contains(id) } })
    surroundings.willRun = { id, seq in TrapSlot.shared.begin(Self.head(of: id), at: seq) }
    surroundings.didCollect = { TrapSlot.shared.collect($0) }
    surroundings.didSend = { TrapSlot.shared.clear() }
    let session = HostSession(
      machines, limits: limits, surroundings: surroundings, keeps: true)
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

  /// The beginning of the line that tells of a trap.
  private static func head(of id: RequestID) -> [UInt8] {
    let empty = Envelope(FromRecorder.reduced(FromRecorder.Reduced()), re: id).encoded()
    // `{"type":"reduced","re":8,"entries":[` is everything before the last `]}`.
    return Array(empty.dropLast(2))
  }
}
