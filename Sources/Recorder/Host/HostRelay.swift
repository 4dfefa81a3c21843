#if canImport(Glibc)
  import Glibc
  import JSONCore
  import Timelines

  /// Passes one request after the other to a host's process, and what it answers back.
  ///
  /// It belongs to one thread.
  ///
  /// Safe: buffers are lent to `read` and `write` with their sizes, and not kept.
  struct HostRelay: ~Copyable {
    private let executable: ProcessHost.Executable
    private let limits: HostLimits
    private let wakes: Int32
    private var child: HostChild?
    private var lines: LineBuffer
    private var outgoing: [UInt8] = []
    private var sent = 0
    private var number: Int64 = 0

    init(executable: ProcessHost.Executable, limits: HostLimits, wakes: Int32) {
      self.executable = executable
      self.limits = limits
      self.wakes = wakes
      lines = LineBuffer(limit: limits.messageBytes + 4_096)
    }

    /// How long beyond its time a host may be at an event.
    private static var grace: Duration { .milliseconds(500) }

    /// How long a process may take to its first line.
    private static var startTime: Duration { .seconds(10) }

    /// How often the memory of the process is looked at: what allocates as fast as it can takes some
    /// tens of megabytes in that time.
    private static var watchInterval: Duration { .milliseconds(20) }

    /// What became of a request so far.
    private enum Progress {
      case running
      case answered
      /// The process has nothing more to say.
      case ended
    }

    /// Waits until somebody wakes or the time is over; whether somebody woke.
    mutating func waitForWork(_ time: Duration) -> Bool {
      let isWoken = poll([wakes], until: .now + time).first == true
      if isWoken { drainWakes() }
      if !isWoken { child = nil }
      return isWoken
    }

    /// Runs a request to its end: an answer is given in any case.
    mutating func run(_ request: ProcessHost.Request, isCancelled: () -> Bool) {
      number += 1
      do throws(HostChildError) {
        try startIfNeeded()
      } catch {
        return request.answer.error(.failed, error.description)
      }
      var run = HostRelayRun(request, number: number, limits: limits, startTime: Self.startTime)
      outgoing +=
        Envelope(ToRecorder.reduce(request.reduce), id: .number(number)).encoded() + [0x0A]
      while true {
        if isCancelled(), !run.isCancelled {
          run.isCancelled = true
          run.deadline = min(run.deadline, .now + Self.grace)
          let cancel = ToRecorder.Cancel { $0.request = .number(number) }
          outgoing += Envelope(ToRecorder.cancel(cancel)).encoded() + [0x0A]
        }
        switch exchange(&run) {
        case .answered:
          // One that told of its trap is on its way out, and must not get the next request.
          if run.hasTrapped { end() }
          return
        case .ended:
          let signal = end()
          return run.answerDeath(by: signal)
        case .running: break
        }
        if .now > run.deadline {
          end()
          return run.answerLimit("The reducer did not return within its time, and was ended.")
        }
        if let process = child?.process, ProcessMemory.resident(of: process) > run.memory {
          end()
          return run.answerLimit(
            "The host took more than \(run.memory) bytes of memory, and was ended.")
        }
      }
    }

    private mutating func startIfNeeded() throws(HostChildError) {
      if let process = child?.process {
        // One that died meanwhile is replaced; nothing was lost with it.
        var info = siginfo_t()
        let isDead =
          waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0
          && info.si_signo == SIGCHLD
        if !isDead { return }
        child = nil
      }
      var environment = [ReducerHost.variable: "1", "DEBUGD": "off"]
      for (key, value) in Self.environment where environment[key] == nil {
        environment[key] = value
      }
      lines = LineBuffer(limit: limits.messageBytes + 4_096)
      outgoing = []
      sent = 0
      child = try HostChild(
        executable: executable.path, arguments: executable.arguments, environment: environment)
    }

    private static var environment: [String: String] {
      var variables: [String: String] = [:]
      var next = environ
      while let entry = next.pointee {
        let text = String(cString: entry)
        if let equals = text.firstIndex(of: "=") {
          variables[String(text[..<equals])] = String(text[text.index(after: equals)...])
        }
        next += 1
      }
      return variables
    }

    /// Ends the process; the signal that had ended it already, when one had.
    @discardableResult
    private mutating func end() -> Int32? {
      guard let process = child?.process else { return nil }
      // Its last words were read; what it still does is of no use.
      var info = siginfo_t()
      let isDead =
        waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        && info.si_signo == SIGCHLD
      let signal = isDead && info.si_code != CLD_EXITED ? info._sifields._sigchld.si_status : nil
      child = nil
      return signal
    }

    /// Writes and reads what can be without waiting longer than the watch interval.
    private mutating func exchange(_ run: inout HostRelayRun) -> Progress {
      guard let input = child?.input, let output = child?.output else { return .ended }
      let isWriting = sent < outgoing.count
      let ready = poll(
        [wakes, output], writing: isWriting ? input : nil,
        until: min(run.deadline, .now + Self.watchInterval))
      if ready[0] { drainWakes() }
      if ready[2] {
        let written = outgoing.withUnsafeBytes { bytes in
          write(input, bytes.baseAddress.map { $0 + sent }, bytes.count - sent)
        }
        if written > 0 { sent += written }
        if sent == outgoing.count {
          outgoing = []
          sent = 0
        }
        // Nobody reads: what it wrote before it died is still read below.
        if written < 0, errno == EPIPE {
          outgoing = []
          sent = 0
        }
      }
      guard ready[1] else { return .running }
      return read(output, &run)
    }

    private mutating func read(_ output: Int32, _ run: inout HostRelayRun) -> Progress {
      var progress = Progress.running
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
      for line in found where run.take(line) { progress = .answered }
      if isEnded, progress == .running { progress = .ended }
      return progress
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
