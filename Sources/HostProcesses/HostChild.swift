#if canImport(Glibc)
  import Glibc

  /// A process that was started as a host, and the streams to and from it.
  ///
  /// It is in a process group of its own, so that what it starts is ended with it, and inherits no
  /// file but the three standard streams.
  struct HostChild: ~Copyable {
    /// What the system calls a process and its streams.
    struct Handles: Sendable {
      /// The process, which is also its group.
      let process: pid_t
      /// Where it reads; does not block.
      let input: Int32
      /// Where it writes; does not block.
      let output: Int32
      /// Where it writes for people; does not block. `nil` where that is this process's own.
      let errors: Int32?
    }

    /// What is good as long as this value is.
    let handles: Handles

    /// Starts an executable; the error is a sentence.
    ///
    /// - Parameter readsErrors: Whether its standard error stream is a pipe, too.
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
      // Whatever it does, nobody waits for it: the group, because it may have started something.
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
      // In the child itself, so that what other threads open meanwhile is closed there as well.
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
      let (why, remedy) = Self.words(executable, error)
      description = "The host could not be started: \(why) To fix, \(remedy)."
    }

    private static func words(_ executable: String, _ error: Int32) -> (String, String) {
      switch error {
      case ENOENT, ENOTDIR:
        (
          "there is no file \(executable).",
          "build it with swift build, or give the path that it has"
        )
      case EACCES, EPERM:
        ("\(executable) is no file that may be executed.", "give the path of an executable")
      case ENOEXEC:
        (
          "\(executable) is no program that this machine can run.",
          "give the path of an executable that was built for it"
        )
      case ETXTBSY:
        ("\(executable) is being written.", "ask again when its build is done")
      case ENOSYS:
        ("the C library is older than glibc 2.34.", "update the system")
      case EMFILE, ENFILE:
        ("too many files are open.", "let this process open more files")
      default:
        (
          "\(executable): \(String(cString: strerror(error))).",
          "see whether it starts from a shell"
        )
      }
    }
  }
#endif
