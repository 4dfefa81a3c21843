import JSONCore
import TestSupport
import Testing

@testable import Timelines

@Suite("A timeline of random changes")
struct TimelinePropertyTests {
  /// A timeline with what its moments must be, each kept in full.
  struct World {
    var timeline: Timeline
    var moments: [Int64: Snapshot?] = [:]

    init(seed: UInt64, count: Int) throws {
      var generator = SeededGenerator(seed: seed)
      timeline = Timeline(try sampleHeader())
      var rule = KeyframeRule()
      var snapshot = Snapshot(state: ["items": [], "map": [:], "n": 0], outputs: [:])
      var last: Snapshot?
      var seq: Int64 = 0
      for step in 0..<count {
        var draft = EntryDraft(seq: seq, t: Int64(step / 3))
        let isFixed = step > 0 && generator.chance(0.03)
        if step > 0 {
          Self.change(&snapshot, &generator)
          draft.isJump = isFixed
          if !isFixed { draft.event = Array("\(step)".utf8)[...] }
          if generator.chance(0.05) {
            let lost = Int64.random(in: 1...4, using: &generator)
            seq += lost
            draft.seq = seq
            draft.gap = Gap(lost: lost, why: "random")
            rule.lost()
            last = nil
          }
        }
        if !isFixed, generator.chance(0.1) {
          rule.thinned()
          last = nil
          moments[seq] = .some(nil)
        } else {
          Self.capture(snapshot, after: last, isFixed, &rule, &draft)
          last = snapshot
          moments[seq] = snapshot
        }
        try timeline.append(draft.entry())
        seq += 1
      }
    }

    static func capture(
      _ snapshot: Snapshot, after last: Snapshot?, _ isFixed: Bool, _ rule: inout KeyframeRule,
      _ draft: inout EntryDraft
    ) {
      let state = snapshot.state.encoded()
      let outputs = snapshot.outputs.encoded()
      if let last {
        draft.patch =
          Patch.difference(from: last.state, to: snapshot.state).json.encoded()[...]
        let patch = Patch.difference(from: last.outputs, to: snapshot.outputs)
        if !patch.isEmpty { draft.outputs = patch.json.encoded()[...] }
      }
      let bytes = draft.patch.map { $0.count + (draft.outputs?.count ?? 0) }
      let isKeyframe = rule.captured(
        patchBytes: isFixed ? nil : bytes, snapshotBytes: state.count + outputs.count)
      guard isKeyframe else { return }
      draft.state = state[...]
      draft.outputState = outputs[...]
    }

    static func change(_ snapshot: inout Snapshot, _ generator: inout SeededGenerator) {
      var items = snapshot.state["items"]?.array ?? []
      var map = snapshot.state["map"]?.object ?? JSON.Object()
      switch Int.random(in: 0..<6, using: &generator) {
      case 0: items.append(["id": .string("\(items.count)"), "on": false])
      case 1:
        if !items.isEmpty { items.remove(at: Int.random(in: items.indices, using: &generator)) }
      case 2: if !items.isEmpty { items.shuffle(using: &generator) }
      case 3: map["k\(Int.random(in: 0..<9, using: &generator))"] = .string("a/~é")
      case 4: map["k\(Int.random(in: 0..<9, using: &generator))"] = nil
      default: break
      }
      let n = Int64.random(in: 0..<3, using: &generator)
      snapshot.state = ["items": .array(items), "map": .object(map), "n": .number(.init(n))]
      snapshot.outputs = n == 0 ? [:] : ["n": .number(.init(n))]
    }
  }

  @Test("has each moment as if all had been kept", arguments: 0..<12 as Range<UInt64>)
  func moments(seed: UInt64) throws {
    let world = try World(seed: seed, count: 120)
    let timeline = world.timeline
    for seq in 0...(timeline.lastSeq ?? 0) {
      switch (timeline.moment(at: seq), world.moments[seq]) {
      case (.known(let found)?, .some(.some(let expected))):
        #expect(found == expected, "seed \(seed), seq \(seq)")
      case (.thinned?, .some(.none)): #expect(timeline[seq]?.isThinned == true)
      case (.lost(let range)?, nil): #expect(range.seqs.contains(seq) && timeline[seq] == nil)
      default: Issue.record("seed \(seed), seq \(seq)")
      }
    }
    #expect(timeline.disagreements().isEmpty)
    let bytes = TimelineFile.bytes(of: timeline)
    #expect(try TimelineFile.read(bytes).timeline.entries == timeline.entries)
  }

  @Test("has the same moments for a cursor that steps and jumps", arguments: 0..<6 as Range<UInt64>)
  func cursor(seed: UInt64) throws {
    let world = try World(seed: seed, count: 150)
    let last = world.timeline.lastSeq ?? 0
    var generator = SeededGenerator(seed: seed + 1000)
    var cursor = TimelineCursor(world.timeline)
    var seq: Int64 = 0
    for _ in 0..<600 {
      switch Int.random(in: 0..<10, using: &generator) {
      case 0: seq = Int64.random(in: 0...last, using: &generator)
      case 1...5: seq = max(0, seq - 1)
      default: seq = min(last, seq + 1)
      }
      let moment = cursor.move(to: seq)
      if case .some(.some(let expected)) = world.moments[seq] {
        #expect(moment == .known(expected), "seed \(seed), seq \(seq)")
      } else {
        #expect(moment?.state == nil)
      }
    }
  }

  @Test("needs at most one snapshot's bytes of patches from a keyframe to any entry")
  func replayIsBounded() throws {
    for seed in 0..<6 as Range<UInt64> {
      let timeline = try World(seed: seed, count: 200).timeline
      var patches = 0
      for entry in timeline.entries {
        if let state = entry.state {
          patches = 0
          #expect(state.range.count > 0)
        } else if !entry.isThinned {
          patches += (entry.patch?.range.count ?? 0) + (entry.outputs?.range.count ?? 0)
          let snapshot = try #require(timeline.moment(at: entry.seq))
          let bytes =
            (snapshot.state?.encoded().count ?? 0) + (snapshot.outputs?.encoded().count ?? 0)
          #expect(patches < bytes, "seed \(seed), seq \(entry.seq)")
        }
      }
    }
  }
}
