import JSONCore
import TestSupport
import Testing
import Timelines
import Wire

@testable import Recorder

@Suite("Outbox")
struct OutboxTests {
  /// Room for about three entries of the world, with an eviction group for every keyframe group.
  static var small: OutboxLimits {
    var limits = OutboxLimits()
    limits.bytes = 1_300
    limits.groupBytes = 1
    limits.batchEntries = 2
    return limits
  }

  /// Where histories begin: with nothing, half sent, half acknowledged, and after a loss of power.
  static let beginnings: [[OutboxWorld.Move]] = [
    [], [.change, .change, .connect, .send], [.connect, .change, .sendAll, .commit, .change],
    [.change, .connect, .sendAll, .commitSome, .change, .disconnect, .change],
  ]

  /// What must be true once everything was sent: each number once, or in a gap.
  static func check(_ world: OutboxWorld, isLossless: Bool, _ comment: Comment) throws {
    let kept = try #require(world.daemon.kept[world.header.timeline], comment)
    let timeline = kept.timeline
    #expect(world.outbox.count == 0, comment)
    let lost = timeline.lost.reduce(0) { $0 + Int64($1.seqs.count) }
    let atTheEnd = kept.end?.gap?.lost ?? 0
    #expect(Int64(timeline.entries.count) + lost + atTheEnd == world.last + 1, comment)
    #expect(world.daemon.duplicates == 0, comment)
    for entry in timeline.entries {
      let line = try #require(world.written[entry.seq], comment)
      if isLossless { #expect(Array(entry.line.bytes) == line, comment) }
    }
  }

  @Test("keeps every line as it was, exactly once, through every short history")
  func smallWorldWithoutPressure() throws {
    var limits = OutboxLimits()
    limits.batchEntries = 2
    try everyHistory(of: 3, without: [.wipe], limits) { world, comment in
      try Self.check(world, isLossless: true, comment)
    }
  }

  @Test("reports each loss, and never sends a change without its base, through every short history")
  func smallWorldUnderPressure() throws {
    try everyHistory(of: 3, without: [], Self.small) { world, comment in
      try Self.check(world, isLossless: false, comment)
    }
  }

  private func everyHistory(
    of length: Int, without: [OutboxWorld.Move], _ limits: OutboxLimits,
    _ check: (OutboxWorld, Comment) throws -> Void
  ) throws {
    let moves = OutboxWorld.Move.allCases.filter { !without.contains($0) }
    func go(_ world: OutboxWorld, _ history: [OutboxWorld.Move], _ left: Int) throws {
      if left == 0 {
        var last = world
        do {
          try last.finish()
        } catch {
          Issue.record("\(error) at the end of \(history)")
        }
        try check(last, "after \(history)")
        return
      }
      for move in moves {
        var next = world
        do {
          try next.play(move)
        } catch {
          Issue.record("\(error) after \(history), \(move)")
          continue
        }
        try go(next, history + [move], left - 1)
      }
    }
    for beginning in Self.beginnings {
      var world = try OutboxWorld(limits)
      for move in beginning { try world.play(move) }
      try go(world, beginning, length)
    }
  }

  @Test("holds through long random histories", arguments: [UInt64](1...24))
  func property(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    var limits = Self.small
    limits.bytes = .random(in: 900...6_000, using: &generator)
    limits.groupBytes = .random(in: 1...1_000, using: &generator)
    limits.batchEntries = .random(in: 1...6, using: &generator)
    limits.spillBytes = generator.chance(0.5) ? .random(in: 200...4_000, using: &generator) : 0
    var world = try OutboxWorld(limits)
    for step in 0..<250 {
      // Appending is likelier than the rest, as it is in life.
      let isAppend = generator.chance(0.6)
      let moves: [OutboxWorld.Move] =
        isAppend
        ? [.change, .change, .change, .keyframe, .thinned, .lossOfTheirOwn]
        : [.connect, .connect, .disconnect, .send, .sendAll, .commit, .commitSome, .wipe]
      let move = try #require(moves.randomElement(using: &generator))
      do {
        try world.play(move)
      } catch {
        Issue.record("seed \(seed), step \(step), \(move): \(error)")
        return
      }
    }
    try world.finish()
    try Self.check(world, isLossless: false, "seed \(seed)")
  }

  @Test("evicts like a plain list of groups, in every order of entries")
  func sacrifice() throws {
    for pattern in 0..<(1 << 8) {
      var limits = OutboxLimits()
      limits.bytes = 1_400
      limits.groupBytes = 1
      var outbox = Outbox(limits)
      let header = try sampleHeader()
      outbox.open(header)
      var naive = NaiveOutbox(limit: limits.bytes - outbox.bytes)
      for seq in 0..<Int64(9) {
        let isKeyframe = seq == 0 || pattern & (1 << (seq - 1)) != 0
        var draft = EntryDraft(seq: seq, t: seq)
        if seq > 0 { draft.event = Array("{\"e\":{}}".utf8)[...] }
        let value = Array(#"{"text":"a state of fifty bytes or a little more"}"#.utf8)
        if isKeyframe { draft.state = value[...] }
        if seq > 0 {
          let patch = #"[{"op":"replace","path":"/text","value":"something else"}]"#
          draft.patch = Array(patch.utf8)[...]
        }
        let entry = WrittenEntry(seq: seq, line: draft.line, isKeyframe: isKeyframe)
        _ = outbox.append([entry], to: header.timeline, now: .zero)
        naive.append(draft, isKeyframe: isKeyframe)
        outbox.checkInvariants()
        let kept = outbox.timelines[0].groups.flatMap { $0.buffer.map { Array($0.entries) } ?? [] }
        #expect(kept.map(\.line) == naive.lines, "pattern \(pattern), entry \(seq)")
        #expect(outbox.timelines[0].needsKeyframe == naive.needsKeyframe, "pattern \(pattern)")
      }
    }
  }
}

/// Groups of entries as a plain list, which evicts in the order that the protocol specifies.
struct NaiveOutbox {
  let limit: Int
  var groups: [(drafts: [EntryDraft], isThinned: Bool)] = []
  var needsKeyframe = false

  init(limit: Int) { self.limit = limit }

  var lines: [[UInt8]] { groups.flatMap { $0.drafts.map(\.line) } }

  private var cost: Int { lines.reduce(0) { $0 + $1.count + BufferedEntry.overhead } }

  mutating func append(_ draft: EntryDraft, isKeyframe: Bool) {
    var draft = draft
    if isKeyframe { needsKeyframe = false }
    if needsKeyframe { draft.thin() }
    if isKeyframe || groups.isEmpty || groups[groups.count - 1].isThinned != needsKeyframe {
      groups.append(([draft], needsKeyframe))
    } else {
      groups[groups.count - 1].drafts.append(draft)
    }
    while cost > limit {
      if let index = groups.firstIndex(where: { !$0.isThinned }) {
        for place in groups[index].drafts.indices where groups[index].drafts[place].seq > 0 {
          groups[index].drafts[place].thin()
        }
        groups[index].isThinned = true
        if index == groups.count - 1 { needsKeyframe = true }
      } else {
        if groups.count == 1 { needsKeyframe = true }
        groups.removeFirst()
      }
    }
  }
}
