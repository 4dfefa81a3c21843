import Foundation
import Timelines

/// A program that a command runs and waits for.
struct ChildCommand: Sendable {
  /// How it ended, and what it wrote.
  struct Result: Sendable {
    var status: Int32
    var output: String
    var isSuccess: Bool { status == 0 }
  }

  /// The path of the executable.
  var program: String
  var arguments: [String]
  var folder: String
  /// Where its output and errors go; `nil` to return the output and drop the errors.
  var log: FileHandle?

  /// Runs it. A cancellation ends it with every process it started.
  func run() async throws -> Result {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.currentDirectoryURL = URL(fileURLWithPath: folder)
    process.environment = Self.environment
    process.standardInput = FileHandle.nullDevice
    let pipe = Pipe()
    process.standardOutput = log ?? pipe
    process.standardError = log ?? FileHandle.nullDevice
    let (ends, continuation) = AsyncStream.makeStream(of: Int32.self)
    process.terminationHandler = { process in
      continuation.yield(process.terminationStatus)
      continuation.finish()
    }
    do {
      try process.run()
    } catch {
      throw CommandError("\(Escaped.quoted(program)) cannot be run: \(FileProblem.reason(error)).")
    }
    let group = process.processIdentifier
    let reading = log == nil ? Task { await Self.rest(of: pipe.fileHandleForReading) } : nil
    // Not this task, whose cancellation would end the wait before the process does.
    let waiting = Task.detached {
      if let status = await Self.status(of: group) { return status }
      return await ends.first { _ in true } ?? -1
    }
    let status = await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      // Foundation starts each process in a group of its own. One that is just being started can
      // miss a signal, and Foundation waits for all of them.
      let ending = Task.detached {
        for attempt in 0... {
          if Task.isCancelled { return }
          kill(-group, attempt < Self.maximumRequests ? SIGTERM : SIGKILL)
          try? await Task.sleep(for: .milliseconds(200))
        }
      }
      Task.detached {
        _ = await waiting.value
        ending.cancel()
      }
    }
    try Task.checkCancellation()
    let output = await reading?.value ?? Data()
    return Result(status: status, output: String(decoding: output, as: UTF8.self))
  }

  /// How often a canceled program is asked to end before it is forced to.
  private static let maximumRequests = 25

  /// The exit status of a program, as soon as it has ended.
  ///
  /// Foundation waits longer, until each process that the program has left, such as a cache of a
  /// compiler, closes a socket. `nil` if Foundation was faster.
  private static func status(of process: pid_t) async -> Int32? {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        var info = siginfo_t()
        var result: Int32
        repeat {
          result = waitid(P_PID, id_t(process), &info, WEXITED | WNOWAIT)
        } while result != 0 && errno == EINTR
        continuation.resume(returning: result == 0 ? info._sifields._sigchld.si_status : nil)
      }
    }
  }

  /// What a file contains, read on a thread of its own: it waits until the program closes the file.
  private static func rest(of file: FileHandle) async -> Data {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        continuation.resume(returning: (try? file.readToEnd()) ?? Data())
      }
    }
  }

  /// The environment without the variables that would lead git to another repository, as inside a hook
  /// or `git bisect run`.
  private static let environment = ProcessInfo.processInfo.environment.filter { name, _ in
    !["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"].contains(name)
  }
}

extension FileProblem {
  /// The system's words for an error of Foundation, with advice, to be followed by a period.
  static func reason(_ error: any Error) -> String {
    if let error = error as? CocoaError, let cause = error.underlying as? POSIXError {
      return SystemError(cause.code.rawValue).clause(.reading)
    }
    return error.localizedDescription
  }
}
