internal import JSONCore
internal import Timelines

extension FuzzTarget {
  /// The first line is the shape of a timeline, the rest an edit script. Parsing it fails, or gives a
  /// script that does not change when written, and whose plan is consistent.
  ///
  /// The shape is an array of seqs of any size, or a letter per entry.
  static let edits = FuzzTarget(name: "edits") { bytes in
    let line = Array(bytes.prefix { $0 != UInt8(ascii: "\n") })
    let script: EditScript
    do throws(EditError) {
      let rest = bytes.dropFirst(line.count + 1)
      script = try EditScript(reading: String(decoding: rest, as: UTF8.self))
    } catch {
      return promise(!error.description.isEmpty, "an error says what is wrong")
    }
    let text = script.text
    promise(!text.contains(0x0A), "a script is written on one line")
    let again = try? EditScript(reading: String(decoding: text, as: UTF8.self))
    promise(again == script, "a script is read as it was written")
    promise(again?.text == text, "a script is always written the same way")
    if let shape = TimelineShape(numbersIn: line) {
      plan(script, shape, event: { _ in nil }, state: { _ in nil }) { sampleEntry($0) }
    } else if let timeline = sampleTimeline(line), let shape = try? TimelineShape(of: timeline) {
      promise((try? EditScript().plan(for: timeline))?.changesNothing == true, "no edit, no change")
      plan(script, shape, event: { timeline[$0]?.event }, state: { timeline.state(at: $0) }) {
        timeline[$0]
      }
    }
  }

  private static func plan(
    _ script: EditScript, _ shape: TimelineShape, event: (Int64) -> JSONSlice?,
    state: (Int64) -> JSON?, entry: (Int64) -> Entry?
  ) {
    let plan: ForkPlan
    do throws(EditError) {
      plan = try script.plan(for: shape, event: event, state: state)
    } catch {
      promise(!error.description.isEmpty, "an error says what is wrong")
      return promise(
        error.index.map(script.edits.indices.contains) ?? (error.reason == .tooMany),
        "the error names the edit")
    }
    promise(plan.stepCount >= 0, "there is no negative number of steps")
    promise(plan.unreached.allSatisfy(script.edits.indices.contains), "what is unreached is edits")
    promise((shape.first...shape.through).contains(plan.base.seq), "it begins with an entry")
    promise(plan.start == (plan.sharesPrefix ? plan.base.seq + 1 : 0), "it begins after its base")
    if let gap = plan.endedBeforeGapAt {
      promise(shape.lost.contains { $0.upperBound == gap - 1 }, "it ends before a loss")
    }
    follow(plan, entry)
  }

  /// Checks the first steps; a script with two seqs may have 2^62 of them.
  private static func follow(_ plan: ForkPlan, _ entry: (Int64) -> Entry?) {
    var steps = ForkSteps(plan, baseTime: entry(plan.base.seq)?.t ?? 0)
    var (seq, t, count) = (plan.firstStep, Int64.min, Int64(0))
    var seen: Set<Int64> = []
    while count < 100, let step = steps.next(entry: entry) {
      promise(step.seq == seq, "seqs rise by one")
      promise(step.t >= t, "time does not run back")
      if let was = step.was {
        promise(seen.insert(was).inserted, "no entry of the parent comes twice")
        promise(plan.seq(ofParent: was) == seq, "the parent's entry is found where it went")
      }
      if case .here(let cause) = step.cause { promise(cause < seq, "causes come before") }
      (seq, t, count) = (seq + 1, step.t, count + 1)
    }
    promise(count == min(plan.stepCount, 100), "there are as many steps as were counted")
  }

  /// A timeline with an entry for each byte: a gap before it, a state as given, or an event.
  private static func sampleTimeline(_ bytes: [UInt8]) -> Timeline? {
    let header = #"""
      {"timeline":"6f1c9a52-0b7e-4d38-9c41-2e5a7b90d1f3","app":{"name":"Coins"},\#
      "machine":{"type":"Coins.Coin","name":"coin"},"started":"2026-03-01T09:30:00Z","format":1}
      """#
    guard let header = try? Header(reading: header),
      let start = try? Entry(reading: #"{"seq":0,"t":0,"state":"s0"}"#)
    else { return nil }
    var timeline = Timeline(header)
    var seq = 0
    guard (try? timeline.append(start)) != nil else { return nil }
    for byte in bytes.prefix(64) {
      seq += 1
      var keys = byte.isMultiple(of: 3) ? #","cause":\#(seq / 2)"# : ""
      if byte.isMultiple(of: 7) {
        seq += 2
        keys += #","gap":{"lost":2,"why":""}"#
      }
      let given = #""state":"s\#(seq)","patch":[],"jump":true"#
      let what = byte.isMultiple(of: 5) ? given : #""event":"e\#(seq)""#
      let entry = try? Entry(reading: #"{"seq":\#(seq),"t":\#(seq / 2),\#(what)\#(keys)}"#)
      guard let entry, (try? timeline.append(entry)) != nil else {
        promise(false, "the sample is a timeline")
        return nil
      }
    }
    return timeline
  }

  private static func sampleEntry(_ seq: Int64) -> Entry? {
    try? Entry(
      reading: seq == 0 ? #"{"seq":0,"t":0,"state":0}"# : #"{"seq":\#(seq),"t":\#(seq),"event":0}"#)
  }
}

extension TimelineShape {
  /// The shape that a text describes: an array whose numbers are the first seq, the last one, and
  /// between them by turns a fixed point and the first and last of a loss; `nil` for other texts.
  fileprivate init?(numbersIn text: [UInt8]) {
    guard let slice = try? JSONSlice(validating: text), slice.kind == .array else { return nil }
    let numbers = Set(slice.elements.compactMap(\.int).filter { $0 >= 0 }).sorted()
    guard let first = numbers.first, let through = numbers.last else { return nil }
    self.init(first: first, through: through)
    var between = numbers.dropFirst().dropLast()
    while let fixed = between.popFirst() {
      fixedPoints.append(fixed)
      guard let from = between.popFirst(), let to = between.popFirst() else { break }
      // Entries lie between two losses, as each is noted in the entry behind it.
      if from - 1 > lost.last?.upperBound ?? first { lost.append(from...to) }
    }
  }
}
