import FaultyDisk
import Testing
import Timelines

@testable import TimelineStore

@Suite("The faulty disk finds")
struct PlantedBugTests {
  @Test(
    "a folder that is not synced, and files that are not, by a loss of power",
    arguments: [PlantedBug.foldersNotSynced, .filesNotSynced])
  func missingSyncs(_ bug: PlantedBug) async throws {
    let found = try await PowerLoss.problems(in: .recording, bugs: [bug], atMost: 1)
    #expect(found != [])
  }

  @Test("a recovery that does not sync the folder between its renames, by a loss of power")
  func unsyncedSwap() async throws {
    let found = try await PowerLoss.problems(
      in: .recovering, bugs: [.foldersNotSynced], atMost: 1)
    #expect(found != [])
  }

  @Test("errors of syncing that are swallowed, by failing operations")
  func swallowedErrors() async throws {
    let trial = DiskTrial(kind: .broken, isLasting: true)
    let found = try await trial.problems(
      in: .retention, bugs: [.syncErrorsIgnored], atMost: 1)
    #expect(found != [])
  }

  @Test("a database that counts as missing because it cannot be looked at")
  func errorsMeanMissing() async throws {
    let trial = DiskTrial(kind: .broken, isLasting: false)
    let found = try await trial.problems(
      in: .recovering, bugs: [.errorsMeanMissing], atMost: 1)
    #expect(found != [])
  }

  @Test("entries that are acknowledged before they are committed")
  func earlyAcknowledgement() async throws {
    let found = try await PowerLoss.problems(
      in: .recording, atMost: 1, wrapping: { EarlyRows($0) })
    #expect(found != [])
  }

  @Test("a mark that is lost without a word")
  func lostMark() async throws {
    let session = DiskSession(FaultyDisk())
    let sample = SampleTimeline(count: 10)
    let found = try await session.runner.run {
      let store = try await session.open()
      try await session.begin(sample, in: store)
      try await session.append(sample, 0..<10, to: store)
      try await session.mark(sample, at: 4, "here", in: store)
      try await store.mark(sample.header.timeline, at: 4, nil)
      let found = await session.facts.contradictions(in: store)
      await store.close()
      return found
    }
    #expect(found == ["\(sample.header.timeline): the mark at 4 is lost"])
  }
}

/// Rows that acknowledge a commit before they make it.
private final class EarlyRows: RowWriting {
  private let rows: any RowWriting
  private var waiting: [RowChange] = []

  init(_ rows: any RowWriting) { self.rows = rows }

  func commit(_ changes: [RowChange]) throws(StoreError) {
    let earlier = waiting
    waiting = changes
    if !earlier.isEmpty { try rows.commit(earlier) }
  }

  func lastRow() throws(StoreError) -> Int64 { try rows.lastRow() }
  func syncLog() throws(StoreError) { try rows.syncLog() }
  func usedBytes() throws(StoreError) -> Int64 { try rows.usedBytes() }
  func hasBranch(of row: Int64) throws(StoreError) -> Bool { try rows.hasBranch(of: row) }
  func performMaintenance() throws(StoreError) -> Bool { try rows.performMaintenance() }

  func storedEnd(of id: TimelineID) throws(StoreError) -> StoredEnd? {
    try rows.storedEnd(of: id)
  }
}
