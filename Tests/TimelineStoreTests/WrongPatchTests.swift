import JSONCore
import Testing
import Timelines
import Wire

@testable import TimelineStore

/// What a recorder sent that contradicts itself, in a store that took it: one of an earlier build, or one
/// that could not check it.
@Suite("Entries that contradict themselves")
struct WrongPatchTests {
  private static let id = TimelineID.random()

  private static let lines = [
    #"{"seq":0,"t":0,"state":{"n":0}}"#,
    #"{"seq":1,"t":1,"event":"e","patch":[{"op":"replace","path":"/n","value":1}]}"#,
    #"{"seq":2,"t":2,"event":"e","patch":[{"op":"replace","path":"/nix","value":1}]}"#,
    #"{"seq":3,"t":3,"event":"e","patch":[{"op":"replace","path":"/n","value":3}]}"#,
    #"{"seq":4,"t":4,"event":"e","state":{"n":9},"patch":[{"op":"replace","path":"/n","value":4}]}"#,
    #"{"seq":5,"t":5,"event":"e","patch":[{"op":"replace","path":"/n","value":5}]}"#,
    #"{"seq":6,"t":6,"event":"e","state":{"n":7},"patch":[{"op":"replace","path":"/n","value":6}]}"#,
    #"{"seq":7,"t":7,"event":"e","state":{"n":7},"patch":[{"op":"remove","path":"/x"}]}"#,
  ]

  /// A store without room for the states that patches are checked against.
  private func withLines(_ body: (String, Store) async throws -> Void) async throws {
    var options = StoreOptions()
    options.shapeBytes = 0
    try await withFolder { folder in
      let store = try openStore(folder, options: options)
      _ = try await store.open(SampleTimeline.header(Self.id))
      let entries = try Self.lines.map { try Entry(reading: Array($0.utf8)) }
      // One by one: the entries of a batch are checked while it is taken, whatever is kept of it.
      for entry in entries { _ = try await store.append(AppendBatch(Self.id, [entry])) }
      try await body(folder, store)
      await store.close()
    }
  }

  @Test("are found by a check, and do not count as damage")
  func check() async throws {
    try await withLines { folder, store in
      let report = try await store.check(thorough: true)
      #expect(report.findings.map(\.seqs) == [2...2, 6...6, 7...7])
      #expect(report.findings.allSatisfy { $0.origin == .recorder })
      #expect(!report.isDamaged && !report.isClean)
      #expect(
        report.findings.first?.text == """
          The recorder sent a patch that does not apply: entry 2: the patch does not apply: \
          operation 0 at "/nix": the path does not exist. States are unknown from there up to the \
          next keyframe; the entries themselves are intact.
          """)
      #expect(
        report.findings.dropFirst().first?.text == """
          The recorder sent a keyframe that contradicts its patch: the state of entry 6 is not what \
          its patch makes of the state before it, at /state/n. Its state holds; a search for changes \
          does not see the difference.
          """)
      #expect(report.findings.last?.text.contains("a keyframe whose patch does not apply") == true)
      await store.close()
      // Only SQLite's file can be recovered.
      guard TestedServer.current == nil else { return }
      let salvage = try await Store.recover(folder: folder)
      #expect(!salvage.wasDamaged)
    }
  }

  @Test("are attributed to the host of a branch, from its first entry on")
  func ofHost() async throws {
    var options = StoreOptions()
    options.shapeBytes = 0
    try await withStore(options) { store in
      _ = try await store.open(SampleTimeline.header(Self.id))
      let parent = try Self.lines.prefix(2).map { try Entry(reading: Array($0.utf8)) }
      _ = try await store.append(AppendBatch(Self.id, parent))
      let wrong = ["/nix", "/n"].map { path in
        #"{"seq":2,"t":2,"event":"e","state":{"n":7},"patch":[{"op":"replace","path":"\#(path)","#
          + #""value":6}]}"#
      }
      for line in wrong {
        var fields = SampleTimeline.header(.random()).fields
        fields.parent = Header.Parent(
          timeline: Self.id, through: 1, start: 2, edits: EditScript([]))
        let header = try Header(fields)
        _ = try await store.createBranch(header)
        let entry = try Entry(reading: Array(line.utf8))
        _ = try await store.append(AppendBatch(header.timeline, [entry]))
      }
      let report = try await store.check(thorough: true)
      #expect(report.findings.map(\.seqs) == [2...2, 2...2])
      #expect(report.findings.allSatisfy { $0.origin == .recorder })
      #expect(
        Set(report.findings.map(\.text)) == [
          """
          The host that computed this branch sent a keyframe whose patch does not apply: entry 2: the \
          patch does not apply: operation 0 at "/nix": the path does not exist. Its state holds; what \
          changed at it is unknown.
          """,
          """
          The host that computed this branch sent a keyframe that contradicts its patch: the state of \
          entry 2 is not what its patch makes of the state before it, at /state/n. Its state holds; a \
          search for changes does not see the difference.
          """,
        ])
    }
  }

  @Test("are attributed to the recorder or a host in a branch from a file, too")
  func ofBranchFromFile() async throws {
    var fields = SampleTimeline.header(Self.id).fields
    fields.parent = Header.Parent(
      timeline: .random(), through: 1, start: 2, edits: EditScript([]))
    let header = try Header(fields)
    let lines = [String(decoding: header.line.bytes, as: UTF8.self)] + Self.lines.prefix(2)
    try await withStore { store in
      var reading = store.makeImport()
      try await reading.add(Array((lines.joined(separator: "\n") + "\n").utf8))
      _ = try await reading.finish()
      let senders = EntrySenders(try await store.read { try $0.timeline(Self.id) })
      #expect(senders.sender(of: 1) == "The recorder")
      #expect(senders.sender(of: 2) == "The host that computed this branch")
    }
  }

  /// A patch that is valid, and shifts more elements than the limits allow.
  private static let costlyLines: [String] = {
    let count = 1 << 18
    let zeros = repeatElement("0", count: count).joined(separator: ",")
    let insertion = #"{"op":"add","path":"/a/0","value":1}"#
    let patch = repeatElement(insertion, count: (1 << 28) / count + 1).joined(separator: ",")
    return [
      #"{"seq":0,"t":0,"state":{"a":[\#(zeros)]}}"#,
      #"{"seq":1,"t":1,"event":"e","patch":[\#(patch)]}"#,
      #"{"seq":2,"t":2,"event":"e","patch":[]}"#,
      #"{"seq":3,"t":3,"event":"e","state":{"a":1},"patch":[]}"#,
      #"{"seq":4,"t":4,"event":"e","patch":[{"op":"remove","path":"/x"}]}"#,
    ]
  }()

  @Test("differ from patches that only cost too much")
  func costly() async throws {
    try await withStore { store in
      var reading = store.makeImport()
      let header = Array(SampleTimeline.header(Self.id).line.bytes)
      try await reading.add(
        header + Array(("\n" + Self.costlyLines.joined(separator: "\n") + "\n").utf8))
      let report = try await reading.finish()
      #expect(report.repairs.thinned == 3)
      #expect(
        report.note == """
          1 entry has patches that do not apply: the events were imported, but not the states after \
          them. Whatever recorded the file has a bug. 2 entries have no state, because a patch \
          exceeds a limit: the operations shift more than 268435456 elements. The events were imported. \
          To see the states, record more keyframes, or smaller changes.
          """)
    }
    var options = StoreOptions()
    options.shapeBytes = 0
    try await withStore(options) { store in
      _ = try await store.open(SampleTimeline.header(Self.id))
      for line in Self.costlyLines.prefix(2) {
        let entry = try Entry(reading: Array(line.utf8))
        _ = try await store.append(AppendBatch(Self.id, [entry]))
      }
      let findings = try await store.check(thorough: true).findings
      #expect(findings.map(\.seqs) == [1...1])
      #expect(findings.first?.text.hasPrefix("A patch exceeds a limit: entry 1: ") == true)
    }
  }

  @Test("hide only the states from the wrong patch to the next keyframe")
  func moments() async throws {
    try await withLines { _, store in
      let (before, at, after, next) = try await store.read { reader in
        let lineage = try reader.lineage(of: Self.id)
        func moment(_ seq: Int64) throws -> Moment? { try reader.moment(of: lineage, at: seq) }
        return (try moment(1), try moment(2), try moment(3), try moment(4))
      }
      #expect(before?.state == ["n": 1])
      #expect(next?.state == ["n": 9])
      guard case .lost(let range)? = at, case .lost(let longer)? = after else {
        Issue.record("\(String(describing: at))")
        return
      }
      #expect(range.seqs == 2...2 && longer.seqs == 2...3)
      #expect(range.why.contains("entry 2: the patch does not apply"))
    }
  }

  @Test("are exported as they came, and imported with all that is known of them")
  func exported() async throws {
    try await withLines { _, store in
      let header = SampleTimeline.header(Self.id).line.bytes
      let file = Array(header) + Array(("\n" + Self.lines.joined(separator: "\n") + "\n").utf8)
      try await withStore { target in
        var reading = target.makeImport()
        try await reading.add(file)
        let report = try await reading.finish()
        #expect(report.entries == 8 && report.repairs.thinned == 2)
        for seq in 0...7 as ClosedRange<Int64> {
          let here = try await store.read { try $0.moment(of: $0.lineage(of: Self.id), at: seq) }
          let there = try await target.read { try $0.moment(of: $0.lineage(of: Self.id), at: seq) }
          #expect(here?.state == there?.state, "\(seq)")
        }
      }
    }
  }
}
