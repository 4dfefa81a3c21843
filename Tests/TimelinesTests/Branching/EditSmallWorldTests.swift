import JSONCore
import TestSupport
import Testing

@testable import Timelines

@Suite("Every edit script of a small world")
struct EditSmallWorldTests {
  /// A small timeline, and how long the scripts may be.
  struct World: Sendable, CustomTestStringConvertible {
    var name: String
    var lines: [String]
    var through: Int64
    var length: Int
    var testDescription: String { name }
  }

  private static func start(_ seq: Int = 0) -> String {
    seq == 0
      ? #"{"seq":0,"t":0,"state":"s0"}"#
      : #"{"seq":\#(seq),"t":\#(seq * 10),"event":"e\#(seq)","state":"s\#(seq)","gap":{"lost":\#(seq),"why":""}}"#
  }

  private static func event(_ seq: Int, cause: Int? = nil) -> String {
    let cause = cause.map { #","cause":\#($0)"# } ?? ""
    return #"{"seq":\#(seq),"t":\#(seq * 10),"event":"e\#(seq)"\#(cause)}"#
  }

  private static let jump = #"{"seq":2,"t":20,"state":"s2","jump":true,"cause":1}"#
  private static let late = #"{"seq":3,"t":30,"event":"e3","gap":{"lost":1,"why":""}}"#

  /// Scripts are tried up to so many edits; of the smallest world with events, always three.
  private static let scriptLength = Rounds.choose(2, all: 3)

  static let worlds = [
    World(name: "nothing but a start", lines: [start()], through: 0, length: scriptLength),
    World(name: "one event", lines: [start(), event(1)], through: 1, length: 3),
    World(
      name: "three events",
      lines: [start(), event(1), event(2, cause: 1), event(3, cause: 2)], through: 3,
      length: scriptLength),
    World(
      name: "three events, the last left out",
      lines: [start(), event(1), event(2, cause: 0), event(3)], through: 2, length: scriptLength),
    World(
      name: "a fixed point", lines: [start(), event(1), jump, event(3, cause: 2)], through: 3,
      length: scriptLength),
    World(
      name: "a loss", lines: [start(), event(1), late, event(4, cause: 3)], through: 4,
      length: scriptLength),
    World(
      name: "a lost beginning", lines: [start(5), event(6, cause: 5), event(7, cause: 6)],
      through: 7, length: scriptLength),
  ]

  /// Every edit that names one of the seqs, and some that name others.
  private static func edits(_ seqs: [Int64], through: Int64) throws -> [Edit] {
    let new = try JSONSlice(#""new""#)
    let named = seqs + [through + 1]
    var edits: [Edit] = [
      .append(event: new), .start(state: try JSONSlice(#""other""#)),
      .start(state: try JSONSlice(#""s0""#)), .replace(1, event: try JSONSlice(#""e1""#)),
    ]
    for seq in named {
      edits += [.drop(seq), .replace(seq, event: new), .insert(event: new, before: seq)]
      edits += [.cut(seq), .startAt(seq)]
      for other in named {
        edits.append(.move(seq, before: other))
        if seq < other { edits.append(.drop(seq...other)) }
      }
    }
    return edits
  }

  @Test("does what a plain list does", arguments: worlds)
  func agrees(_ world: World) throws {
    var timeline = Timeline(try sampleHeader())
    for line in world.lines { try timeline.append(Entry(reading: line)) }
    let shape = try TimelineShape(of: timeline, through: world.through)
    let seqs = timeline.entries.map(\.seq).filter { $0 <= world.through }
    let edits = try Self.edits(seqs, through: world.through)
    var scripts = 0

    func check(_ script: [Edit], _ naive: NaiveBranch, _ order: EditedOrder) throws {
      let plan = try order.plan {
        timeline[$0]?.event
      } state: {
        timeline.state(at: $0)
      }
      let (found, expected) = (plan.naive(of: timeline), naive.result())
      scripts += 1
      if found != expected {
        Issue.record(
          "\(String(decoding: EditScript(script).text, as: UTF8.self))\n\(found)\n\(expected)")
      }
      guard script.count < world.length else { return }
      for edit in edits {
        var (naive, order) = (naive, order)
        var (expected, found): (NaiveBranch.Failure?, EditError?)
        do { try naive.apply(edit) } catch { expected = error }
        do { try order.apply(edit, index: script.count) } catch { found = error }
        if found?.naive != expected || (found != nil && found?.index != script.count) {
          Issue.record(
            "\(String(decoding: EditScript(script + [edit]).text, as: UTF8.self)) \(String(describing: found))"
          )
        }
        if expected == nil, found == nil { try check(script + [edit], naive, order) }
      }
    }
    try check([], NaiveBranch(timeline, through: world.through), EditedOrder(shape))
    #expect(scripts > edits.count / 2)
  }

  @Test("and long random ones of a larger world", arguments: 0..<8 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for round in 0..<40 {
      var timeline = try sampleTimeline(Self.start())
      var seq = 0
      for _ in 0..<Int.random(in: 3...14, using: &generator) {
        seq += 1
        let lost = generator.chance(0.05)
        if lost { seq += 2 }
        let gap = lost ? #","gap":{"lost":2,"why":""}"# : ""
        let cause = Int.random(in: 0..<seq, using: &generator)
        let jump = #""state":"s\#(seq)","patch":[],"jump":true"#
        let what = generator.chance(0.08) ? jump : #""event":"e\#(seq)""#
        try timeline.append(
          Entry(reading: #"{"seq":\#(seq),"t":\#(seq / 2),\#(what),"cause":\#(cause)\#(gap)}"#))
      }
      let last = Int64(seq)
      var naive = NaiveBranch(timeline, through: last)
      var script = EditScript()
      for number in 0..<12 {
        let a = Int64.random(in: 0...last + 1, using: &generator)
        let b = Int64.random(in: 0...last + 1, using: &generator)
        let new = try JSONSlice(#""new\#(number)""#)
        let edit: Edit =
          switch Int.random(in: 0..<20, using: &generator) {
          case 0: .drop(min(a, b)...max(a, b))
          case 1...3: .drop(a)
          case 4...6: .replace(a, event: new)
          case 7...10: .insert(event: new, before: a)
          case 11...16: .move(a, before: b)
          case 17: .append(event: new)
          case 18: .cut(max(a, last / 2))
          default: .startAt(min(a, last / 2))
          }
        var tried = naive
        let text = String(decoding: EditScript(script.edits + [edit]).text, as: UTF8.self)
        do {
          try tried.apply(edit)
          naive = tried
          script.edits.append(edit)
        } catch {
          let failure = #expect(throws: EditError.self) {
            try EditScript(script.edits + [edit]).plan(for: timeline)
          }
          #expect(failure?.naive == error, "seed \(seed), round \(round): \(text)")
        }
      }
      let plan = try script.plan(for: timeline)
      let text = String(decoding: script.text, as: UTF8.self)
      #expect(plan.naive(of: timeline) == naive.result(), "seed \(seed), round \(round): \(text)")
      #expect(try EditScript(reading: text) == script)
      #expect(plan.stepCount == Int64(plan.steps(of: timeline).count))
      var t: Int64 = 0
      for step in plan.steps(of: timeline) {
        #expect(step.t >= t, "seed \(seed), round \(round)")
        t = step.t
      }
    }
  }
}
