import Wire

#if canImport(Glibc)
  import Glibc
  import JSONCore
  import Timelines

  /// Buffers and polls the streams of a host process.
  ///
  /// Safe: `read` and `write` get buffers with their sizes, and do not keep them.
  struct HostStreams {
    private let wakes: Int32
    private var lines: LineBuffer
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var errorLines = OutputLines()
    private var hasClosedErrors = false
    private let onErrorLine: (@Sendable (String) -> Void)?

    /// Creates the streams of a new process, with lines of at most `limit` bytes.
    ///
    /// - Parameters:
    ///   - wakes: A pipe that ends a wait.
    ///   - onErrorLine: Receives each line of the process's standard error.
    init(wakes: Int32, limit: Int, onErrorLine: (@Sendable (String) -> Void)?) {
      self.wakes = wakes
      self.onErrorLine = onErrorLine
      // A line is a message and the keys of its envelope.
      lines = LineBuffer(limit: limit + 4_096)
    }

    /// Queues a message.
    mutating func write(_ message: Envelope<ToRecorder>) {
      outgoing += message.encoded() + [UInt8(ascii: "\n")]
    }

    /// Waits until the thread is woken or the time is over; returns whether it was woken.
    ///
    /// - Parameter child: The process, whose standard error is read meanwhile.
    mutating func wait(_ time: Duration, with child: HostChild.Handles?) -> Bool {
      let deadline = ContinuousClock.now + time
      while true {
        let ready = poll([wakes, errors(of: child)], until: deadline)
        if ready[1] { readErrors(of: child) }
        if ready[0] {
          drainWakes()
          return true
        }
        if .now >= deadline { return false }
      }
    }

    /// Waits until a stream is ready or the deadline, then writes and reads without blocking.
    mutating func exchange(
      with child: HostChild.Handles, until deadline: ContinuousClock.Instant
    ) -> (lines: [LineBuffer.Line], isEnded: Bool) {
      let isWriting = sent < outgoing.count
      let ready = poll(
        [wakes, child.output, errors(of: child)], writing: isWriting ? child.input : nil,
        until: deadline)
      if ready[0] { drainWakes() }
      if ready[2] { readErrors(of: child) }
      if ready[3] { send(to: child.input) }
      return ready[1] ? read(child.output) : ([], false)
    }

    /// Reads the rest of a process's standard error. Does not wait for one that still writes.
    mutating func finish(_ child: HostChild.Handles) {
      // A pipe holds at most this much.
      for _ in 0..<16 where errors(of: child) >= 0 {
        guard poll([errors(of: child)], until: .now)[0] else { break }
        readErrors(of: child)
      }
      if let rest = errorLines.removeRest() { onErrorLine?(rest) }
    }

    /// The standard error of a process; -1, which is never ready, once it is closed.
    private func errors(of child: HostChild.Handles?) -> Int32 {
      hasClosedErrors ? -1 : child?.errors ?? -1
    }

    private mutating func readErrors(of child: HostChild.Handles?) {
      guard let errors = child?.errors else { return }
      withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
        let count = Glibc.read(errors, buffer.baseAddress, buffer.count)
        if count > 0 {
          for line in errorLines.append(buffer[..<count]) { onErrorLine?(line) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
          hasClosedErrors = true
        }
      }
    }

    private mutating func send(to input: Int32) {
      let written = outgoing.withUnsafeBytes { bytes in
        Glibc.write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if written > 0 { sent += written }
      // The process may have died; its last output is still read.
      if sent == outgoing.count || (written < 0 && errno == EPIPE) {
        outgoing = []
        sent = 0
      }
    }

    private mutating func read(_ output: Int32) -> (lines: [LineBuffer.Line], isEnded: Bool) {
      var found: [LineBuffer.Line] = []
      var isEnded = false
      withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
        let count = Glibc.read(output, buffer.baseAddress, buffer.count)
        if count > 0 {
          lines.append(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { found.append($0) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
          isEnded = true
        }
      }
      return (found, isEnded)
    }

    private func drainWakes() {
      withUnsafeTemporaryAllocation(byteCount: 64, alignment: 1) { buffer in
        while Glibc.read(wakes, buffer.baseAddress, buffer.count) > 0 {}
      }
    }

    /// Which streams are ready; the last element is for the stream to write to.
    private func poll(
      _ reading: [Int32], writing: Int32? = nil, until deadline: ContinuousClock.Instant
    ) -> [Bool] {
      var streams = reading.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      streams.append(pollfd(fd: writing ?? -1, events: Int16(POLLOUT), revents: 0))
      let (seconds, attoseconds) = max(.zero, deadline - .now).components
      let milliseconds = min(seconds, 1_000_000) * 1_000 + attoseconds / 1_000_000_000_000_000 + 1
      _ = Glibc.poll(&streams, nfds_t(streams.count), Int32(milliseconds))
      return streams.map { $0.revents != 0 }
    }
  }
#endif
