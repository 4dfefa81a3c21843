import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Files of timelines")
struct StoreFileTests {
  @Test("an exported file is the lines as they were recorded", arguments: [0, 1, 300])
  func exports(count: Int) async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: count, losses: 0.02, thinning: 0.02)
      try await store.record(sample)
      #expect(try await store.file(of: sample) == sample.file)
    }
  }

  @Test("a packed file is unpacked by zstd to the same bytes, and imported again")
  func packs() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 300)
      let store = try openStore(folder + "/a", options: .small)
      try await store.record(sample)
      let packed = try await store.file(of: sample, packed: true)
      let path = folder + "/file.timeline.zst"
      try Data(packed).write(to: URL(filePath: path))
      #expect(run("zstd", "-d", "-q", path, "-o", folder + "/file.timeline"))
      #expect(try Array(Data(contentsOf: URL(filePath: folder + "/file.timeline"))) == sample.file)
      await store.close()
      #expect(run("zstd", "-19", "-q", folder + "/file.timeline", "-o", folder + "/other.zst"))
      for (name, bytes) in [
        ("b", packed), ("c", try Array(Data(contentsOf: URL(filePath: folder + "/other.zst")))),
      ] {
        let other = try openStore(folder + "/" + name, options: .small)
        let report = try await other.importing(bytes, step: 1_000)
        #expect(report.entries == 300)
        try await expectEqual(other, sample)
        await other.close()
      }
    }
  }

  @Test("a header that no recorder could send is refused in a file, too")
  func longHeader() async throws {
    try await withStore(.small) { store in
      let name = String(repeating: "n", count: 1 << 20)
      let line = """
        {"timeline":"\(TimelineID.random())","app":{"name":"\(name)"},"machine":{"type":"A","name":"a"},\
        "started":"2026-05-01T08:00:00Z","format":1}

        """
      let error = await #expect(throws: StoreError.self) {
        try await store.importing(Array(line.utf8))
      }
      #expect("\(error, default: "")".contains("the line has more than 1048576 bytes"))
      let left = try await store.read { reader throws(StoreError) in try reader.timelines() }
      #expect(left.isEmpty)
    }
  }

  @Test("a timeline that claims to start in the future is not the newest forever")
  func future() async throws {
    try await withStore(.small) { store in
      var ids: [TimelineID] = []
      for started in ["9999-12-31T23:59:59Z", "2026-05-01T08:00:00Z", "8000-01-01T00:00:00Z"] {
        let id = TimelineID.random()
        let line = """
          {"timeline":"\(id)","app":{"name":"A"},"machine":{"type":"A","name":"a"},\
          "started":"\(started)","format":1}

          """
        _ = try await store.importing(Array(line.utf8))
        ids.append(id)
      }
      // The last one came last; what began years ago comes after both.
      let found = try await store.read { reader throws(StoreError) in try reader.timelines() }
      #expect(found.map(\.id) == [ids[2], ids[0], ids[1]])
    }
  }

  @Test("a repeated import is refused, and changes nothing")
  func refusesTwice() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 20)
      _ = try await store.importing(sample.file)
      await #expect(throws: StoreError.self) { try await store.importing(sample.file) }
      try await expectEqual(store, sample)
    }
  }

  @Test("recording into an unfinished import is refused, because the import may be removed")
  func refusesRecorder() async throws {
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 100)
      var file = store.makeImport()
      try await file.add(Array(sample.file.prefix(sample.file.count / 2)))
      await #expect(throws: StoreError.self) { try await store.open(sample.header) }
      await file.cancel()
      let opened = try await store.open(sample.header)
      #expect(opened.isNew)
      try await store.delete(sample.header.timeline)
    }
    try await withStore(.small) { store in
      let sample = SampleTimeline(count: 100)
      _ = try await store.importing(sample.file)
      #expect(try await store.open(sample.header).durable == 99)
    }
  }

  @Test("a canceled import is never visible")
  func givesUp() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 100)
      var store = try openStore(folder, options: .small)
      var file = store.makeImport()
      try await file.add(Array(sample.file.prefix(sample.file.count / 2)))
      #expect(try await store.read { try $0.timelines() }.isEmpty)
      await file.cancel()
      var other = store.makeImport()
      try await other.add(Array(sample.file.prefix(sample.file.count / 2)))
      // The process ends here.
      await store.close()
      store = try openStore(folder, options: .small)
      #expect(try await store.read { try $0.timelines() }.isEmpty)
      _ = try await store.importing(sample.file)
      try await expectEqual(store, sample)
      await store.close()
    }
  }

  @Test("a file cut anywhere is imported up to the cut, or refused in a sentence")
  func importsCut() async throws {
    let sample = SampleTimeline(count: 12)
    let file = sample.file
    try await withStore(.small) { store in
      for length in stride(from: 0, to: file.count, by: 29) {
        let cut = Array(file.prefix(length))
        guard let expected = try? TimelineFile.read(cut) else {
          await #expect(throws: StoreError.self) { try await store.importing(cut) }
          continue
        }
        let report = try await store.importing(cut)
        #expect(report.torn == expected.torn)
        let lines = try await store.lines(of: sample.header.timeline)
        #expect(lines == expected.timeline.entries.map(\.line.text))
        try await store.delete(sample.header.timeline)
      }
    }
  }

  @Test("of a damaged file as much is saved as a recovery in memory saves", arguments: 1...8)
  func importsDamaged(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let sample = SampleTimeline(count: 60, seed: seed, losses: 0.02)
    var file = sample.file
    let header = sample.header.line.bytes.count
    for _ in 0..<3 {
      let place = Int.random(in: header + 1..<file.count, using: &generator)
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: file[place] = UInt8.random(in: 0...255, using: &generator)
      case 1: file.removeSubrange(place..<min(file.count, place + 300))
      default: file.insert(contentsOf: "\n{\"seq\":1}\n".utf8, at: place)
      }
    }
    let expected = try TimelineFile.recover(file)
    let bytes = file
    try await withStore(.small) { store in
      let report = try await store.importing(bytes, recovering: true)
      let lines = try await store.lines(of: sample.header.timeline)
      #expect(lines == expected.timeline.entries.map(\.line.text), "seed \(seed)")
      #expect(report.repairs.missing == expected.missing, "seed \(seed)")
      #expect(report.repairs.thinned == expected.thinned.count, "seed \(seed)")
      #expect(
        report.skippedLines + report.repairs.skipped == expected.skippedCount, "seed \(seed)")
      #expect(try await store.check(thorough: true).findings == [], "seed \(seed)")
    }
  }

  @Test("a file that unpacks to far too much is refused")
  func refusesBombs() async throws {
    try await withFolder { folder in
      let path = folder + "/bomb.zst"
      #expect(run("sh", "-c", "head -c 100000000 /dev/zero | zstd -q -o '\(path)'"))
      let bomb = try Array(Data(contentsOf: URL(filePath: path)))
      let store = try openStore(folder, options: .small)
      await #expect(throws: StoreError.self) { try await store.importing(bomb) }
      var limits = ImportLimits()
      limits.bytes = 1_000
      let sample = SampleTimeline(count: 50)
      let other = try openStore(folder + "/other", options: .small)
      try await other.record(sample)
      let packed = try await other.file(of: sample, packed: true)
      await other.close()
      await #expect(throws: StoreError.self) { try await store.importing(packed, limits: limits) }
      await #expect(throws: StoreError.self) {
        try await store.importing(Array(packed.dropLast(9)))
      }
      #expect(try await store.read { try $0.timelines() }.isEmpty)
      await store.close()
    }
  }

  @Test("a packed file that was cut is refused, and imported once it is whole")
  func importsCutPacked() async throws {
    try await withFolder { folder in
      let sample = SampleTimeline(count: 400)
      let other = try openStore(folder + "/other", options: .small)
      try await other.record(sample)
      let packed = try await other.file(of: sample, packed: true)
      await other.close()
      let store = try openStore(folder, options: .small)
      let error = await #expect(throws: StoreError.self) {
        try await store.importing(Array(packed.dropLast(9)))
      }
      #expect(
        "\(error, default: "")".contains(
          "it ends inside a frame; to fix, copy or export the file again"))
      _ = try await store.importing(packed)
      try await expectEqual(store, sample)
      await store.close()
    }
  }
}

extension SampleTimeline {
  /// The file as a recorder would write it.
  var file: [UInt8] {
    Array(([header.line.text] + entries.map(\.line.text)).map { $0 + "\n" }.joined().utf8)
  }
}

extension Store {
  /// The exported file of a sample's timeline.
  func file(of sample: SampleTimeline, packed: Bool = false) async throws -> [UInt8] {
    var export = try await export(sample.header.timeline, packed: packed)
    var bytes: [UInt8] = []
    while let next = try await export.next() { bytes += next }
    return bytes
  }

  /// Imports a file, some bytes at a time.
  func importing(
    _ bytes: [UInt8], recovering: Bool = false, limits: ImportLimits = ImportLimits(),
    step: Int = 777
  ) async throws -> TimelineImport.Report {
    var file = makeImport(recovering: recovering, limits: limits)
    for start in stride(from: 0, to: bytes.count, by: step) {
      try await file.add(Array(bytes[start..<min(start + step, bytes.count)]))
    }
    return try await file.finish()
  }
}
