import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Opening a store")
struct StoreOpeningTests {
  @Test("reports to a second one who holds the data, and since when")
  func reportsHolder() async throws {
    try await withFolder { folder in
      let first = try Store(folder: folder)
      do {
        _ = try Store(folder: folder)
        Issue.record("two hold the same data")
      } catch let error as StoreError {
        guard case .held(folder, let holder?) = error.reason else { throw error }
        #expect(holder.pid == Int64(getpid()))
        #expect(Timestamp(holder.since) != nil)
        #expect("\(error)".contains("held by process \(getpid()) since"))
      }
      await first.close()
      let third = try Store(folder: folder)
      await third.close()
    }
  }

  @Test("makes the folder and its files for this user alone")
  func makesPrivateFiles() async throws {
    try await withFolder { folder in
      let store = try Store(folder: folder + "/a/b")
      for (path, mode) in [("/a/b", 0o700), ("/a/b/lock", 0o600), ("/a/b/timelines.sqlite", 0o600)]
      {
        var status = stat()
        #expect(stat(folder + path, &status) == 0)
        #expect(Int(status.st_mode) & 0o777 == mode, "\(path)")
      }
      await store.close()
    }
  }

  @Test("refuses a folder into which others can write", arguments: [0o777, 0o770, 0o722])
  func openFolder(_ mode: Int) async throws {
    try await withFolder { parent in
      let folder = parent + "/it's my data"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      #expect(chmod(folder, mode_t(mode)) == 0)
      let error = #expect(throws: StoreError.self) { try Store(folder: folder) }
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
      let command = try #require("\(error, default: "")".components(separatedBy: "run: ").last)
      #expect(command.hasPrefix("chmod 700 "))
      #expect(try Shell.run(command) == 0)
      await (try Store(folder: folder)).close()
    }
  }

  @Test(
    "refuses a folder of another user, unless that is root, also when root asks",
    arguments: [
      (owner: 1_000, user: 1_000, isTaken: true), (owner: 1_001, user: 1_000, isTaken: false),
      (owner: 0, user: 1_000, isTaken: true), (owner: 1_000, user: 0, isTaken: false),
      (owner: 0, user: 0, isTaken: true), (owner: 65_534, user: 1_000, isTaken: false),
    ] as [(owner: uid_t, user: uid_t, isTaken: Bool)])
  func foreignFolder(owner: uid_t, user: uid_t, isTaken: Bool) {
    let foreign = StoreError(.folder("/data", why: "it belongs to another user"))
    for mode in [0o700, 0o755, 0o1777] as [mode_t] {
      var found: StoreError?
      do throws(StoreError) {
        try FolderLock.checkAccess(to: "/data", mode: mode, owner: owner, user: user)
      } catch {
        found = error
      }
      #expect(found == (isTaken ? nil : foreign))
    }
    // Others could replace its files, regardless of its owner.
    #expect(throws: StoreError(.openFolder("/data"))) {
      try FolderLock.checkAccess(to: "/data", mode: 0o770, owner: owner, user: user)
    }
  }

  @Test(
    "refuses a database that others can change, where they could have made it first",
    arguments: [
      (mode: 0o100600, owner: 1_000, folder: 0o41777, isRefused: false),
      (mode: 0o100666, owner: 1_000, folder: 0o41777, isRefused: true),
      (mode: 0o100600, owner: 1_001, folder: 0o41777, isRefused: true),
      (mode: 0o100664, owner: 1_000, folder: 0o40700, isRefused: false),
      (mode: 0o010600, owner: 1_000, folder: 0o40700, isRefused: true),
    ] as [(mode: UInt32, owner: UInt32, folder: UInt32, isRefused: Bool)])
  func foreignFile(mode: UInt32, owner: UInt32, folder: UInt32, isRefused: Bool) {
    var isThrown = false
    do throws(StoreError) {
      try FolderLock.checkFile(
        "f", FileStatus(size: 0, mode: mode, owner: owner), in: "/data",
        FileStatus(size: 0, mode: folder, owner: 0), user: 1_000)
    } catch {
      isThrown = true
    }
    #expect(isThrown == isRefused)
  }

  @Test("refuses a pipe in place of the database instead of waiting for it")
  func pipe() async throws {
    try await withFolder { folder in
      #expect(mkfifo(folder + "/" + DatabaseFile.name, 0o600) == 0)
      let error = #expect(throws: StoreError.self) { try Store(folder: folder) }
      #expect("\(error, default: "")".contains("timelines.sqlite in it is not a regular file"))
    }
  }

  @Test("follows a symbolic link to a folder, but not to a file")
  func followsFolder() async throws {
    try await withFolder { folder in
      let files = FileManager.default
      try files.createDirectory(atPath: folder + "/real", withIntermediateDirectories: true)
      try files.createSymbolicLink(
        atPath: folder + "/link", withDestinationPath: folder + "/real")
      let sample = SampleTimeline(count: 20)
      let linked = try Store(folder: folder + "/link", options: .small)
      try await linked.record(sample)
      try await expectEqual(linked, sample)
      await linked.close()
      let store = try Store(folder: folder + "/real", options: .small)
      try await expectEqual(store, sample)
      await store.close()
      let file = folder + "/" + DatabaseFile.name
      try files.createSymbolicLink(
        atPath: file, withDestinationPath: folder + "/real/" + DatabaseFile.name)
      #expect(throws: StoreError.self) { try Store(folder: folder) }
      #expect(throws: DatabaseError.self) { try Database(path: file, access: .reading) }
    }
  }

  @Test("refuses data of a newer format")
  func refusesNewer() async throws {
    try await withFolder { folder in
      await (try Store(folder: folder)).close()
      let database = try Database(path: folder + "/timelines.sqlite", access: .full)
      try database.execute("PRAGMA user_version = 99")
      #expect(throws: StoreError(.newer(format: 99, known: Schema.current))) {
        try Store(folder: folder)
      }
    }
  }

  @Test("reports a file that is not a database, and a folder that is a file")
  func refusesOthers() async throws {
    try await withFolder { folder in
      try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: folder + "/timelines.sqlite"))
      do {
        _ = try Store(folder: folder)
        Issue.record("a store is opened in a file of letters")
      } catch {
        #expect("\(error)".contains("not a database"))
      }
      #expect(throws: StoreError.self) { try Store(folder: folder + "/timelines.sqlite") }
      #expect(throws: StoreError.self) { try Store(folder: folder + "/lock/deeper") }
    }
  }

  @Test(
    "says that it cannot write to a folder that is read only",
    .enabled(if: SmallDisk.isPossible, "mounting needs root"))
  func refusesReadOnly() throws {
    let disk = try SmallDisk(megabytes: 1)
    defer { disk.unmount() }
    try #require(disk.makeReadOnly())
    do {
      _ = try Store(folder: disk.path)
      Issue.record("a store is opened where nothing can be written")
    } catch {
      #expect("\(error)".contains("Read-only file system"))
    }
  }

  @Test("continues an interrupted creation of the database", arguments: 0...4)
  func goesOnCreating(statements: Int) async throws {
    try await withFolder { folder in
      let path = folder + "/timelines.sqlite"
      if statements == 0 {
        try Data().write(to: URL(filePath: path))
      } else {
        let database = try Database(path: path, access: .full)
        try database.execute("PRAGMA auto_vacuum = INCREMENTAL")
        try database.execute("PRAGMA journal_mode = WAL")
        // A transaction that never ended leaves nothing.
        try database.execute("BEGIN")
        for statement in Schema.migrations[0].prefix(statements) {
          try database.execute(statement)
        }
      }
      let store = try Store(folder: folder, options: .small)
      let sample = SampleTimeline(count: 30)
      try await store.record(sample)
      try await expectEqual(store, sample)
      await store.close()
    }
  }

  @Test("continues after a process that ended between any two commits")
  func goesOnAfterKill() async throws {
    try await withFolder { folder in
      let store = try Store(folder: folder + "/live", options: .small)
      let sample = SampleTimeline(count: 200)
      _ = try await store.open(sample.header)
      for start in stride(from: 0, to: 200, by: 10) {
        let batch = AppendBatch(sample.header.timeline, sample.entries[start..<start + 10])
        let durable = try await store.append(batch).durable
        guard start % 40 == 0 else { continue }
        // What a killed process leaves: the files as they are, the lock gone.
        let copy = folder + "/copy-\(start)"
        try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: true)
        for file in ["timelines.sqlite-wal", "timelines.sqlite"] {
          try FileManager.default.copyItem(
            atPath: folder + "/live/" + file, toPath: copy + "/" + file)
        }
        let revived = try Store(folder: copy, options: .small)
        let last = try await revived.open(sample.header).durable
        #expect(last == durable)
        _ = try await revived.append(AppendBatch(sample.header.timeline, sample.entries))
        try await expectEqual(revived, sample)
        try await revived.waitForSealing()
        #expect(try await revived.check(thorough: true).isClean)
        await revived.close()
      }
      await store.close()
    }
  }

  @Test("rebuilds an index that is missing or of another version")
  func rebuildsIndex() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 300)
      let first = try Store(folder: folder, indexer: NoIndexer(), options: .small)
      try await first.record(sample)
      try await first.waitForSealing()
      await first.close()
      let second = try Store(folder: folder, options: .small)
      let before = try await second.check(thorough: true)
      #expect(before.isClean)
      #expect(before.unindexed > 3)
      while try await second.indexMore() {}
      let after = try await second.check(thorough: true)
      #expect(after == CheckReport(timelines: 1, entries: 300))
      await second.close()
    }
  }

  @Test("reads the format of every release", arguments: ["format-1"])
  func readsReleases(format: String) async throws {
    try await withFolder { folder in
      let fixtures = repositoryRoot.appending(path: "Tests/Fixtures/store")
      try FileManager.default.copyItem(
        atPath: fixtures.appending(path: format + ".sqlite").path,
        toPath: folder + "/timelines.sqlite")
      let store = try Store(folder: folder, options: .small)
      let records = try await store.read { try $0.timelines() }
      var text = ""
      for record in records {
        var export = try await store.export(record.id, packed: false)
        while let bytes = try await export.next() { text += String(decoding: bytes, as: UTF8.self) }
        let marks = record.marks.map { "\($0.seq) \($0.text)" }.joined(separator: ", ")
        text += "# \(record.name ?? "") \(marks)\n"
      }
      let expected = try String(
        contentsOf: fixtures.appending(path: format + ".txt"), encoding: .utf8)
      #expect(text == expected)
      #expect(try await store.check(thorough: true).isClean)
      await store.close()
    }
  }
}
