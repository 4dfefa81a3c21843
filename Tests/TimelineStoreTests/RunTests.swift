import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Runs of entries")
struct RunTests {
  @Test("varints read back as they were written, and nothing else is read")
  func readsVarints() {
    let numbers: [UInt64] = [0, 1, 127, 128, 300, 1 << 32, .max]
    var bytes: [UInt8] = []
    for number in numbers { Varint.append(number, to: &bytes) }
    var rest = bytes[...]
    for number in numbers { #expect(Varint.removeFirst(from: &rest) == number) }
    #expect(Varint.removeFirst(from: &rest) == nil)
    var tooLong = [UInt8](repeating: 0x80, count: 10)[...]
    #expect(Varint.removeFirst(from: &tooLong) == nil)
    var tooLarge = ([UInt8](repeating: 0xFF, count: 9) + [0x02])[...]
    #expect(Varint.removeFirst(from: &tooLarge) == nil)
  }

  @Test("places of keyframes read back as they were written")
  func readsPlaces() {
    let places = [(0, 0), (1, 90), (40, 5_000), (41, 5_001)].map {
      KeyframePlaces.Place(index: $0.0, offset: $0.1)
    }
    #expect(KeyframePlaces.decoded(KeyframePlaces.encoded(places)) == places)
    #expect(KeyframePlaces.decoded([0x80]) == [])
  }

  @Test(
    "lines that do not end, or are empty, are not a run", arguments: ["", "a", "a\n\nb\n", "\n"])
  func refusesLines(text: String) {
    #expect(EntryRun(first: 0, lines: Array(text.utf8)) == nil)
  }

  @Test("a batch is cut into runs whose seqs are consecutive, and no line is lost")
  func cutsBatches() {
    let sample = SampleTimeline(count: 400, losses: 0.05)
    let batch = AppendBatch(sample.header.timeline, sample.entries)
    var seqs: [Int64] = []
    for run in batch.runs { seqs += Array(run.first...run.last) }
    #expect(seqs == sample.entries.map(\.seq))
    #expect(batch.runs.flatMap(\.bytes) == sample.entries.flatMap { $0.line.bytes + [0x0A] })
    #expect(batch.runs.allSatisfy { $0.bytes.count <= AppendBatch.runBytes })
  }

  @Test(
    "a chain of entries takes what a timeline takes, and the store's own rules agree",
    arguments: 1...6)
  func agreesWithTimeline(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let sample = SampleTimeline(count: 150, seed: seed, losses: 0.05, thinning: 0.1)
    var timeline = Timeline(sample.header)
    var chain = EntryChain()
    var live = LiveTimeline(row: 1, header: sample.header)
    // After each refused run, the correct one follows.
    let entries = sample.entries.flatMap { [Self.changed($0, &generator), $0] }
    for entry in entries {
      let expected = Result { () throws(TimelineError) in try timeline.append(entry) }
      let found = Result { () throws(TimelineError) in try chain.append(entry) }
      #expect(Self.error(found) == Self.error(expected), "seed \(seed), entry \(entry.seq)")
      // The store does not apply patches, and drops duplicates; it refuses everything else, too.
      guard entry.seq > live.last ?? -1 else { continue }
      let run = try #require(AppendBatch(sample.header.timeline, [entry]).runs.first)
      let before = live
      do {
        _ = try live.accept(run)
        switch Self.error(expected)?.reason {
        case nil: break
        case .patch, .outputs: live = before
        default: Issue.record("seed \(seed): entry \(entry.seq) is taken")
        }
      } catch {
        #expect(Self.error(expected).map { StoreError(.order($0)) } == error, "seed \(seed)")
        live = before
      }
    }
    #expect(timeline.entries.count > 30)
  }

  private static func error(_ result: Result<Void, TimelineError>) -> TimelineError? {
    if case .failure(let error) = result { error } else { nil }
  }

  /// The entry, or now and then one that breaks a rule.
  private static func changed(
    _ entry: Entry, _ generator: inout SeededGenerator
  ) -> Entry {
    guard entry.seq > 0, generator.chance(0.1) else { return entry }
    var draft = EntryDraft(entry)
    switch Int.random(in: 0..<5, using: &generator) {
    case 0: draft.seq += 1
    case 1: draft.t = 0
    case 2: draft.gap = Gap(lost: 1, why: "nothing was")
    case 3: draft.patch = nil
    default:
      draft.patch = Array(#"[{"op":"remove","path":"/none/at/all"}]"#.utf8)[...]
      draft.state = nil
    }
    if draft.patch == nil { draft.outputs = nil }
    return (try? draft.entry()) ?? entry
  }
}
