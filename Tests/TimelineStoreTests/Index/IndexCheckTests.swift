import Testing
import Timelines

@testable import TimelineStore

@Suite("Checking the index")
struct IndexCheckTests {
  @Test("finds the index of appended entries to be that of the stored ones")
  func isEqual() async throws {
    let timeline = TangledTimeline(count: 1_200, seed: 51)
    try await withSearched(timeline) { store, id in
      let differences = try await store.indexDifferences(of: id)
      #expect(differences == [])
    }
  }
}
