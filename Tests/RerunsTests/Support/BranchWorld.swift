import JSONCore
import Replaying
import TestSupport
import Testing
import TimelineStore
import Timelines
import Wire

@testable import DebugServer
@testable import Reruns

/// A store with recordings, and a service that branches them.
final class BranchWorld: Sendable {
  let folder: String
  let store: Store
  let hosts: FakeHosts
  let branches: Branches
  let queries: QueryService
  private let news: AsyncStream<BranchNews>

  /// Lends a world to a closure.
  static func with(
    _ hosts: FakeHosts, folder: String? = nil, clock: any Clock<Duration> = ContinuousClock(),
    _ body: (BranchWorld) async throws -> Void
  ) async throws {
    let place = try folder ?? TemporaryFolder.make()
    defer { if folder == nil { TemporaryFolder.remove(place) } }
    let world = try await BranchWorld(hosts, folder: place, clock)
    let result: Result<Void, any Error>
    do { result = .success(try await body(world)) } catch { result = .failure(error) }
    await world.branches.stop()
    await world.store.close()
    try result.get()
  }

  private init(_ hosts: FakeHosts, folder: String, _ clock: any Clock<Duration>) async throws {
    self.folder = folder
    self.hosts = hosts
    store = try Store(folder: folder, indexer: TimelineIndexer())
    // A branch of a few entries is treated as a long one, where the host keeps steps.
    branches = Branches(store: store, hosts: hosts, keepsFrom: 1, clock: clock)
    queries = QueryService(
      store: store, uploads: Uploads(store: store, limits: ServerLimits()), branches: branches,
      limits: ServerLimits())
    let (stream, continuation) = AsyncStream.makeStream(of: BranchNews.self)
    news = stream
    try await branches.begin { continuation.yield($0) }
  }

  func record(_ timeline: Timeline) async throws {
    _ = try await store.open(timeline.header)
    _ = try await store.append(AppendBatch(timeline.header.timeline, timeline.entries))
  }

  func fork(
    _ parent: TimelineID, _ edits: String, through: Int64? = nil, name: String? = nil
  ) async throws -> TimelineID {
    let edits = try JSONSlice(validating: Array(edits.utf8))
    let answer = try await branches.fork(
      FromInspector.Fork {
        $0.timeline = parent
        $0.through = through
        $0.edits = edits
        $0.name = name
      })
    #expect(answer.parent == parent)
    return answer.timeline
  }

  /// Waits until nothing more of a branch will be computed.
  @discardableResult
  func finished(_ branch: TimelineID) async -> BranchProgress? {
    for await next in news {
      if case .finished(branch, let progress) = next { return progress }
    }
    return nil
  }

  /// Waits for news of a branch for which a condition holds.
  func heard(_ branch: TimelineID, _ condition: (BranchNews) -> Bool) async -> BranchNews? {
    for await next in news where next.branch == branch && condition(next) { return next }
    return nil
  }

  func record(of id: TimelineID) async throws -> TimelineRecord {
    try await store.read { try $0.timeline(id) }
  }

  /// A stored timeline, every rule of its entries checked.
  func timeline(_ id: TimelineID) async throws -> Timeline {
    let (header, entries) = try await store.read { reader in
      var entries: [Entry] = []
      let lineage = try reader.lineage(of: id)
      try reader.forEachEntry(of: lineage, in: 0...(.max - 1)) { entries.append($0) }
      return (try Header(reading: reader.timeline(id).header), entries)
    }
    var timeline = Timeline(header)
    for entry in entries { try timeline.append(entry) }
    return timeline
  }
}
