#if canImport(Glibc)
  import Glibc
  import JSONCore
  import Timelines

  /// The bytes on their way to and from a host's process, and the wait for both.
  ///
  /// Safe: buffers are lent to `read` and `write` with their sizes, and not kept.
  struct HostStreams {
    private let wakes: Int32
    private var lines: LineBuffer
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var words = OutputLines()
    private var isDumb = false
    private let hear: (@Sendable (String) -> Void)?

    /// The streams of a process that was just started, whose lines have at most `limit` bytes.
    ///
    /// - Parameters:
    ///   - wakes: a pipe that ends a wait.
    ///   - hear: is called with each line that the process writes for people.
    init(wakes: Int32, limit: Int, hear: (@Sendable (String) -> Void)?) {
      self.wakes = wakes
      self.hear = hear
      // A line is a message and the keys around it.
      lines = LineBuffer(limit: limit + 4_096)
    }

    /// Adds a line to what is sent.
    mutating func write(_ message: Envelope<ToRecorder>) {
      outgoing += message.encoded() + [UInt8(ascii: "\n")]
    }

    /// Waits until somebody wakes or the time is over; whether somebody woke.
    ///
    /// - Parameter child: the process, which may write for people meanwhile.
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

    /// Writes and reads what can be, after waiting until something can or until a moment.
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

    /// Reads what a process that is over wrote for people last. One that still writes is not waited for.
    mutating func finish(_ child: HostChild.Handles) {
      // A pipe holds this much at most.
      for _ in 0..<16 where errors(of: child) >= 0 {
        guard poll([errors(of: child)], until: .now)[0] else { break }
        readErrors(of: child)
      }
      if let rest = words.takeRest() { hear?(rest) }
    }

    /// The stream that a process writes to for people; -1, which is never ready, when that has ended.
    private func errors(of child: HostChild.Handles?) -> Int32 {
      isDumb ? -1 : child?.errors ?? -1
    }

    private mutating func readErrors(of child: HostChild.Handles?) {
      guard let errors = child?.errors else { return }
      withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 16) { buffer in
        let count = Glibc.read(errors, buffer.baseAddress, buffer.count)
        if count > 0 {
          for line in words.append(buffer[..<count]) { hear?(line) }
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
          isDumb = true
        }
      }
    }

    private mutating func send(to input: Int32) {
      let written = outgoing.withUnsafeBytes { bytes in
        Glibc.write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
      }
      if written > 0 { sent += written }
      // Where nobody reads any more, what the process wrote before it died is still read.
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

    /// Which of the streams are ready; the last one to be written to.
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
