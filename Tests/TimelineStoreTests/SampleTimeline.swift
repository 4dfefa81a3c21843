import JSONCore
import TestSupport
import Timelines

/// A recorded machine with a list and some counters, the same for the same seed.
struct SampleTimeline {
  let header: Header
  let entries: [Entry]

  var timeline: Timeline {
    get throws {
      var timeline = Timeline(header)
      for entry in entries { try timeline.append(entry) }
      return timeline
    }
  }

  /// The header of a timeline with that id.
  static func header(_ id: TimelineID, app: String = "Sample") -> Header {
    let fields = Header.Fields(
      timeline: id, app: Header.App(name: app),
      machine: Header.Machine(type: "Sample.Machine", name: "sample"),
      started: Timestamp(microseconds: 1_777_000_000_000_000))
    guard let header = try? Header(fields) else {
      preconditionFailure("the sample's header is one")
    }
    return header
  }

  init(header: Header, entries: [Entry]) {
    self.header = header
    self.entries = entries
  }

  init(count: Int, seed: UInt64 = 1, losses: Double = 0, thinning: Double = 0) {
    var generator = SeededGenerator(seed: seed)
    header = Self.header(TimelineID.random(using: &generator))
    var machine = SampleMachine(generator: generator, losses: losses, thinning: thinning)
    entries = (0..<count).map { _ in machine.next() }
  }
}

/// Makes the entries of a sample one after the other.
struct SampleMachine {
  private var generator: SeededGenerator
  private let losses: Double
  private let thinning: Double
  private var state: JSON = ["count": 0, "items": [], "user": ["name": "Ada", "isIn": false]]
  private var seq: Int64 = 0
  private var t: Int64 = 0
  private var isBaseKnown = false
  private var patchBytes = 0

  init(generator: SeededGenerator, losses: Double = 0, thinning: Double = 0) {
    self.generator = generator
    self.losses = losses
    self.thinning = thinning
  }

  mutating func next() -> Entry {
    t += Int64.random(in: 0...2_000, using: &generator)
    var draft = EntryDraft(seq: seq, t: t)
    defer { seq += 1 }
    guard seq > 0 else { return keyframe(&draft, patch: nil) }
    if generator.chance(losses) {
      let lost = Int64.random(in: 1...5, using: &generator)
      seq += lost
      draft.seq = seq
      draft.gap = Gap(lost: lost, why: "the outbox was full")
      isBaseKnown = false
    }
    let (event, after) = step()
    draft.event = event.encoded()[...]
    draft.ns = Int64.random(in: 300...9_000, using: &generator)
    let patch = Patch.difference(from: state, to: after).json.encoded()
    state = after
    if generator.chance(thinning) {
      isBaseKnown = false
      return entry(draft)
    }
    patchBytes += patch.count
    if !isBaseKnown || patchBytes >= state.encoded().count {
      return keyframe(&draft, patch: isBaseKnown ? patch : nil)
    }
    draft.patch = patch[...]
    return entry(draft)
  }

  private mutating func step() -> (event: JSON, after: JSON) {
    var patch: Patch
    let event: JSON
    let count = state["items"]?.array?.count ?? 0
    switch Int.random(in: 0..<5, using: &generator) {
    case 0:
      let text = "item \(Int.random(in: 0..<1_000, using: &generator))"
      event = ["add": ["text": .string(text)]]
      patch = Patch([
        .add(Pointer(tokens: ["items", "-"]), ["text": .string(text), "isDone": false])
      ])
    case 1 where count > 0:
      let index = Int.random(in: 0..<count, using: &generator)
      event = ["remove": ["at": .number(JSON.Number(Int64(index)))]]
      patch = Patch([.remove(Pointer(tokens: ["items", "\(index)"]))])
    case 2 where count > 0:
      let index = Int.random(in: 0..<count, using: &generator)
      event = ["done": ["at": .number(JSON.Number(Int64(index)))]]
      patch = Patch([.replace(Pointer(tokens: ["items", "\(index)", "isDone"]), true)])
    case 3:
      event = "toggleUser"
      let isIn = state["user"]?["isIn"]?.bool ?? false
      patch = Patch([.replace(Pointer(tokens: ["user", "isIn"]), .bool(!isIn))])
    default:
      event = ["tick": [:]]
      let ticks = (state["count"]?.int ?? 0) + 1
      patch = Patch([.replace(Pointer(tokens: ["count"]), .number(JSON.Number(ticks)))])
    }
    return (event, (try? state.applying(patch)) ?? state)
  }

  private mutating func keyframe(_ draft: inout EntryDraft, patch: [UInt8]?) -> Entry {
    draft.state = state.encoded()[...]
    draft.patch = patch.map { $0[...] }
    isBaseKnown = true
    patchBytes = 0
    return entry(draft)
  }

  private func entry(_ draft: EntryDraft) -> Entry {
    do {
      return try draft.entry()
    } catch {
      preconditionFailure("the sample's entries are entries: \(error)")
    }
  }
}
