#if canImport(Glibc)
  import Glibc
  import JSONCore
  import Timelines

  /// Passes one request after the other to a host's process, and what it answers back.
  ///
  /// It belongs to one thread.
  struct HostRelay: ~Copyable {
    /// Whether somebody still waits for a request.
    enum Interest { case wanted, cancelled, stopped }

    private let settings: HostProcess.Settings
    private let wakes: Int32
    private var streams: HostStreams
    private var child: HostChild?
    private var handles: HostChild.Handles?
    private var file: FileIdentity?
    private var offer: FromRecorder.HostOffer?
    private var greeting = HostGreeting()
    private var number: Int64 = 0
    /// Why the last process was ended, until the next one has said so.
    private var restarts: String?

    init(_ settings: HostProcess.Settings, wakes: Int32) {
      self.settings = settings
      self.wakes = wakes
      streams = HostStreams(
        wakes: wakes, limit: settings.limits.messageBytes, hear: settings.hear)
    }

    /// How often the memory of the process is looked at: what allocates as fast as it can takes some
    /// tens of megabytes in that time.
    private static var watchInterval: Duration { .milliseconds(20) }

    /// Waits until somebody wakes or the process has been idle for long; whether somebody woke.
    mutating func waitForWork() -> Bool {
      let isWoken = streams.wait(
        .milliseconds(settings.limits.idleMilliseconds), with: handles)
      if !isWoken {
        end()
        settings.tell(.slept)
      }
      return isWoken
    }

    /// Runs a request to its end: an answer is given in any case.
    mutating func run(_ request: HostProcess.Request, interest: () -> Interest) {
      number += 1
      do throws(HostChildError) {
        try startIfNeeded()
      } catch {
        return fail(request, error.description)
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
          return run.answerCancelled()
        case .cancelled where !run.isCancelled:
          run.cancel()
          streams.write(
            Envelope(ToRecorder.cancel(ToRecorder.Cancel { $0.request = .number(number) })))
        case .cancelled: break
        }
        if isOver(&run) { return }
      }
    }

    /// Goes on with a request for a moment; whether it was answered.
    private mutating func isOver(_ run: inout HostRelayRun) -> Bool {
      guard let handles else { return true }
      let exchanged = streams.exchange(
        with: handles, until: min(run.deadline, .now + Self.watchInterval))
      for line in exchanged.lines where take(line, &run) { return true }
      let wasGreeted = offer != nil
      if exchanged.isEnded {
        waitForDeath()
        let signal = end("The one before it ended.")
        if wasGreeted {
          run.answerDeath(by: signal)
        } else {
          fail(run.request, greeting.ended(by: signal))
        }
        return true
      }
      if .now > run.deadline {
        end("The one before it did not return in time.")
        if wasGreeted || run.isCancelled {
          run.answerLimit("The reducer did not return within its time, and was ended.")
        } else {
          fail(run.request, greeting.late(settings.limits.startMilliseconds))
        }
        return true
      }
      if ProcessMemory.resident(of: handles.process) > run.memory {
        end("The one before it took too much memory.")
        run.answerLimit("The host took more than \(run.memory) bytes of memory, and was ended.")
        return true
      }
      return false
    }

    /// Takes a line of the process; whether it ends the request.
    private mutating func take(_ line: LineBuffer.Line, _ run: inout HostRelayRun) -> Bool {
      guard offer != nil else {
        switch greeting.take(line) {
        case .waiting: return false
        case .wrong(let sentence):
          end()
          fail(run.request, sentence)
          return true
        case .host(let offer):
          self.offer = offer
          settings.tell(.started(offer, why: restarts))
          restarts = nil
          return run.started(offer)
        }
      }
      guard case .whole(let bytes) = line else {
        end("The one before it answered with a line that was too long.")
        run.request.answer(.error(.limit, "The host answered with a line that is too long."))
        return true
      }
      guard let envelope = try? Envelope<FromRecorder>(reading: bytes, maxMessage: bytes.count),
        run.take(envelope)
      else {
        // Somebody wrote to a stream that is not theirs; the request is not answered by that.
        return false
      }
      // One that told of its trap is on its way out, and must not get the next request.
      if run.hasTrapped { end("The one before it trapped.") }
      return true
    }

    /// Refuses a request because there is no host.
    private func fail(_ request: HostProcess.Request, _ sentence: String) {
      settings.tell(.failed(sentence))
      request.answer(.error(.failed, sentence))
    }

    private mutating func startIfNeeded() throws(HostChildError) {
      let executable = settings.executable
      let found = FileIdentity(path: executable.path)
      if handles != nil {
        // While its file is missing it is being built, and the old process is as good as before.
        if found == nil || found == file, !isDead { return }
        end(isDead ? "The one before it ended." : "Its file changed.")
      }
      greeting = HostGreeting()
      streams = HostStreams(
        wakes: wakes, limit: settings.limits.messageBytes, hear: settings.hear)
      file = found
      let child = try HostChild(
        executable: executable.path, arguments: executable.arguments,
        environment: settings.environment().merging(HostEnvironment.host) { $1 },
        readsErrors: settings.hear != nil)
      handles = child.handles
      self.child = consume child
    }

    /// A process closes its streams a moment before it can be asked how it ended.
    private func waitForDeath() {
      // A tenth of a second at most, for one that has closed them and lives on.
      for _ in 0..<100 where !isDead { usleep(1_000) }
    }

    private var isDead: Bool { death != nil }

    /// How the process ended; nil while it has not.
    private var death: siginfo_t? {
      guard let process = handles?.process else { return nil }
      var info = siginfo_t()
      let isDead =
        waitid(P_PID, id_t(process), &info, WEXITED | WNOHANG | WNOWAIT) == 0
        && info.si_signo == SIGCHLD
      return isDead ? info : nil
    }

    /// Ends the process; the signal that had ended it already, when one had.
    @discardableResult
    private mutating func end(_ why: String? = nil) -> Int32? {
      // Its last words were read; what it still does is of no use.
      let death = death
      if let handles { streams.finish(handles) }
      child = nil
      handles = nil
      offer = nil
      restarts = why ?? restarts
      guard let death, death.si_code != CLD_EXITED else { return nil }
      return death._sifields._sigchld.si_status
    }
  }
#endif
