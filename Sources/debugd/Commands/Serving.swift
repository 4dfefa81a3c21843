import DebugServer
import Foundation
import Synchronization

/// Serves until a signal ends it.
struct Serving {
  private let given: ParsedArguments
  private let terminal: Terminal
  private let environment = ProcessInfo.processInfo.environment

  init(_ arguments: ParsedArguments, _ terminal: Terminal) {
    given = arguments
    self.terminal = terminal
  }

  /// Serves; the exit code tells whether it ended in order.
  func run() async throws -> ExitCode {
    ProcessHeap.bound()
    DescriptorLimit.raise()
    let configuration = try ServeSettings(given, environment).configuration()
    // A peer that goes while it is written to is an everyday thing.
    signal(SIGPIPE, SIG_IGN)
    let signals = await SignalStream([SIGTERM, SIGINT, SIGHUP])
    let running = RunningSlot()
    let (environment, serving) = (environment, self)
    return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
      group.addTask {
        try await Server(configuration).run { server in
          running.server.withLock { $0 = server }
          ServiceManager.tell("READY=1", environment: environment)
        }
        return .done
      }
      group.addTask {
        for await number in signals.numbers {
          guard number == SIGHUP else { return nil }
          await serving.reload(running.server.withLock { $0 }, log: configuration.log)
        }
        return nil
      }
      // Whichever is first ends the other: the server by failing, or a signal.
      let first = try await group.next() ?? nil
      ServiceManager.tell("STOPPING=1", environment: environment)
      group.cancelAll()
      if let first { return first }
      while let code = try await group.next() {
        if let code { return code }
      }
      return .done
    }
  }

  /// Takes over what can change while it runs, and says what cannot.
  private func reload(_ server: RunningServer?, log: any Log) async {
    do {
      let configuration = try ServeSettings(given, environment).configuration()
      // Before it serves there is nothing that could change.
      guard let report = try await server?.apply(configuration) else { return }
      log.write(LogEvent(.info, "reloaded", report.sentence))
    } catch {
      log.write(
        LogEvent(.error, "reload.failed", "The configuration stays as it was: \(error)"))
    }
  }
}

/// The server, once it serves.
private final class RunningSlot: Sendable {
  let server = Mutex<RunningServer?>(nil)
}
