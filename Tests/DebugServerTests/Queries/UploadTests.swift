import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer

@Suite("Files that come in parts")
struct UploadTests {
  @Test("documents that are held in memory have a limit together, other files do not count")
  func documents() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let uploads = Uploads(store: store, limits: ServerLimits())
    let most = ReceivedDocument.largest
    _ = try await uploads.begin(name: "a.timeline", bytes: most)
    let first = try await uploads.begin(name: "a.json", bytes: most / 2)
    _ = try await uploads.begin(name: "b.json", bytes: most / 2)
    let error = await #expect(throws: Refusal.self) {
      _ = try await uploads.begin(name: "c.json", bytes: 1)
    }
    #expect(error?.reply.code == .limit)
    #expect(error?.reply.message.hasSuffix("To fix, wait until the others have ended.") == true)
    await uploads.cancel(first)
    _ = try await uploads.begin(name: "c.json", bytes: 1)
    await store.close()
  }

  @Test("are limited in number, and one that has ended makes room for another")
  func number() async throws {
    let folder = try TemporaryFolder.make()
    defer { TemporaryFolder.remove(folder) }
    let store = try Store(folder: folder, indexer: TimelineIndexer())
    let uploads = Uploads(store: store, limits: ServerLimits())
    let first = try await uploads.begin(name: "a.timeline", bytes: 10)
    for _ in 1..<16 { _ = try await uploads.begin(name: "a.timeline", bytes: 10) }
    let error = await #expect(throws: Refusal.self) {
      _ = try await uploads.begin(name: "a.timeline", bytes: 10)
    }
    #expect(
      error?.reply.message
        == "At most 16 files can be uploaded at once. To fix, wait until one is complete."
    )
    await uploads.cancel(first)
    _ = try await uploads.begin(name: "a.timeline", bytes: 10)
    await store.close()
  }
}
