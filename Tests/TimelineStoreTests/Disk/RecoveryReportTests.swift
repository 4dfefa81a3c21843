import FaultyDisk
import Synchronization
import Testing

@testable import TimelineStore

@Suite("The losses of a recovery that was interrupted")
struct RecoveryReportTests {
  private static let losses = ["The entries 3 to 5 of x cannot be read.", "Marks of x are lost."]

  /// A disk on which a recovery ended between its last rename and its report.
  private func interrupted() async throws -> DiskSession {
    let session = DiskSession(FaultyDisk())
    try await session.runner.run {
      let store = try await session.open()
      await store.close()
      await session.runner.idle()
    }
    let fresh = DiskSession.folder + "/" + InterruptedSwap.freshFolder
    _ = try session.disk.makeFolder(fresh)
    var report = SalvageReport(timelines: 2, entries: 17, wasDamaged: true, losses: Self.losses)
    report.damagedFile = "/disk/data/a file"
    try RecoveryReportFile.write(report, in: fresh, on: session.disk)
    return session
  }

  @Test("are in the report of the next recovery, once")
  func reportsLater() async throws {
    let session = try await interrupted()
    let reports = try await session.runner.run {
      let folder = DiskSession.folder
      let first = try await Store.recover(folder: folder, options: session.options)
      return [first, try await Store.recover(folder: folder, options: session.options)]
    }
    #expect(reports[0].losses == Self.losses)
    #expect(reports[0].timelines == 2)
    #expect(reports[0].entries == 17)
    #expect(reports[0].damagedFile == "/disk/data/a file")
    #expect(reports[1] == SalvageReport())
  }

  @Test("are warnings of a daemon that starts, once")
  func warns() async throws {
    let session = try await interrupted()
    let warnings = Mutex<[String]>([])
    try await session.runner.run {
      for _ in 0..<2 {
        let store = try await session.open()
        store.onWarning { warning in warnings.withLock { $0.append(warning) } }
        await session.runner.idle()
        await store.close()
      }
    }
    #expect(
      warnings.withLock { $0 } == Self.losses.map { "A recovery lost data. \($0)" })
  }
}
