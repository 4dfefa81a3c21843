import DebugServer
import Foundation
import Synchronization

/// Serves until a signal ends it.
struct ServeCommand {
  private let given: ParsedArguments
  private let terminal: Terminal
  private let environment = ProcessInfo.processInfo.environment

  init(_ arguments: ParsedArguments, _ terminal: Terminal) {
    given = arguments
    self.terminal = terminal
  }

  /// Serves; the exit code says whether it ended in order.
  func run() async throws -> ExitCode {
    ProcessHeap.bound()
    DescriptorLimit.raise()
    let configuration = try ServeSettings(given, environment).configuration()
    // A peer that goes while it is written to is an everyday thing.
    signal(SIGPIPE, SIG_IGN)
    let signals = await SignalStream([SIGTERM, SIGINT, SIGHUP])
    let running = RunningSlot<RunningServer>()
    let (environment, serving) = (environment, self)
    return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
      group.addTask {
        try await Server(configuration).run { server in
          if running.begin(server) { signals.send(SIGHUP) }
          ServiceManager.notify("READY=1", environment: environment)
        } waiting: {
          // It has started, and does what it is for.
          ServiceManager.notify("READY=1", environment: environment)
        }
        return .done
      }
      group.addTask {
        for await number in signals.numbers {
          guard number == SIGHUP else { return nil }
          await serving.reload(running.serverToReload(), log: configuration.log)
        }
        return nil
      }
      // Whichever is first ends the other: the server by failing, or a signal.
      let first = try await group.next() ?? nil
      ServiceManager.notify("STOPPING=1", environment: environment)
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
      guard let report = try await server?.apply(configuration) else { return }
      log.write(LogEvent(.info, "reloaded", report.sentence))
    } catch {
      log.write(
        LogEvent(.error, "reload.failed", "The configuration stays as it was: \(error)"))
    }
  }
}

/// The server, once it serves.
final class RunningSlot<Server: Sendable>: Sendable {
  private struct Contents {
    var server: Server?
    var isReloadWanted = false
  }

  private let contents = Mutex(Contents())

  /// The server to reload. Before there is one, the request is kept for `begin`: the configuration may
  /// have changed since the start read it.
  func serverToReload() -> Server? {
    contents.withLock {
      if $0.server == nil { $0.isReloadWanted = true }
      return $0.server
    }
  }

  /// Keeps the server; whether a reload was requested before.
  func begin(_ server: Server) -> Bool {
    contents.withLock {
      $0.server = server
      return $0.isReloadWanted
    }
  }
}
