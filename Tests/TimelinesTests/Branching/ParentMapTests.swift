import JSONCore
import TestSupport
import Testing

@testable import Timelines

@Suite("The way from a branch to its parents")
struct ParentMapTests {
  /// Writes a branch out as the daemon would: the shared lines, then the steps.
  private static func branch(_ script: EditScript, of parent: Timeline) throws -> Timeline {
    let plan = try script.plan(for: parent)
    var fields = parent.header.fields
    fields.timeline = .random()
    fields.parent = plan.parent(parent.header.timeline, edits: script)
    var branch = Timeline(try Header(fields))
    if plan.sharesPrefix {
      for entry in parent.entries where entry.seq < plan.start { try branch.append(entry) }
    } else {
      var zero = entryZero(of: plan)
      zero.t = parent[plan.base.seq]?.t ?? 0
      try branch.append(zero.entry())
    }
    for step in plan.steps(of: parent) { try branch.append(step.draft.entry()) }
    return branch
  }

  private static func entryZero(of plan: ForkPlan) -> EntryDraft {
    var draft = EntryDraft(seq: 0, t: 0)
    draft.was = plan.base.seq
    return draft
  }

  @Test("counts only the branch's own entries, not what is written in shared lines")
  func shared() throws {
    let root = try sampleTimeline(
      #"{"seq":0,"t":0}"#, #"{"seq":1,"t":0,"event":"a"}"#, #"{"seq":2,"t":0,"event":"b"}"#,
      #"{"seq":3,"t":0,"event":"c"}"#, #"{"seq":4,"t":0,"event":"d"}"#)
    let child = try Self.branch(EditScript([.drop(1)]), of: root)
    let grandchild = try Self.branch(
      EditScript([.insert(event: try JSONSlice("\"x\""), before: 3)]), of: child)
    #expect(child.entries.map(\.was) == [nil, 2, 3, 4])
    #expect(grandchild.entries.map { $0.event?.string } == [nil, "b", "c", "x", "d"])
    let toChild = ParentMap(grandchild)
    #expect((0...4).map { toChild[$0] } == [0, 1, 2, nil, 3])
    let toRoot = toChild.followed(by: ParentMap(child))
    #expect((0...5).map { toRoot[$0] } == [0, 2, 3, nil, 4, nil])
    #expect(ParentMap(root)[3] == 3)
  }

  @Test(
    "leads from random branches of branches to the same event", arguments: 0..<20 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var line = [try sampleTimeline(#"{"seq":0,"t":0}"#)]
    for seq in 1...10 {
      try line[0].append(Entry(reading: #"{"seq":\#(seq),"t":\#(seq),"event":"e\#(seq)"}"#))
    }
    var toRoot = ParentMap(line[0])
    for generation in 1...4 {
      let parent = line[generation - 1]
      let last = parent.lastSeq ?? 0
      var script = EditScript()
      for _ in 0..<3 {
        let seq = Int64.random(in: 1...max(1, last), using: &generator)
        let target = Int64.random(in: 1...last + 1, using: &generator)
        let edit: Edit =
          switch Int.random(in: 0..<8, using: &generator) {
          case 0...1: .drop(seq)
          case 2...4: .move(seq, before: target)
          case 5: .startAt(min(seq, 2))
          default: .insert(event: try JSONSlice(#""new""#), before: target)
          }
        let longer = EditScript(script.edits + [edit])
        if (try? longer.plan(for: parent)) != nil { script = longer }
      }
      let branch = try Self.branch(script, of: parent)
      line.append(branch)
      toRoot = ParentMap(branch).followed(by: toRoot)
      for entry in branch.entries {
        guard let event = entry.event?.string else { continue }
        let origin = toRoot[entry.seq]
        if event == "new" {
          #expect(origin == nil, "seed \(seed), generation \(generation)")
        } else {
          #expect(
            origin.flatMap { line[0][$0] }?.event?.string == event,
            "seed \(seed), generation \(generation), seq \(entry.seq)")
        }
      }
    }
  }
}
