import Foundation
import JSONCore
import Synchronization
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Damaged data")
struct DamageTests {
  @Test("a chunk that cannot be unpacked is reported and skipped, the rest stays readable")
  func skipsChunk() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 400)
      let id = sample.header.timeline
      let range = try await record(sample, in: folder) { database in
        try database.execute("UPDATE chunk SET lines = zeroblob(100) WHERE ordinal = 3")
      }
      let store = try Store(folder: folder, options: .small)
      let lines = try await store.lines(of: id)
      let left = sample.entries.filter { !range.contains($0.seq) }
      #expect(lines == left.map(\.line.text))
      let moments = try await store.read { reader in
        let lineage = try reader.lineage(of: id)
        return try (0..<400).map { try reader.moment(of: lineage, at: $0) }
      }
      var cursor = TimelineCursor(try sample.timeline)
      for (seq, moment) in moments.enumerated() {
        if range.contains(Int64(seq)) {
          guard case .lost(let loss) = moment else {
            Issue.record("the entry \(seq) is in a damaged chunk")
            continue
          }
          #expect(loss.seqs == range)
        } else if case .known = moment {
          #expect(moment == cursor.move(to: Int64(seq)))
        }
      }
      let report = try await store.check()
      #expect(report.findings.contains { $0.timeline == id && $0.seqs == range })
      await store.close()
    }
  }

  @Test("recovery saves all but the damage, reports losses, and leaves a sound database")
  func recovers() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 400)
      let id = sample.header.timeline
      let range = try await record(sample, in: folder) { database in
        try database.execute("UPDATE chunk SET lines = zeroblob(100) WHERE ordinal = 3")
      }
      let report = try await Store.recover(folder: folder, options: .small)
      #expect(report.wasDamaged)
      #expect(report.losses.contains { $0.contains("\(range.lowerBound) to \(range.upperBound)") })
      let kept = try #require(report.damagedFile)
      #expect(FileManager.default.fileExists(atPath: kept))
      let store = try Store(folder: folder, options: .small)
      let check = try await store.check(thorough: true)
      #expect(check.findings == [])
      let record = try await store.read { try $0.timeline(id) }
      #expect(record.name == "mine")
      #expect(record.marks == [.init(seq: 2, text: "here")])
      let file = try TimelineFile.read(try await store.file(of: sample))
      #expect(file.timeline.lost.map(\.seqs) == [range])
      let before = sample.entries.prefix(Int(range.lowerBound)).map(\.line.text)
      #expect(file.timeline.entries.prefix(before.count).map(\.line.text) == before)
      #expect(file.timeline.lastSeq == 399)
      await store.close()
    }
  }

  @Test("recovering only reads the damaged database, and leaves its log with it")
  func leavesDamagedAsItWas() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 200)
      let files = FileManager.default
      let path = folder + "/" + DatabaseFile.name
      _ = try await record(sample, in: folder) { database in
        // An import that did not end, which the next opening for writing would remove.
        try database.execute(
          "INSERT INTO timeline (uuid, phase, header, app, started, touched) "
            + "VALUES ('x', 1, x'00', 'a', 0, 0)")
        try database.execute("UPDATE chunk SET lines = zeroblob(100) WHERE ordinal = 1")
      }
      // As after a crash: the last changes are in the log alone.
      let copy = folder + "/copy"
      let writer = try Database(path: path, access: .full)
      try writer.execute("UPDATE timeline SET name = 'in the log'")
      try files.createDirectory(atPath: copy, withIntermediateDirectories: true)
      for suffix in ["", "-wal"] {
        try files.copyItem(atPath: path + suffix, toPath: copy + "/timelines.sqlite" + suffix)
      }
      let before = ["", "-wal"].map { files.contents(atPath: copy + "/timelines.sqlite" + $0) }
      #expect((before[1]?.count ?? 0) > 0)
      let report = try await Store.recover(folder: copy, options: .small)
      let kept = try #require(report.damagedFile)
      #expect(["", "-wal"].map { files.contents(atPath: kept + $0) } == before)
      let store = try Store(folder: copy, options: .small)
      let name = try await store.read { try $0.timeline(sample.header.timeline).name }
      #expect(name == "in the log")
      await store.close()
    }
  }

  @Test("checking a sound database leaves nothing behind")
  func leavesSoundAsItWas() async throws {
    try await withFolder { folder in
      let store = try Store(folder: folder, options: .small)
      try await store.record(SampleTimeline(count: 100))
      await store.close()
      let path = folder + "/" + DatabaseFile.name
      let before = FileManager.default.contents(atPath: path)
      let report = try await Store.recover(folder: folder, options: .small)
      #expect(!report.wasDamaged)
      #expect(FileManager.default.contents(atPath: path) == before)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(Set(names) == ["lock", "timelines.sqlite"])
    }
  }

  @Test("a branch whose parent cannot be read is saved without the shared entries")
  func savesOrphans() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 40)
      let branch = try Branch(of: sample, start: 15, count: 20)
      let id = branch.header.timeline
      let store = try Store(folder: folder, options: .small)
      try await store.record(sample)
      _ = try await store.createBranch(branch.header)
      _ = try await store.append(AppendBatch(id, branch.own))
      await store.close()
      let database = try Database(path: folder + "/timelines.sqlite", access: .full)
      try database.execute("UPDATE timeline SET header = x'00' WHERE parent IS NULL")
      let report = try await Store.recover(folder: folder, options: .small)
      #expect(report.losses.contains { $0.contains(id.text) && $0.contains("15") })
      let saved = try Store(folder: folder, options: .small)
      let kept = try await saved.lines(of: id).map { try Entry(reading: $0) }
      #expect(kept.map(\.seq) == branch.own.map(\.seq))
      #expect(kept.first?.gap?.lost == 15)
      #expect(kept.dropFirst().map(\.line.text) == branch.own.dropFirst().map(\.line.text))
      #expect(try await saved.check(thorough: true).findings == [])
      await saved.close()
    }
  }

  @Test("the new database takes the old one's place step by step, each on the disk before the next")
  func swapsDurably() async throws {
    try await withFolder { folder in
      let (old, new) = (folder + "/timelines.sqlite", folder + "/fresh")
      let kept = old + InterruptedSwap.mark + "1"
      let files = FileManager.default
      for path in [old, new, old + "-wal"] { try Data(path.utf8).write(to: URL(filePath: path)) }
      let seen = Mutex<[String]>([])
      let disk = WatchedDisk { path throws(DiskError) in
        let hasOld = files.fileExists(atPath: old)
        let hasNew = files.fileExists(atPath: new)
        seen.withLock { $0.append("\(path == folder ? "folder" : "file") \(hasOld) \(hasNew)") }
      }
      try Store.swapFiles(old, with: new, keeping: kept, on: disk)
      #expect(
        seen.withLock { $0 } == [
          "file true true", "folder true true", "folder true true", "folder false true",
          "folder true false",
        ])
      #expect(files.contents(atPath: kept) == Data(old.utf8))
      #expect(files.contents(atPath: kept + "-wal") == Data((old + "-wal").utf8))
      #expect(files.contents(atPath: old) == Data(new.utf8))
    }
  }

  @Test(
    "a recovery that was interrupted is finished or undone at the next opening", arguments: 1...5)
  func finishesSwap(step: Int) async throws {
    try await withFolder { folder in
      let (old, new) = (SampleTimeline(count: 40, seed: 1), SampleTimeline(count: 60, seed: 2))
      let path = folder + "/" + DatabaseFile.name
      let fresh = folder + "/" + InterruptedSwap.freshFolder
      for (place, sample) in [(folder, old), (fresh, new)] {
        let store = try Store(folder: place, options: .small)
        try await store.record(sample)
        await store.close()
      }
      try Data("log".utf8).write(to: URL(filePath: path + "-wal"))
      let count = Mutex(0)
      let disk = WatchedDisk { path throws(DiskError) in
        let number = count.withLock { count in
          count += 1
          return count
        }
        // As if the power failed before this step is on the disk.
        if number == step { throw DiskError(code: EIO, path: path) }
      }
      #expect(throws: DiskError.self) {
        try Store.swapFiles(
          path, with: fresh + "/" + DatabaseFile.name, keeping: path + InterruptedSwap.mark + "1",
          on: disk)
      }
      try InterruptedSwap.finish(in: folder)
      let isOld = step <= 3
      #expect(FileManager.default.fileExists(atPath: path + "-wal") == isOld)
      let store = try Store(folder: folder, options: .small)
      let timelines = try await store.read { try $0.timelines() }
      #expect(timelines.map { $0.id } == [isOld ? old.header.timeline : new.header.timeline])
      await store.close()
    }
  }

  @Test("missing databases are not recreated next to a damaged one")
  func refusesLeftovers() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 40)
      let whole = try Store(folder: folder, options: .small)
      try await whole.record(sample)
      await whole.close()
      let (name, files) = (DatabaseFile.name, FileManager.default)
      let damaged = name + InterruptedSwap.mark + "1"
      try files.moveItem(atPath: folder + "/" + name, toPath: folder + "/" + damaged)
      do {
        _ = try Store(folder: folder)
        Issue.record("a store begins with nothing")
      } catch {
        let advice = "To fix, rename \(damaged) to \(name) and run debugd recover"
        #expect("\(error)".contains(advice))
      }
      #expect(!files.fileExists(atPath: folder + "/" + name))
      // As the message says.
      try files.moveItem(atPath: folder + "/" + damaged, toPath: folder + "/" + name)
      _ = try await Store.recover(folder: folder, options: .small)
      let store = try Store(folder: folder, options: .small)
      try await expectEqual(store, sample)
      await store.close()
    }
  }

  @Test("missing databases are not recreated next to an unfinished recovery")
  func refusesUnfinished() async throws {
    try await withFolder { folder in
      let fresh = folder + "/" + InterruptedSwap.freshFolder
      try FileManager.default.createDirectory(
        atPath: fresh, withIntermediateDirectories: true)
      try Data("x".utf8).write(to: URL(filePath: fresh + "/" + DatabaseFile.name))
      let error = #expect(throws: StoreError.self) { try Store(folder: folder) }
      #expect(
        "\(error, default: "")".contains(
          "To fix, put the database back, or remove recovering to begin with nothing"))
      // As the message says.
      try FileManager.default.removeItem(atPath: fresh)
      await (try Store(folder: folder)).close()
    }
  }

  @Test("recovering walks the rows that are there, however far apart their ids are")
  func savesFarIDs() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 400)
      let range = try await record(sample, in: folder) { database in
        try database.execute("UPDATE chunk SET lines = zeroblob(100) WHERE ordinal = 3")
        try database.execute("UPDATE chunk SET id = id + 4000000000 WHERE ordinal > 3")
        try database.execute("UPDATE tail SET id = id + 4000000000")
      }
      let report = try await Store.recover(folder: folder, options: .small)
      #expect(report.wasDamaged)
      let store = try Store(folder: folder, options: .small)
      let file = try TimelineFile.read(try await store.file(of: sample))
      #expect(file.timeline.lost.map(\.seqs) == [range])
      #expect(file.timeline.lastSeq == 399)
      await store.close()
    }
  }

  @Test("recovering sound data changes nothing")
  func leavesSound() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 100)
      _ = try await record(sample, in: folder) { _ in }
      #expect(try await Store.recover(folder: folder, options: .small) == SalvageReport())
    }
  }

  @Test("a row of the tail that cannot be read is reported")
  func reportsTail() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 10)
      _ = try await record(sample, in: folder) { database in
        try database.execute("UPDATE tail SET lines = x'7b0a' WHERE first = 0")
      }
      let store = try Store(folder: folder, options: .small)
      #expect(try await store.check().findings.isEmpty == false)
      await #expect(throws: StoreError.self) { try await store.open(sample.header) }
      await store.close()
      let report = try await Store.recover(folder: folder, options: .small)
      #expect(report.wasDamaged)
    }
  }

  @Test(
    "whatever bytes of the file are wrong, damage is reported and the rest is saved",
    arguments: 1...Rounds.choose(8, all: 30) as ClosedRange<UInt64>)
  func survivesNoise(seed: UInt64) async throws {
    try await withFolder { folder in
      var generator = SeededGenerator(seed: seed)
      let sample = SampleTimeline(count: 300, seed: seed)
      _ = try await record(sample, in: folder) { _ in }
      let path = folder + "/timelines.sqlite"
      var bytes = try Data(contentsOf: URL(filePath: path))
      // Not the first page: without its schema there is no database.
      for _ in 0..<3 {
        let place = Int.random(in: 4_096..<bytes.count - 64, using: &generator)
        for offset in 0..<64 {
          bytes[place + offset] = UInt8.random(in: 0...255, using: &generator)
        }
      }
      try bytes.write(to: URL(filePath: path))
      let report = try await Store.recover(folder: folder, options: .small)
      let store = try Store(folder: folder, options: .small)
      #expect(try await store.check(thorough: true).findings == [], "seed \(seed)")
      for record in try await store.read({ try $0.timelines() }) where record.entries > 0 {
        let lines = Set(sample.entries.map(\.seq))
        let kept = try await store.lines(of: record.id)
        #expect(
          kept.allSatisfy { (try? Entry(reading: $0)).map { lines.contains($0.seq) } ?? false })
        #expect(report.wasDamaged || kept.count == 300, "seed \(seed)")
        // No loss without a word.
        let there = try Set(kept.map { try Entry(reading: $0).seq })
        for seq in lines.subtracting(there) {
          let isAtEnd = seq > there.max() ?? -1
          #expect(
            isReported(seq, in: report)
              || isAtEnd && report.losses.contains { $0.contains("at their ends") },
            "seed \(seed), entry \(seq): \(report.losses)")
        }
      }
      await store.close()
    }
  }

  /// Whether a recovery reported an entry as lost.
  private func isReported(_ seq: Int64, in report: SalvageReport) -> Bool {
    report.losses.contains { loss in
      let numbers = loss.split { !$0.isNumber }.compactMap { Int64($0) }
      return loss.hasPrefix("The entries") && numbers.count > 1 && numbers[0] <= seq
        && seq <= numbers[1]
    }
  }

  /// Records a sample, closes the store, and has a closure change the rows; answers the seqs of the
  /// fourth chunk, when there is one.
  private func record(
    _ sample: SampleTimeline, in folder: String, _ change: (Database) throws -> Void
  ) async throws -> ClosedRange<Int64> {
    let store = try Store(folder: folder, options: .small)
    try await store.record(sample)
    try await store.rename(sample.header.timeline, to: "mine")
    try await store.mark(sample.header.timeline, at: 2, "here")
    try await store.waitForSealing()
    await store.close()
    let database = try Database(path: folder + "/timelines.sqlite", access: .full)
    try change(database)
    let range = try database.first(
      "SELECT first, last FROM chunk WHERE ordinal = 3", row: { $0.int(0)...$0.int(1) })
    return range ?? -1 ... -1
  }
}
