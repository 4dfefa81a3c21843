import FaultyDisk
import TestSupport

@testable import TimelineStore

/// Loses power at each sync of a scenario.
enum PowerLoss {
  /// What is wrong after any loss of power.
  static func problems(
    in scenario: DiskScenario, bugs: Set<PlantedBug> = [], atMost limit: Int = .max,
    wrapping: DiskSession.RowWrapper? = nil
  ) async throws -> [String] {
    let start = try await scenario.start()
    let session = DiskSession(
      FaultyDisk(start.state, bugs: bugs), facts: start.facts, wrapping: wrapping)
    return try await session.runner.run {
      session.disk.record()
      try await scenario.run(session)
      await session.runner.idle()
      var problems: [String] = []
      let moments = session.disk.moments
      // A planted bug must be found in each run, and the last moments have the most to lose.
      let numbers =
        limit < .max
        ? Array(moments.indices.reversed())
        : Array(DiskEffort.sample(of: moments.count, step: DiskEffort.momentStep))
      for number in numbers {
        for (name, state) in outcomes(of: moments[number], seed: UInt64(number)) {
          let found = await DiskVerdict.problems(
            on: state, knowing: session.facts(at: state.note), session.runner,
            isOfDamage: scenario.isOfDamage)
          problems += found.map { "moment \(number) of \(moments.count), \(name): \($0)" }
          if problems.count >= limit { return problems }
        }
      }
      return problems
    }
  }

  /// What a disk may hold after a loss of power at a moment: all that is possible where that is
  /// little, and else what seeds choose.
  private static func outcomes(
    of moment: DiskState, seed: UInt64
  ) -> [(name: String, state: DiskState)] {
    let count = moment.unsynced
    if count <= DiskEffort.wholeSubsets {
      return (0..<1 << count).map { mask in
        ("mask \(mask)", moment.afterPowerLoss { mask >> $0 & 1 == 1 ? .kept : .lost })
      }
    }
    var found = [
      ("nothing kept", moment.afterPowerLoss { _ in .lost }),
      ("all kept", moment.afterPowerLoss { _ in .kept }),
    ]
    for number in 0..<UInt64(DiskEffort.subsets) {
      var generator = SeededGenerator(seed: seed << 8 | number)
      let share = [0.5, 0.9, 0.1][Int(number % 3)]
      let state = moment.afterPowerLoss { _ in
        guard generator.chance(share) else { return .lost }
        return generator.chance(0.1) ? .torn : .kept
      }
      found.append(("seed \(number)", state))
    }
    return found
  }
}
