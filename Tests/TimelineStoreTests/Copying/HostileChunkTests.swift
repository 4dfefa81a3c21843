import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("Hostile chunks of a copy")
struct HostileChunkTests {
  /// A chunk with these lines, for a timeline that has the entries 0 and 1.
  private static func chunk(_ lines: [String], first: Int64 = 2, last: Int64? = nil) -> PackedRun {
    let bytes = Array(lines.map { $0 + "\n" }.joined().utf8)
    return PackedRun(
      first: first, last: last ?? first + Int64(lines.count) - 1, bytes: Int64(bytes.count),
      frame: Zstd()?.pack(bytes, level: 1) ?? [])
  }

  private static let good = #"{"seq":2,"t":2,"event":"a","patch":[]}"#

  private static func changed(_ change: (inout PackedRun) -> Void) -> PackedRun {
    var run = chunk([good])
    change(&run)
    return run
  }

  private static let cases: [(String, PackedRun, String)] = [
    ("a seq before", chunk([#"{"seq":1,"t":2,"event":"a","patch":[]}"#], first: 1), "entry 1"),
    ("a skipped seq", chunk([#"{"seq":3,"t":2,"event":"a","patch":[]}"#], first: 3), "should"),
    ("another seq in the line", chunk([good], first: 3), "has the seq 2"),
    ("too many lines", chunk([good], last: 3), "are not those"),
    ("too few lines", chunk([good, good], last: 2), "are not those"),
    (
      "a gap inside", chunk([good, #"{"seq":3,"t":2,"gap":{"lost":1,"why":"x"},"event":"a"}"#]),
      "must begin a chunk"
    ),
    (
      "a gap that does not fit",
      chunk([#"{"seq":9,"t":2,"gap":{"lost":2,"why":"x"},"event":"a"}"#], first: 9), "2 were lost"
    ),
    ("a time before", chunk([#"{"seq":2,"t":0,"event":"a","patch":[]}"#]), "time before"),
    (
      "a patch that does not apply",
      chunk([#"{"seq":2,"t":2,"event":"a","patch":[{"op":"remove","path":"/x"}]}"#]),
      "does not apply"
    ),
    (
      "a patch of nothing",
      chunk([#"{"seq":2,"t":2,"event":"a"}"#, #"{"seq":3,"t":2,"event":"a","patch":[]}"#]),
      "must be a keyframe"
    ),
    ("text that is not JSON", chunk(["{]"]), "is not an entry"),
    (
      "text that is not UTF-8",
      PackedRun(
        first: 2, last: 2, bytes: 3, frame: Zstd()?.pack([0x22, 0xFF, 0x0A], level: 1) ?? []),
      "is not an entry"
    ),
    ("an entry without an event", chunk([#"{"seq":2,"t":2}"#]), "is not an entry"),
    ("white space around an entry", chunk([" " + good]), "white space"),
    ("an empty line", chunk(["", good], last: 3), "are not those"),
    (
      "no line feed at the end",
      PackedRun(
        first: 2, last: 2, bytes: 1, frame: Zstd()?.pack([0x31], level: 1) ?? []), "are not those"
    ),
    ("no bytes", changed { $0.bytes = 0 }, "or none"),
    ("negative bytes", changed { $0.bytes = -1 }, "or none"),
    ("more bytes than allowed", changed { $0.bytes = .max }, "or none"),
    ("other bytes than the frame's", changed { $0.bytes += 1 }, "not one zstd frame"),
    ("a truncated frame", changed { $0.frame.removeLast() }, "not one zstd frame"),
    ("bytes after the frame", changed { $0.frame.append(0) }, "not one zstd frame"),
    ("two frames", changed { $0.frame += $0.frame }, "not one zstd frame"),
    ("no frame", changed { $0.frame = [] }, "not one zstd frame"),
    ("a wrong checksum", changed { $0.frame[$0.frame.count - 1] ^= 1 }, "not one zstd frame"),
    ("seqs in the wrong order", changed { $0.last = 1 }, "cannot have the entries"),
    ("a negative seq", changed { $0.first = .min }, "cannot have the entries"),
    (
      "seqs beyond all numbers", changed { ($0.first, $0.last) = (.max, .max) },
      "cannot have the entries"
    ),
  ]

  @Test("are refused with a reason, and nothing of them is stored")
  func refused() async throws {
    try await withStore(.small) { store in
      let id = try await Self.begin(store)
      for (name, chunk, why) in Self.cases {
        let error = await #expect(throws: StoreError.self, "\(name)") {
          try await store.adopt([chunk], into: id)
        }
        let sentence = error?.description ?? ""
        #expect(sentence.contains(why), "\(name): \(sentence)")
      }
      #expect(try await store.read { try $0.ownExtent(of: id)?.last } == 1)
      #expect(try await store.adopt([Self.chunk([Self.good])], into: id) == 2)
      #expect(try await store.check(thorough: true).findings == [])
    }
  }

  @Test("after good ones in the same message keep those from being stored, too")
  func atomic() async throws {
    try await withStore(.small) { store in
      let id = try await Self.begin(store)
      let bad = Self.chunk([#"{"seq":4,"t":2,"event":"a","patch":[]}"#], first: 4)
      await #expect(throws: StoreError.self) {
        try await store.adopt([Self.chunk([Self.good]), bad], into: id)
      }
      #expect(try await store.read { try $0.ownExtent(of: id)?.last } == 1)
    }
  }

  @Test("that unpack to a thousand times their size are refused, beyond what recorders send")
  func bombs() async throws {
    try await withStore(.small) { store in
      let id = try await Self.begin(store)
      let bytes = [UInt8](repeating: 0x20, count: 40 << 20)
      let frame = try #require(Zstd()?.pack(bytes, level: 1))
      let bomb = PackedRun(first: 2, last: 2, bytes: Int64(bytes.count), frame: frame)
      let error = await #expect(throws: StoreError.self) { try await store.adopt([bomb], into: id) }
      #expect(error?.description.contains("1000 times its size") == true)
    }
  }

  @Test("with random changes never trap", arguments: 1...20)
  func mutations(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    try await withStore(.small) { store in
      let id = try await Self.begin(store)
      for _ in 0..<50 {
        var chunk = Self.chunk([Self.good])
        for _ in 0..<Int.random(in: 1...3, using: &generator) {
          let place = Int.random(in: chunk.frame.indices, using: &generator)
          chunk.frame[place] = UInt8.random(in: .min ... .max, using: &generator)
        }
        guard (try? await store.adopt([chunk], into: id)) != nil else { continue }
        // The changes undid each other.
        #expect(chunk.frame == Self.chunk([Self.good]).frame)
        return
      }
      #expect(try await store.read { try $0.ownExtent(of: id)?.last } == 1)
    }
  }

  @Test(
    "begin with headers that are refused",
    arguments: [
      (Int64.min, "names no parent"), (Int64.max, "names no parent"), (5, "There is no timeline"),
    ])
  func parents(start: Int64, why: String) async throws {
    try await withStore(.small) { store in
      var fields = SampleTimeline.header(TimelineID.random()).fields
      fields.parent = Header.Parent(
        timeline: TimelineID.random(), through: 9, start: start, edits: EditScript([]))
      let header = try? Header(fields)
      guard let header else { return }
      let error = await #expect(throws: StoreError.self) {
        try await store.beginCopy(header, shares: true)
      }
      #expect(error?.description.contains(why) == true)
      let left = try await store.read { try $0.timelines() }
      #expect(left.isEmpty)
    }
  }

  /// A copy with two entries.
  private static func begin(_ store: Store) async throws -> TimelineID {
    let header = SampleTimeline.header(TimelineID.random())
    try await store.beginCopy(header, shares: false)
    let lines = [
      #"{"seq":0,"t":0,"state":{"n":1}}"#, #"{"seq":1,"t":1,"event":"a","patch":[]}"#,
    ]
    _ = try await store.adopt([chunk(lines, first: 0)], into: header.timeline)
    return header.timeline
  }
}
