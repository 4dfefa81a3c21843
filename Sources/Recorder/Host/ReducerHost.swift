import HostProcesses
public import Replaying
import Synchronization
import Timelines

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs reducers for the daemon in a separate process: for undo, branches, and computed states.
///
/// An app becomes its own host with the first line of its `main`. When a reducer must run, the
/// recorder starts the executable once more, and that process does nothing else:
///
/// ```swift compiled
/// struct Coin: Reducible, Codable {
///   var isHeads = true
///   enum Event: Codable { case flipped }
///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
/// }
/// ReducerHost.runIfAsked(Coin.self)
/// ```
///
/// Any executable can be a host. Register it with the daemon by `--host`:
///
/// ```
/// ReducerHost.run(Coin.self)
/// ```
///
/// Each argument is a `Reducible` state or a `Replayable` type, with `Codable` states and events. A
/// host makes fresh machines and runs no effects. It may crash: a reducer that traps, never
/// returns, or uses too much memory only ends the host, and is reported.
public enum ReducerHost {
  /// The environment variable that makes an executable a host, when its value is `1`.
  public static let variable = "STATES_HOST"

  /// Whether this process was started as a host.
  public static var isAsked: Bool {
    getenv(variable).map { String(cString: $0) == "1" } ?? false
  }

  /// Runs as a host and never returns if this process was started as one. Otherwise lets the
  /// recorder start this executable as a host.
  public static func runIfAsked<each Source>(
    _ sources: repeat (each Source).Type, redaction: RedactionRules = [],
    limits: HostLimits = HostLimits()
  ) {
    runIfAsked(HostedMachines(of: repeat each sources, redaction: redaction), limits: limits)
  }

  /// The same, with machines that no type names.
  public static func runIfAsked(_ machines: [Replay], limits: HostLimits = HostLimits()) {
    runIfAsked(HostedMachines(machines), limits: limits)
  }

  private static func runIfAsked(_ machines: HostedMachines, limits: HostLimits) {
    if isAsked { run(machines, limits: limits) }
    logProblems(machines.problems)
    offered.withLock { $0 = machines }
  }

  /// Runs as a host until its input ends.
  public static func run<each Source>(
    _ sources: repeat (each Source).Type, redaction: RedactionRules = [],
    limits: HostLimits = HostLimits()
  ) -> Never {
    run(HostedMachines(of: repeat each sources, redaction: redaction), limits: limits)
  }

  /// The same, with machines that no type names.
  public static func run(_ machines: [Replay], limits: HostLimits = HostLimits()) -> Never {
    run(HostedMachines(machines), limits: limits)
  }

  private static func run(_ machines: HostedMachines, limits: HostLimits) -> Never {
    logProblems(machines.problems)
    HostProcessMain(machines, limits: limits).run()
  }

  /// The machines that were passed to `runIfAsked`; nil if it was not called.
  package static var offeredMachines: HostedMachines? { offered.withLock { $0 } }

  private static let offered = ForkSafeMutex<HostedMachines?>(nil)

  private static func logProblems(_ problems: [String]) {
    for problem in problems {
      writeAll(Array("host: \(PlainText.escaping(problem))\n".utf8), to: STDERR_FILENO)
    }
  }
}
