import FaultyDisk

@testable import TimelineStore

/// What a disk must still hold.
enum DiskVerdict {
  /// Opens the store on a disk without faults; returns the problems.
  static func problems(
    on state: DiskState, knowing facts: DiskFacts, _ runner: StepRunner, isOfDamage: Bool = false
  ) async -> [String] {
    let session = DiskSession(FaultyDisk(state), runner, facts: facts)
    var losses = facts.reported
    do {
      // Damaged data is recovered first, as its check advises.
      if isOfDamage {
        losses += try await Store.recover(folder: DiskSession.folder, options: session.options)
          .losses
      }
      let store = try Store(folder: DiskSession.folder, options: session.options)
      await runner.idle()
      var problems = await facts.contradictions(in: store, losses: losses)
      problems += try await store.check(thorough: true).findings.map(\.text)
      await store.close()
      await runner.idle()
      return problems
    } catch {
      return ["the store does not open: \(error)"]
    }
  }
}
