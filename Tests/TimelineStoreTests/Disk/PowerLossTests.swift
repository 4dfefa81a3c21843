import FaultyDisk
import Testing

@testable import TimelineStore

@Suite("A store whose disk loses power")
struct PowerLossTests {
  @Test(
    "opens again with everything that was acknowledged, whatever of the rest was written",
    arguments: DiskScenario.all)
  func survives(_ scenario: DiskScenario) async throws {
    DiskEffort.report(try await PowerLoss.problems(in: scenario))
  }
}
