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

/// Runs reducers for the debugger in a process of their own: for undo, branches and computed states.
///
/// An app becomes its own host with the first line of its `main`. The recorder then starts the
/// executable once more when a reducer is to be run, and nothing else of the app happens there:
///
/// ```
/// ReducerHost.runIfAsked(CoinState.self, PageFlow.self)
/// ```
///
/// Any executable can be a host, given to the daemon by `--host`:
///
/// ```
/// ReducerHost.run(CoinState.self, PageFlow.self)
/// ```
///
/// Each argument is a `Reducible` state or a `Replayable` type, with Codable states and events. A
/// host makes fresh machines, runs no effect, and may die: what traps, does not end or eats the
/// memory is answered as such.
public enum ReducerHost {
  /// The variable that asks an executable to be a host, with the value `1`.
  public static let variable = "STATES_HOST"

  /// Whether this process was started as a host.
  public static var isAsked: Bool {
    getenv(variable).map { String(cString: $0) == "1" } ?? false
  }

  /// Is a host, and never returns, when this process was started as one; else notes that the
  /// recorder can start one of this executable.
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
    tell(machines.problems)
    offered.withLock { $0 = machines }
  }

  /// Is a host until its input ends.
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
    tell(machines.problems)
    HostProcessMain(machines, limits: limits).run()
  }

  /// What `runIfAsked` was called with in this process; nil when it was not called.
  package static var offeredMachines: HostedMachines? { offered.withLock { $0 } }

  private static let offered = ForkSafeMutex<HostedMachines?>(nil)

  private static func tell(_ problems: [String]) {
    for problem in problems {
      writeAll(Array("host: \(PlainText.escaping(problem))\n".utf8), to: STDERR_FILENO)
    }
  }
}
