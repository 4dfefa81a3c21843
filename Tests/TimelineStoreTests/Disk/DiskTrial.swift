import FaultyDisk
import Testing

@testable import TimelineStore

/// A way in which a disk fails.
struct DiskTrial: Sendable, CustomTestStringConvertible {
  let kind: DiskFaults.Kind
  let isLasting: Bool

  static let all = [
    DiskTrial(kind: .broken, isLasting: false), DiskTrial(kind: .broken, isLasting: true),
    DiskTrial(kind: .full, isLasting: true),
  ]

  var testDescription: String { "\(kind.rawValue), \(isLasting ? "until repaired" : "once")" }

  /// Has each operation of a scenario fail in a run of its own.
  func tryEach(
    _ scenario: DiskScenario, _ place: SourceLocation = #_sourceLocation
  ) async throws {
    DiskEffort.report(try await problems(in: scenario), place)
  }

  /// What is wrong after any operation of a scenario has failed.
  func problems(
    in scenario: DiskScenario, bugs: Set<PlantedBug> = [], atMost limit: Int = .max
  ) async throws -> [String] {
    let start = try await scenario.start()
    let clean = DiskSession(FaultyDisk(start.state, bugs: bugs), facts: start.facts)
    try await clean.runner.run { try await scenario.run(clean) }
    let operations = clean.disk.operations
    // A planted bug must be found in each run.
    let step = limit < .max ? 1 : DiskEffort.operationStep
    var problems = clean.messages.map { "without a fault: \($0)" }
    for first in DiskEffort.sample(of: operations.count, step: step) {
      let faults = DiskFaults(kind, at: first, isLasting: isLasting)
      guard faults.strikes(operations[first], number: first) else { continue }
      let disk = FaultyDisk(start.state, bugs: bugs)
      let session = DiskSession(disk, facts: start.facts)
      disk.fail(faults)
      problems += await Self.problems(of: session, scenario).map { problem in
        "\(disk.place(of: first)): \(problem)"
      }
      if problems.count >= limit { break }
    }
    return problems
  }

  /// What is wrong after a scenario on a disk that fails.
  private static func problems(
    of session: DiskSession, _ scenario: DiskScenario
  ) async -> [String] {
    await session.runner.run {
      do {
        try await scenario.run(session)
      } catch {
        return ["it does not go on: \(error)"]
      }
      session.disk.fail(nil)
      await session.runner.idle()
      var problems: [String] = []
      for message in session.messages where !isClear(message) {
        problems.append("the message does not say what happened: \(message)")
      }
      for (name, fate) in [("lost", Fate.lost), ("kept", .kept)] {
        let state = session.disk.state.afterPowerLoss { _ in fate }
        let found = await DiskVerdict.problems(
          on: state, knowing: session.facts, session.runner, isOfDamage: scenario.isOfDamage)
        problems += found.map { "what was not synced is \(name): \($0)" }
      }
      return problems
    }
  }

  /// Whether a message names the disk's failure.
  private static func isClear(_ message: String) -> Bool {
    let words = [
      "full", "No space left", "Input/output error", "disk I/O error", "unable to open database",
    ]
    return words.contains { message.contains($0) }
  }
}
