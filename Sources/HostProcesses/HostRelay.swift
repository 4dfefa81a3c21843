import Wire

#if canImport(Glibc)
  import Glibc
  import JSONCore
  import Timelines

  /// Passes requests one by one to a host process, and its answers back.
  ///
  /// Confined to one thread.
  struct HostRelay: ~Copyable {
    /// Whether the caller still waits for a request.
    enum Interest { case wanted, canceled, stopped }

    private let settings: HostProcess.Settings
    private let wakes: Int32
    private var streams: HostStreams
    private var child: HostChild?
    private var handles: HostChild.Handles?
    private var file: FileIdentity?
    private var offer: FromRecorder.HostOffer?
    private var greeting = HostGreeting()
    private var number: Int64 = 0
    /// Why the last process was ended; reported with the start of the next one.
    private var restartReason: String?

    init(_ settings: HostProcess.Settings, wakes: Int32) {
      self.settings = settings
      self.wakes = wakes
      streams = HostStreams(
        wakes: wakes, limit: settings.limits.messageBytes, onErrorLine: settings.onErrorLine)
    }

    /// How often the memory of the process is measured. A process that allocates as fast as it can
    /// gets some tens of megabytes in that time.
    private static var memoryCheckInterval: Duration { .milliseconds(20) }

    /// Waits until the thread is woken, and returns true, or ends the process if it was idle too long.
    mutating func waitForWork() -> Bool {
      let isWoken = streams.wait(
        .milliseconds(settings.limits.idleMilliseconds), with: handles)
      if !isWoken {
        end()
        settings.onStatus(.idled)
      }
      return isWoken
    }

    /// Runs a request to its end, and always answers it.
    mutating func run(_ request: HostProcess.Request, interest: () -> Interest) {
      number += 1
      do throws(HostChildError) {
        try startIfNeeded()
      } catch {
        settings.onStatus(.refused(error.description))
        return request.answer(.error(.failed, error.description))
      }
      var run = HostRelayRun(
        request, number: number, limits: settings.limits, isStarted: offer != nil)
      if let offer, run.started(offer) { return }
      if let work = request.work {
        streams.write(Envelope(work.message, id: .number(number)))
      }
      while true {
        switch interest() {
        case .wanted: break
        case .stopped:
          end()
          return run.answerCanceled()
        case .canceled where !run.isCancelled:
          run.cancel()
          streams.write(
            Envelope(ToRecorder.cancel(ToRecorder.Cancel { $0.request = .number(number) })))
        case .canceled: break
        }
        if advance(&run) { return }
      }
    }

    /// Works on a request for one interval; returns whether it was answered.
    private mutating func advance(_ run: inout HostRelayRun) -> Bool {
      guard let handles else { return true }
      let exchanged = streams.exchange(
        with: handles, until: min(run.deadline, .now + Self.memoryCheckInterval))
      for line in exchanged.lines where receive(line, &run) { return true }
      let wasGreeted = offer != nil
      if exchanged.isEnded {
        waitForDeath()
        let signal = end("The previous process ended.")
        if wasGreeted {
          run.answerDeath(by: signal)
        } else {
          fail(run.request, greeting.problem(endedBy: signal))
        }
        return true
      }
      if .now > run.deadline {
        end("The previous process did not return in time.")
        if wasGreeted || run.isCancelled {
          run.answerLimit("The reducer exceeded its time limit, so the host was ended.")
        } else {
          fail(run.request, greeting.problem(silentFor: settings.limits.startMilliseconds))
        }
        return true
      }
      if ProcessMemory.resident(of: handles.process) > run.memory {
        end("The previous process used too much memory.")
        run.answerLimit("The host used more than \(run.memory) bytes of memory, so it was ended.")
        return true
      }
      return false
    }

    /// Handles a line of the process; returns whether it ends the request.
    private mutating func receive(_ line: LineBuffer.Line, _ run: inout HostRelayRun) -> Bool {
      guard offer != nil else {
        switch greeting.receive(line) {
        case .waiting: return false
        case .wrong(let sentence):
          end()
          fail(run.request, sentence)
          return true
        case .host(let offer):
          self.offer = offer
          settings.onStatus(.started(offer, why: restartReason))
          restartReason = nil
          return run.started(offer)
        }
      }
      guard case .whole(let bytes) = line else {
        end("The previous process answered with a line that was too long.")
        run.request.answer(.error(.limit, "The host answered with a line that is too long."))
        return true
      }
      do throws(MessageError) {
        let envelope = try Envelope<FromRecorder>(reading: bytes, maxMessage: bytes.count)
        if let mistake = run.mistake(in: envelope) { throw mistake }
        guard run.receive(envelope) else { return false }
      } catch {
        // Other code in the process may write to the stream, too.
        guard let sentence = HostMistake.sentence(for: bytes, error) else { return false }
        // It may go on answering, and the next request must not get that.
        end("The previous process sent an answer that is not valid.")
        run.request.answer(.error(.failed, sentence))
        return true
      }
      // A process that reported a trap is about to exit, and must not receive the next request.
      if run.hasTrapped { end("The previous process trapped.") }
      return true
    }

    /// Reports that the host cannot be used, and refuses the request.
    private func fail(_ request: HostProcess.Request, _ sentence: String) {
      settings.onStatus(.failed(sentence))
      request.answer(.error(.failed, sentence))
    }

    private mutating func startIfNeeded() throws(HostChildError) {
      let executable = settings.executable
      let found = FileIdentity(path: executable.path)
      if handles != nil {
        // A missing file is being rebuilt; until then the old process is still good.
        if found == nil || found == file, !isDead { return }
        end(isDead ? "The previous process ended." : "Its file changed.")
      }
      greeting = HostGreeting()
      streams = HostStreams(
        wakes: wakes, limit: settings.limits.messageBytes, onErrorLine: settings.onErrorLine)
      file = found
      let child = try HostChild(
        executable: executable.path, arguments: executable.arguments,
        environment: settings.environment().merging(HostEnvironment.host) { $1 },
        readsErrors: settings.onErrorLine != nil)
      handles = child.handles
      self.child = consume child
    }

    /// The streams of a process close a moment before its exit status is available.
    private func waitForDeath() {
      // At most 0.1 s, in case the process closed its streams and lives on.
      for _ in 0..<100 where !isDead { usleep(1_000) }
    }

    private var isDead: Bool { death != nil }

    /// How the process ended; `nil` while it runs.
    private var death: siginfo_t? {
      guard let process = handles?.process else { return nil }
      var info = siginfo_t()
      let isDead =
        waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        && info.si_signo == SIGCHLD
      return isDead ? info : nil
    }

    /// Ends the process. Returns the signal that had already ended it, if any.
    @discardableResult
    private mutating func end(_ why: String? = nil) -> Int32? {
      let death = death
      if let handles { streams.finish(handles) }
      child = nil
      handles = nil
      offer = nil
      restartReason = why ?? restartReason
      guard let death, death.si_code != CLD_EXITED else { return nil }
      return death._sifields._sigchld.si_status
    }
  }
#endif
