import Foundation
import Testing

@testable import TimelineStore

@Suite("The mark of a data folder whose timelines are in a database")
struct DatabaseMarkerTests {
  private let disk = SystemDisk()

  @Test("a folder keeps its id when the address changes")
  func keepsID() async throws {
    try await withFolder { folder in
      #expect(try DatabaseMarker.read(in: folder) == nil)
      let first = try DatabaseMarker.mark(folder, address: "service=a", on: disk)
      #expect(try DatabaseMarker.read(in: folder) == first)
      let second = try DatabaseMarker.mark(folder, address: "service=b", on: disk)
      #expect(second.instance == first.instance)
      #expect(try DatabaseMarker.read(in: folder)?.address == "service=b")
      #expect(first.instance.count == 36)
    }
  }

  @Test("a mark that was not written completely is written again")
  func replacesIncomplete() async throws {
    try await withFolder { folder in
      try disk.write([], to: folder + "/" + DatabaseMarker.name)
      let marker = try DatabaseMarker.mark(folder, address: "service=a", on: disk)
      #expect(marker.instance.count == 36)
    }
  }

  @Test("a database that cannot be used leaves the folder as it was")
  func restores() async throws {
    try await withFolder { folder in
      #expect(throws: StoreError(.closed)) {
        try Store(database: UnusableDatabase(address: "service=a"), folder: folder, host: "alpha")
      }
      #expect(try DatabaseMarker.read(in: folder) == nil)
      let first = try DatabaseMarker.mark(folder, address: "service=a", on: disk)
      #expect(throws: StoreError(.closed)) {
        try Store(database: UnusableDatabase(address: "service=b"), folder: folder, host: "alpha")
      }
      #expect(try DatabaseMarker.read(in: folder) == first)
    }
  }

  @Test("a folder with timelines of its own is refused", .onSQLite)
  func refusesTimelines() async throws {
    try await withFolder { folder in
      let store = try Store(folder: folder)
      await store.close()
      let error = #expect(throws: StoreError.self) {
        try DatabaseMarker.mark(folder, address: "service=a", on: disk)
      }
      #expect("\(error, default: "")".contains("it has recordings of its own. To fix, use another"))
      #expect(try DatabaseMarker.read(in: folder) == nil)
    }
  }
}

private struct UnusableDatabase: SharedDatabase {
  let address: String

  func acquireLease(as holder: LeaseHolder) throws(StoreError) -> any DatabaseLease {
    throw StoreError(.closed)
  }
}
