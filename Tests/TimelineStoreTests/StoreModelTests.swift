import Foundation
import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("A store, next to a model in memory")
struct StoreModelTests {
  @Test("agrees with the model after any operations", arguments: [1, 2, 3, 4] as [UInt64])
  func agrees(seed: UInt64) async throws {
    try await withFolder { folder in
      var run = ModelRun(
        seed: seed, folder: folder, store: try openStore(folder, options: .small))
      for _ in 0..<150 { try await run.step() }
      try await run.checkAll()
      await run.store.close()
    }
  }
}

/// A store, and what it should hold.
private struct ModelRun {
  let folder: String
  let seed: UInt64
  var store: Store
  private var generator: SeededGenerator
  private var timelines: [TimelineID: Known] = [:]
  private var order: [TimelineID] = []

  private struct Known {
    var header: Header
    var machine: SampleMachine
    var entries: [Entry] = []
    var name: String?
    var marks: [Int64: String] = [:]
  }

  init(seed: UInt64, folder: String, store: Store) {
    self.seed = seed
    self.folder = folder
    self.store = store
    generator = SeededGenerator(seed: seed)
  }

  mutating func step() async throws {
    switch Int.random(in: 0..<20, using: &generator) {
    case 0...1: try await begin()
    case 2...11: try await append()
    case 12...14: try await seek()
    case 15: try await rename()
    case 16: try await mark()
    case 17: try await delete()
    case 18: try await reopen()
    default: try await checkCatalog()
    }
  }

  private mutating func begin() async throws {
    guard timelines.count < 6 else { return }
    let id = TimelineID.random(using: &generator)
    let machine = SampleMachine(
      generator: SeededGenerator(seed: generator.next()), losses: 0.02, thinning: 0.03)
    let known = Known(header: SampleTimeline.header(id), machine: machine)
    #expect(try await store.open(known.header) == Opened(isNew: true, durable: nil))
    timelines[id] = known
    order.append(id)
  }

  private mutating func append() async throws {
    guard let id = order.randomElement(using: &generator), var known = timelines[id] else { return }
    let count = Int.random(in: 1...25, using: &generator)
    let old = Int.random(in: 0...min(3, known.entries.count), using: &generator)
    let fresh = (0..<count).map { _ in known.machine.next() }
    let batch = AppendBatch(id, known.entries.suffix(old) + fresh)
    known.entries += fresh
    let appended = try await store.append(batch)
    #expect(appended == Appended(durable: fresh.last?.seq, dropped: old), "seed \(seed)")
    timelines[id] = known
  }

  private mutating func seek() async throws {
    guard let id = order.randomElement(using: &generator), let known = timelines[id] else { return }
    var timeline = Timeline(known.header)
    for entry in known.entries { try timeline.append(entry) }
    for _ in 0..<3 {
      let seq = Int64.random(in: 0...(timeline.lastSeq ?? 0) + 2, using: &generator)
      let (moment, line) = try await store.read { reader in
        let lineage = try reader.lineage(of: id)
        return (
          try reader.moment(of: lineage, at: seq),
          try reader.entry(of: lineage, at: seq)?.line.text
        )
      }
      #expect(moment == timeline.moment(at: seq), "seed \(seed), the moment \(seq)")
      #expect(line == timeline[seq]?.line.text, "seed \(seed), the entry \(seq)")
    }
  }

  private mutating func rename() async throws {
    guard let id = order.randomElement(using: &generator) else { return }
    let name = Bool.random(using: &generator) ? "name \(generator.next() % 10)" : nil
    try await store.rename(id, to: name)
    timelines[id]?.name = name
  }

  private mutating func mark() async throws {
    guard let id = order.randomElement(using: &generator), let known = timelines[id],
      let seq = known.entries.randomElement(using: &generator)?.seq
    else { return }
    let text = Bool.random(using: &generator) ? "mark \(generator.next() % 10)" : nil
    try await store.mark(id, at: seq, text)
    timelines[id]?.marks[seq] = text
  }

  private mutating func delete() async throws {
    guard let id = order.randomElement(using: &generator) else { return }
    #expect(try await store.delete(id) == [id])
    let removed = timelines.removeValue(forKey: id)
    let header = try #require(removed).header
    order.removeAll { $0 == id }
    let store = store
    await #expect(throws: StoreError(.gone(id)), "seed \(seed)") {
      _ = try await store.open(header)
    }
  }

  private mutating func reopen() async throws {
    await store.close()
    store = try openStore(folder, options: .small)
  }

  private func checkCatalog() async throws {
    let records = try await store.read { try $0.timelines() }
    #expect(Set(records.map(\.id)) == Set(order), "seed \(seed)")
    for record in records {
      let known = try #require(timelines[record.id])
      #expect(record.entries == Int64(known.entries.count), "seed \(seed)")
      #expect(record.first == known.entries.first?.seq, "seed \(seed)")
      #expect(record.last == known.entries.last?.seq, "seed \(seed)")
      #expect(record.name == known.name, "seed \(seed)")
      let marks = known.marks.sorted { $0.key < $1.key }.map {
        TimelineRecord.Mark(seq: $0.key, text: $0.value)
      }
      #expect(record.marks == marks, "seed \(seed)")
    }
  }

  func checkAll() async throws {
    try await checkCatalog()
    for (id, known) in timelines {
      let lines = try await store.lines(of: id)
      #expect(lines == known.entries.map(\.line.text), "seed \(seed)")
    }
    try await store.waitForSealing()
    let report = try await store.check(thorough: true)
    #expect(report.findings == [], "seed \(seed)")
  }
}
