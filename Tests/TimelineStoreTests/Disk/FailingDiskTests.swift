import FaultyDisk
import Testing

@testable import TimelineStore

@Suite("A store on a disk that fails")
struct FailingDiskTests {
  @Test(
    "loses nothing whatever operation fails, reports the failure, and continues",
    arguments: DiskScenario.all, DiskTrial.all)
  func survives(_ scenario: DiskScenario, _ trial: DiskTrial) async throws {
    try await trial.tryEach(scenario)
  }
}
