#if canImport(Glibc)
  import Glibc

  /// A process that was started as a host, and the streams to and from it.
  ///
  /// It is in a process group of its own, so that what it starts is ended with it, and inherits no
  /// file but the three standard streams.
  struct HostChild: ~Copyable {
    /// The process, which is also its group.
    let process: pid_t
    /// Where it reads; does not block.
    let input: Int32
    /// Where it writes; does not block.
    let output: Int32

    /// Starts an executable; the error is a sentence.
    init(
      executable: String, arguments: [String], environment: [String: String]
    ) throws(HostChildError) {
      guard let toChild = OpenStreams.pipe() else { throw HostChildError("pipe", errno) }
      guard let fromChild = OpenStreams.pipe() else {
        let error = errno
        Self.close([toChild.reads, toChild.writes])
        throw HostChildError("pipe", error)
      }
      var process = pid_t()
      let result = Self.spawn(
        &process, executable, arguments, environment, reads: toChild.reads, writes: fromChild.writes
      )
      Self.close([toChild.reads, fromChild.writes])
      guard result == 0 else {
        Self.close([toChild.writes, fromChild.reads])
        throw HostChildError(executable, result)
      }
      self.process = process
      input = toChild.writes
      output = fromChild.reads
      for stream in [input, output] {
        _ = fcntl(stream, F_SETFL, fcntl(stream, F_GETFL) | O_NONBLOCK)
      }
    }

    deinit {
      // Whatever it does, nobody waits for it: the group, because it may have started something.
      Glibc.close(input)
      Glibc.close(output)
      kill(-process, SIGKILL)
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
    }

    private static func close(_ streams: [Int32]) {
      for stream in streams { Glibc.close(stream) }
    }

    private static func spawn(
      _ process: inout pid_t, _ executable: String, _ arguments: [String],
      _ environment: [String: String], reads: Int32, writes: Int32
    ) -> Int32 {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, reads, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, writes, STDOUT_FILENO)
      // One that is opened meanwhile without close-on-exec slips through; glibc overlooks one that
      // was closed meanwhile.
      for stream in OpenStreams.beyondStandard {
        posix_spawn_file_actions_addclose(&actions, stream)
      }
      var attributes = posix_spawnattr_t()
      posix_spawnattr_init(&attributes)
      defer { posix_spawnattr_destroy(&attributes) }
      var signals = sigset_t()
      sigfillset(&signals)
      posix_spawnattr_setsigdefault(&attributes, &signals)
      sigemptyset(&signals)
      posix_spawnattr_setsigmask(&attributes, &signals)
      posix_spawnattr_setpgroup(&attributes, 0)
      posix_spawnattr_setflags(
        &attributes,
        Int16(POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))
      let words = ([executable] + arguments).map { strdup($0) }
      let settings = environment.map { strdup("\($0.key)=\($0.value)") }
      defer { for text in words + settings { free(text) } }
      return posix_spawn(
        &process, executable, &actions, &attributes, words + [nil], settings + [nil])
    }
  }

  /// Why a host could not be started.
  struct HostChildError: Error, CustomStringConvertible {
    let description: String

    init(_ what: String, _ error: Int32) {
      description = "The host could not be started: \(what): \(String(cString: strerror(error)))."
    }
  }
#endif
