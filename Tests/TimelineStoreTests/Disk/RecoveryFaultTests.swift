import FaultyDisk
import Testing

@testable import TimelineStore

@Suite("A recovery on a disk that fails for a moment")
struct RecoveryFaultTests {
  @Test("ends with the error, or loses what it would have lost anyway, unless reading failed")
  func separatesFaultsFromDamage() async throws {
    let start = try await DiskScenario.recovering.start()
    let (clean, expected) = await recover(start.state, failingAt: nil)
    let losses = try expected.get().losses
    #expect(losses != [])
    let operations = clean.operations
    let looks = operations.indices.filter { operations[$0] == .look }
    var failures = 0
    for number in DiskEffort.sample(of: looks.count, step: DiskEffort.lookStep) {
      let (disk, result) = await recover(start.state, failingAt: looks[number])
      switch result {
      case .success(let report):
        #expect(report.losses == losses, "\(disk.place(of: looks[number]))")
      case .failure: failures += 1
      }
    }
    #expect(failures > 0)
  }

  private func recover(
    _ state: DiskState, failingAt number: Int?
  ) async -> (FaultyDisk, Result<SalvageReport, any Error>) {
    let disk = FaultyDisk(state)
    let session = DiskSession(disk)
    disk.fail(number.map { DiskFaults(.broken, at: $0, isLasting: false) })
    return await session.runner.run {
      do {
        let folder = DiskSession.folder
        return (disk, .success(try await Store.recover(folder: folder, options: session.options)))
      } catch {
        return (disk, .failure(error))
      }
    }
  }
}
