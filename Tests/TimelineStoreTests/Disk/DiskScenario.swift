import FaultyDisk
import JSONCore
import Testing
import Timelines

@testable import TimelineStore

/// Something that is done with a store while its disk fails.
struct DiskScenario: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Brings the disk to where the scenario begins.
  var prepare: @Sendable (DiskSession) async throws -> Void = { _ in }
  let run: @Sendable (DiskSession) async throws -> Void
  /// Whether to run a recovery.
  var isOfDamage = false

  /// The disk and the facts with which the scenario begins.
  func start() async throws -> (state: DiskState, facts: DiskFacts) {
    let session = DiskSession(FaultyDisk())
    return try await session.runner.run {
      try await prepare(session)
      await session.runner.idle()
      var state = session.disk.state
      state.flush()
      return (state, session.facts)
    }
  }

  private static let first = SampleTimeline(count: 60, seed: 7)
  private static let second = SampleTimeline(count: 20, seed: 8)
  private static let third = SampleTimeline(count: 10, seed: 9)

  static let recording = DiskScenario(testDescription: "opening and appending") { session in
    let store = try await session.open()
    try await session.begin(first, in: store)
    try await session.append(first, 0..<18, to: store)
    try await session.rename(first, to: "mine", in: store)
    try await session.mark(first, at: 3, "here", in: store)
    try await session.append(first, 18..<30, to: store)
    try await session.end(first, losing: 5, in: store)
    await store.close()
  }

  /// Three timelines, closed in order.
  @Sendable private static func record(_ session: DiskSession) async throws {
    let store = try await session.open()
    for sample in [first, second, third] {
      try await session.begin(sample, in: store)
      try await session.append(sample, 0..<min(50, sample.entries.count), batch: 10, to: store)
    }
    try await session.rename(second, to: "second", in: store)
    try await session.mark(third, at: 2, "here", in: store)
    try await session.mark(third, at: 9, "there", in: store)
    try await session.end(third, losing: 3, in: store)
    await store.close()
    await session.runner.idle()
  }

  static let retention = DiskScenario(
    testDescription: "sealing, deleting and pruning", prepare: record
  ) { session in
    let store = try await session.open()
    try await session.append(first, 50..<60, to: store)
    try await session.delete(third, from: store)
    session.update(second) { $0.isDoomed = true }
    session.update(first) { $0.mayBeCut = true }
    let retention = Retention(bytes: 1)
    _ = try await session.insist {
      try await store.prune(retention, live: [first.header.timeline])
    }
    await session.runner.idle()
    await store.close()
  }

  static let exporting = DiskScenario(testDescription: "exporting", prepare: record) { session in
    let store = try await session.open()
    let bytes = try await session.insist {
      var bytes: [UInt8] = []
      var export = try await store.export(first.header.timeline, packed: false)
      while let next = try await export.next() { bytes += next }
      return bytes
    }
    let lines = [first.header.line.text] + first.entries.prefix(50).map(\.line.text)
    if String(decoding: bytes, as: UTF8.self) != lines.map({ $0 + "\n" }).joined() {
      throw StoreError(.damaged("the export is not what was recorded"))
    }
    await store.close()
  }

  static let recovering = DiskScenario(
    testDescription: "recovering",
    prepare: { session in
      try await record(session)
      var state = session.disk.state
      state.damage(DiskSession.folder + "/" + DatabaseFile.name) { bytes in
        // A page in the middle, which holds lines.
        let page = bytes.count / 2 / 2_048 * 2_048
        bytes.replaceSubrange(page..<page + 2_048, with: repeatElement(0xA5, count: 2_048))
      }
      session.disk.state = state
    },
    run: { session in
      let report = try await session.insist {
        try await Store.recover(folder: DiskSession.folder, options: session.options)
      }
      session.update { $0.reported += report.losses }
      let store = try await session.open()
      // What could not be read may have been this timeline, when that was reported.
      if !DiskLosses(report.losses, third).ofTimelines {
        try await session.append(third, 0..<10, to: store)
      }
      await store.close()
    }, isOfDamage: true)

  static let all = [recording, retention, exporting, recovering]
}
