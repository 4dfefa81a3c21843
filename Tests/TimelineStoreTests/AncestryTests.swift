import JSONCore
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("Headers that name parents")
struct AncestryTests {
  private let ids = (1...4).map { _ in TimelineID.random() }

  private func header(_ id: TimelineID, parent: TimelineID?) throws -> Header {
    var fields = SampleTimeline.header(id).fields
    fields.parent = parent.map {
      Header.Parent(timeline: $0, through: 0, start: 0, edits: EditScript([]))
    }
    return try Header(fields)
  }

  private func file(_ id: TimelineID, parent: TimelineID?) throws -> [UInt8] {
    let header = try header(id, parent: parent)
    return Array(header.line.bytes) + Array("\n{\"seq\":0,\"t\":0,\"state\":1}\n".utf8)
  }

  @Test(
    "are refused where they close a circle, from recorders and in files",
    arguments: 1...4, [false, true])
  func circles(length: Int, isImport: Bool) async throws {
    try await withStore(.small) { store in
      let members = ids.prefix(length)
      for (id, parent) in zip(members, members.dropFirst()) {
        if isImport {
          _ = try await store.importing(try file(id, parent: parent))
        } else {
          _ = try await store.open(try header(id, parent: parent))
        }
      }
      let (first, last) = (try #require(members.first), try #require(members.last))
      let refusal = StoreError(.ownAncestor(last))
      if isImport, length > 1 {
        await #expect(throws: refusal) { try await store.importing(try file(last, parent: first)) }
      } else {
        let header = try header(last, parent: first)
        await #expect(throws: refusal) { try await store.open(header) }
      }
      #expect(try await store.read { try $0.timelines() }.count == length - 1)
    }
  }

  @Test("are refused where two that name each other are stored in one commit")
  func oneCommit() async throws {
    try await withStore(.small) { store in
      let (one, two) = (try header(ids[0], parent: ids[1]), try header(ids[1], parent: ids[0]))
      async let first = store.open(one)
      async let second = store.open(two)
      let results = [try? await first, try? await second]
      #expect(results.compactMap { $0 }.count == 1)
    }
  }

  @Test("are refused beyond a thousand ancestors")
  func many() async throws {
    try await withStore(.small) { store in
      let line = (0...Store.ancestorLimit).map { _ in TimelineID.random() }
      // The newest ancestor first: its parent is unknown then, so there is nothing to walk along.
      for (id, parent) in zip(line, line.dropFirst()) {
        _ = try await store.open(try header(id, parent: parent))
      }
      _ = try await store.open(try header(ids[1], parent: line[1]))
      let last = try header(ids[0], parent: line[0])
      let refusal = StoreError(.manyAncestors(ids[0], limit: Store.ancestorLimit))
      await #expect(throws: refusal) { try await store.open(last) }
      #expect(Refusal(refusal).reply.code == .limit)
    }
  }

  @Test(
    "may name one that was deleted or never arrived, and may be in a circle that is stored already",
    .onSQLite)
  func unknown() async throws {
    try await withFolder { folder in
      var store = try openStore(folder, options: .small)
      _ = try await store.open(try header(ids[0], parent: ids[3]))
      _ = try await store.open(try header(ids[1], parent: ids[0]))
      await store.close()
      try closeCircle(in: folder)
      store = try openStore(folder, options: .small)
      _ = try await store.open(try header(ids[2], parent: ids[1]))
      _ = try await store.open(try header(ids[0], parent: ids[1]))
      #expect(try await store.read { try $0.timelines() }.count == 3)
      #expect(try await store.delete(ids[1]) == [ids[1]])
      await store.close()
    }
  }

  @Test(
    "in a circle that an earlier build stored are saved by a recovery, one without its parent",
    .onSQLite)
  func recovered() async throws {
    try await withFolder { folder in
      var store = try openStore(folder, options: .small)
      _ = try await store.open(try header(ids[0], parent: ids[3]))
      _ = try await store.open(try header(ids[1], parent: ids[0]))
      try await store.record(SampleTimeline(count: 3))
      await store.close()
      try closeCircle(in: folder)
      // Without damage, there is nothing to recover.
      try Database(path: folder + "/timelines.sqlite", access: .full).execute(
        "UPDATE timeline SET header = x'00' WHERE uuid NOT IN (?, ?)", .text(ids[0].text),
        .text(ids[1].text))
      let report = try await Store.recover(folder: folder, options: .small)
      #expect(report.timelines == 2)
      #expect(
        report.losses.filter { $0.contains("no longer names a parent") }
          == [
            "The timeline \(ids[1]) no longer names a parent: "
              + StoreError(.ownAncestor(ids[1])).description
          ])
      store = try openStore(folder, options: .small)
      let parents = try await store.read { try $0.timelines() }.map {
        try Header(reading: $0.header).parent?.timeline
      }
      #expect(parents.compactMap { $0 } == [ids[1]])
      await store.close()
    }
  }

  /// Lets the first timeline name the second as its parent, as a header could before.
  private func closeCircle(in folder: String) throws {
    let database = try Database(path: folder + "/timelines.sqlite", access: .full)
    let line = Array(try header(ids[0], parent: ids[1]).line.bytes)
    try database.execute(
      "UPDATE timeline SET header = ? WHERE uuid = ?", .blob(line), .text(ids[0].text))
  }
}
