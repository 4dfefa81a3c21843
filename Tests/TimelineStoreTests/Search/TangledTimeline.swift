import JSONCore
import TestSupport
import Timelines

/// A timeline with everything that makes searching hard, the same for the same seed: losses, thinned
/// stretches, keyframes with and without patch, arrays whose elements come, go and move, keys that
/// pointers and strings must escape, long values, errors, events of many shapes, redacted values.
struct TangledTimeline {
  let header: Header
  private(set) var entries: [Entry] = []

  /// What is known of every moment, by seq.
  private(set) var moments: [Int64: Moment] = [:]

  /// How often something happens.
  struct Odds {
    var loss = 0.02
    var thinning = 0.03
    var keyframe = 0.05
    var redaction = 0.0
  }

  private var random: RandomJSON
  private var state: JSON
  private var outputs: JSON = ["isLoading": false, "show/all~": 0]

  init(count: Int, seed: UInt64, odds: Odds = Odds()) {
    var generator = SeededGenerator(seed: seed)
    header = SampleTimeline.header(TimelineID.random(using: &generator))
    random = RandomJSON(seed: seed)
    state = [
      "count": 0, "a/b": ["m~n": 1, "é": "x", "e\u{301}": "y"], "tree": random.value(depth: 4),
      "items": .array((0..<4).map { Self.item($0) }),
      "byId": ["7": ["on": true], "-": 1, "01": 2], "log": [], "token": "",
    ]
    var seq: Int64 = 0
    var t: Int64 = 0
    var isKnown = false
    for _ in 0..<count {
      var draft = EntryDraft(seq: seq, t: t)
      let isFirst = entries.isEmpty
      if !isFirst, random.chance(odds.loss) {
        let lost = Int64(random.int(in: 1..<9))
        seq += lost
        draft.seq = seq
        draft.gap = Gap(lost: lost, why: "the outbox was full")
        isKnown = false
      }
      let (before, outputsBefore) = (state, outputs)
      let raw = isFirst ? nil : advance(&draft)
      let patch = raw ?? Patch.difference(from: before, to: state)
      let outputPatch = Patch.difference(from: outputsBefore, to: outputs)
      let isThinned = !isFirst && random.chance(odds.thinning)
      let isKeyframe = !isThinned && (!isKnown || random.chance(odds.keyframe))
      if isKeyframe {
        draft.state = state.encoded()[...]
        draft.outputState = outputs.encoded()[...]
      }
      if !isThinned, isKnown {
        draft.patch = patch.json.encoded()[...]
        if !outputPatch.isEmpty { draft.outputs = outputPatch.json.encoded()[...] }
      }
      if random.chance(0.05) { draft.error = "it failed" }
      if random.chance(odds.redaction) {
        let paths = ["/state/token", "/event", "/state/items/0", "/outputs/isLoading"]
        draft.redacted = [
          Redaction((try? Pointer(paths[random.int(in: 0..<paths.count)])) ?? .root, hash: "")
        ]
      }
      isKnown = !isThinned
      guard let entry = try? draft.entry() else {
        preconditionFailure("the entry is one: \(draft)")
      }
      entries.append(entry)
      seq += 1
      t += Int64(random.int(in: 0..<3_000))
    }
    moments = Self.moments(header, entries)
  }

  /// A timeline that was made elsewhere.
  init(_ sample: SampleTimeline) {
    header = sample.header
    entries = sample.entries
    random = RandomJSON(seed: 0)
    state = .null
    moments = Self.moments(header, entries)
  }

  private static func moments(_ header: Header, _ entries: [Entry]) -> [Int64: Moment] {
    do {
      var timeline = Timeline(header)
      for entry in entries { try timeline.append(entry) }
      var cursor = TimelineCursor(timeline)
      var moments: [Int64: Moment] = [:]
      for seq in 0...(timeline.lastSeq ?? 0) { moments[seq] = cursor.move(to: seq) }
      return moments
    } catch {
      preconditionFailure("the timeline is one: \(error)")
    }
  }

  private static func item(_ id: Int) -> JSON {
    ["id": .number(JSON.Number(Int64(id))), "on": false, "tags": ["a"]]
  }

  /// Changes the state, and notes the event; answers the patch where it is not the usual one.
  private mutating func advance(_ draft: inout EntryDraft) -> Patch? {
    var event: JSON
    var patch: Patch?
    switch random.int(in: 0..<12) {
    case 0:
      event = ["add": ["n": .number(JSON.Number(Int64(random.int(in: 0..<100))))]]
      patch = Patch([.add(Pointer(tokens: ["items", "-"]), Self.item(random.int(in: 0..<99)))])
    case 1:
      let place = random.int(in: 0..<(state["items"]?.array?.count ?? 0) + 1)
      event = ["insert": ["at": .number(JSON.Number(Int64(place))), "why": "é"]]
      patch = Patch([
        .add(Pointer(tokens: ["items", "\(place)"]), Self.item(random.int(in: 0..<99)))
      ])
    case 2 where (state["items"]?.array?.count ?? 0) > 1:
      let count = state["items"]?.array?.count ?? 0
      let (from, to) = (random.int(in: 0..<count), random.int(in: 0..<count))
      event = ["move": ["from": .number(JSON.Number(Int64(from)))]]
      let moved = state["items"]?[from] ?? .null
      patch = Patch([
        .remove(Pointer(tokens: ["items", "\(from)"])),
        .add(Pointer(tokens: ["items", "\(to)"]), moved),
      ])
    case 3 where (state["items"]?.array?.count ?? 0) > 2:
      event = ["type": "removed", "last": true]
      let count = state["items"]?.array?.count ?? 0
      patch = Patch([.remove(Pointer(tokens: ["items", "\(random.int(in: 0..<count))"]))])
    case 4 where (state["items"]?.array?.count ?? 0) > 0:
      let count = state["items"]?.array?.count ?? 0
      event = ["toggle": ["on": .bool(random.chance(0.5))]]
      let path = Pointer(tokens: ["items", "\(random.int(in: 0..<count))", "on"])
      patch = Patch([.replace(path, .bool(random.chance(0.5)))])
    case 5:
      event = ["log": ["text": .string(String(repeating: "long ", count: random.int(in: 1..<500)))]]
      patch = Patch([.add(Pointer(tokens: ["log", "-"]), event["log"]?["text"] ?? .null)])
    case 6:
      event = "renamed"
      let key = random.chance(0.5) ? "é" : "e\u{301}"
      patch = Patch([.replace(Pointer(tokens: ["a/b", key]), random.scalar())])
    case 7:
      event = [
        "keys": [
          "deep": ["list": [1, .number(JSON.Number(2.5) ?? JSON.Number(Int64(2))), "three", nil]]
        ]
      ]
      let key = ["7", "-", "01", "9"][random.int(in: 0..<4)]
      patch = Patch([.add(Pointer(tokens: ["byId", key]), random.value(depth: 2))])
    case 8:
      event = 17
      outputs = random.mutation(of: outputs)
      if outputs.object == nil { outputs = ["isLoading": true] }
    case 9:
      event = ["tick": [:]]
      let ticks = (state["count"]?.int ?? 0) + 1
      patch = Patch([.replace(Pointer(tokens: ["count"]), .number(JSON.Number(ticks)))])
    default:
      event = random.chance(0.5) ? random.value(depth: 3) : ["tree": ["é": random.scalar()]]
      var object = state.object ?? JSON.Object()
      object["tree"] = random.mutation(of: object["tree"] ?? .null)
      state = .object(object)
    }
    if event.isNull { event = "nothing" }
    draft.event = event.encoded()[...]
    guard let patch else { return nil }
    do {
      state = try state.applying(patch)
    } catch {
      preconditionFailure("the patch applies: \(error)")
    }
    return patch
  }
}

extension TangledTimeline {
  /// Some paths into its moments: those of values that are or were there, and some of none.
  func paths(count: Int, seed: UInt64) throws -> [Pointer] {
    var generator = SeededGenerator(seed: seed)
    var found: [Pointer] = []
    let states = moments.sorted { $0.key < $1.key }.compactMap(\.value.state)
    for _ in 0..<count {
      var value = states.randomElement(using: &generator) ?? .null
      var path = Pointer(tokens: ["state"])
      for _ in 0..<Int.random(in: 0...4, using: &generator) {
        switch value {
        case .object(let object):
          guard let key = object.keys.randomElement(using: &generator) else { break }
          path = path.appending(key)
          value = object[key] ?? .null
        case .array(let array):
          let index = Int.random(in: 0...array.count, using: &generator)
          path = path.appending(index)
          value = array.indices.contains(index) ? array[index] : .null
        default: break
        }
      }
      found.append(path)
    }
    let fixed = [
      "/state", "/outputs", "/outputs/isLoading", "/outputs/show~1all~0", "/state/a~1b/é",
      "/state/items/0", "/state/items/2/on", "/state/items/5", "/state/byId/-", "/state/byId/7/on",
      "/state/log/3", "/state/nothing/here", "/state/items/-",
    ]
    return found + (try fixed.map { try Pointer($0) })
  }
}
