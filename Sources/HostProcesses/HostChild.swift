import Timelines

#if canImport(Glibc)
  import Glibc

  /// A process that was started as a host, with its streams.
  ///
  /// It has its own process group, so that its children end with it, and inherits only the three
  /// standard streams.
  struct HostChild: ~Copyable {
    /// The identifiers of a process and its streams.
    struct Handles: Sendable {
      /// The process and its process group, which have the same number.
      let process: pid_t
      /// Its standard input; does not block.
      let input: Int32
      /// Its standard output; does not block.
      let output: Int32
      /// Its standard error; does not block. `nil` if it shares this process's stream.
      let errors: Int32?
    }

    /// Valid for the lifetime of this value.
    let handles: Handles

    /// Starts an executable.
    ///
    /// - Parameter readsErrors: Whether its standard error stream is also a pipe.
    init(
      executable: String, arguments: [String], environment: [String: String], readsErrors: Bool
    ) throws(HostChildError) {
      var pipes: [(reads: Int32, writes: Int32)] = []
      while pipes.count < (readsErrors ? 3 : 2) {
        guard let pipe = HostPipe.open() else {
          let error = errno
          for pipe in pipes { Self.close([pipe.reads, pipe.writes]) }
          throw HostChildError(executable, error)
        }
        pipes.append(pipe)
      }
      let (toChild, fromChild) = (pipes[0], pipes[1])
      let errors = readsErrors ? pipes[2] : nil
      var process = pid_t()
      let result = Self.spawn(
        &process, executable, arguments, environment, reads: toChild.reads,
        writes: fromChild.writes, errors: errors?.writes)
      Self.close([toChild.reads, fromChild.writes] + (errors.map { [$0.writes] } ?? []))
      guard result == 0 else {
        Self.close([toChild.writes, fromChild.reads] + (errors.map { [$0.reads] } ?? []))
        throw HostChildError(executable, result)
      }
      handles = Handles(
        process: process, input: toChild.writes, output: fromChild.reads, errors: errors?.reads)
      for stream in [handles.input, handles.output] + (errors.map { [$0.reads] } ?? []) {
        _ = fcntl(stream, F_SETFL, fcntl(stream, F_GETFL) | O_NONBLOCK)
      }
    }

    deinit {
      // Kill the group, because the process may have started others.
      Glibc.close(handles.input)
      Glibc.close(handles.output)
      if let errors = handles.errors { Glibc.close(errors) }
      kill(-handles.process, SIGKILL)
      var status: Int32 = 0
      while waitpid(handles.process, &status, 0) < 0, errno == EINTR {}
    }

    private static func close(_ streams: [Int32]) {
      for stream in streams { Glibc.close(stream) }
    }

    private static func spawn(
      _ process: inout pid_t, _ executable: String, _ arguments: [String],
      _ environment: [String: String], reads: Int32, writes: Int32, errors: Int32?
    ) -> Int32 {
      var actions = posix_spawn_file_actions_t()
      posix_spawn_file_actions_init(&actions)
      defer { posix_spawn_file_actions_destroy(&actions) }
      posix_spawn_file_actions_adddup2(&actions, reads, STDIN_FILENO)
      posix_spawn_file_actions_adddup2(&actions, writes, STDOUT_FILENO)
      if let errors { posix_spawn_file_actions_adddup2(&actions, errors, STDERR_FILENO) }
      // The child closes them, so that files that other threads open meanwhile are closed, too.
      guard LinuxCalls.closeFrom?(&actions, STDERR_FILENO + 1) == 0 else { return ENOSYS }
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

    init(_ executable: String, _ error: Int32) {
      guard let (why, remedy) = Self.explanation(of: error, for: executable) else {
        let why = SystemError(error).sentences(
          .reading, pathAdvice: "start it from a shell to see why")
        description = "The host could not be started: \(executable): \(why)"
        return
      }
      description = "The host could not be started: \(why) To fix, \(remedy)."
    }

    /// Why the executable cannot be run; `nil` if the cause is another one.
    private static func explanation(of error: Int32, for executable: String) -> (String, String)? {
      switch error {
      case ENOENT, ENOTDIR:
        (
          "there is no file \(executable).",
          isScript(executable)
            ? "correct the path" : "correct the path, or build it with swift build"
        )
      case EACCES, EPERM:
        ("\(executable) is not executable.", "give the path of an executable")
      case ENOEXEC:
        (
          "\(executable) is not a program for this machine.",
          "give the path of an executable built for this machine"
        )
      case ETXTBSY:
        ("\(executable) is being written.", "wait until its build is done")
      case ENOSYS:
        ("the C library is older than glibc 2.34.", "update the system")
      default: nil
      }
    }

    /// Whether a path names a program that no build makes.
    private static func isScript(_ path: String) -> Bool {
      [".py", ".sh", ".js", ".rb"].contains { path.hasSuffix($0) }
    }
  }
#endif
