import JSONCore
import Replaying
import TestSupport
import Testing
import Timelines

/// Edits applied to a plain list of events, which is then run from its beginning: slow and obvious,
/// to compare the product's branches with.
struct NaiveFork {
  struct Item {
    var was: Int64?
    /// Its time; `nil` for one that takes that of the entry before.
    var t: Int64?
    /// The time that a moved entry had: one that is back at its place keeps it.
    var formerTime: Int64?
    /// The event; `nil` for a state that is taken as given.
    var event: String?
    var given: Entry?
    var origin: EntryOrigin?
    var at: String?
    var cause: EntryCause?
  }

  /// The edits, as JSON and as what they do to the list.
  private(set) var script: [String] = []
  private(set) var items: [Item]
  private let parent: Timeline
  /// The state in the script that replaces the first state of the branch.
  private var givenState: JSON?

  init(_ parent: Timeline) {
    self.parent = parent
    items = parent.entries.map { entry in
      Item(
        was: entry.seq, t: entry.t, event: entry.event?.text,
        given: entry.event == nil ? entry : nil, origin: entry.origin, at: entry.at,
        cause: entry.cause)
    }
  }

  private func place(_ seq: Int64) -> Int? { items.firstIndex { $0.was == seq } }

  /// A position after the first entry that holds an event.
  private func editable(_ random: inout SeededGenerator) -> Int? {
    items.indices.dropFirst().filter { items[$0].event != nil && items[$0].was != nil }
      .randomElement(using: &random)
  }

  mutating func edit(_ machine: BranchedMachine, _ random: inout SeededGenerator) {
    let event = machine.event(&random, Int64(items.count))
    switch Int.random(in: 0..<16, using: &random) {
    case 0, 1, 2:
      guard let place = editable(&random), let seq = items[place].was else { return }
      script.append(#"{"drop":\#(seq)}"#)
      items.remove(at: place)
    case 3, 4:
      guard let place = editable(&random), let seq = items[place].was else { return }
      script.append(#"{"replace":\#(seq),"event":\#(event)}"#)
      items[place].event = event
    case 5, 6, 7:
      let places = items.indices.dropFirst().filter { items[$0].was != nil }
      guard let place = places.randomElement(using: &random), let seq = items[place].was else {
        return
      }
      script.append(#"{"insert":\#(event),"before":\#(seq)}"#)
      // Right before the entry: after earlier insertions at the same place.
      items.insert(Item(event: event, origin: .inspector), at: place)
    case 8:
      guard let from = editable(&random), let seq = items[from].was,
        let to = editable(&random), let target = items[to].was, seq != target
      else { return }
      script.append(#"{"move":\#(seq),"before":\#(target)}"#)
      var moved = items.remove(at: from)
      moved.formerTime = moved.formerTime ?? moved.t
      moved.t = nil
      guard let place = place(target) else { return }
      items.insert(moved, at: place)
    case 9, 10:
      script.append(#"{"append":\#(event)}"#)
      items.append(Item(event: event, origin: .inspector))
    case 11, 12: dropRange(&random)
    case 13: if random.chance(0.3) { start(machine, &random) }
    case 14: if random.chance(0.3) { startWithState(&random) }
    default:
      guard random.chance(0.2), let place = editable(&random), let seq = items[place].was,
        place > items.count / 2
      else { return }
      script.append(#"{"cut":\#(seq)}"#)
      items.removeSubrange((place + 1)...)
    }
  }

  /// Leaves out neighbours in the parent, wherever earlier edits put them.
  private mutating func dropRange(_ random: inout SeededGenerator) {
    guard let first = editable(&random).flatMap({ items[$0].was }) else { return }
    let events = Set(items.dropFirst().filter { $0.event != nil }.compactMap(\.was))
    var last = first
    while last - first < 6, events.contains(last + 1), random.chance(0.8) { last += 1 }
    script.append(#"{"drop":[\#(first),\#(last)]}"#)
    items.removeAll { $0.was.map((first...last).contains) == true }
  }

  /// Begins with the parent's state at an entry, wherever earlier edits put that.
  private mutating func start(_ machine: BranchedMachine, _ random: inout SeededGenerator) {
    // What a form goes back to has the parent's numbers, and entry 0 of such a branch has another.
    guard machine.replay.kind != .form else { return }
    let places = items.indices.dropFirst().prefix(20).filter { items[$0].was != nil }
    guard let place = places.randomElement(using: &random), let seq = items[place].was else {
      return
    }
    script.append(#"{"start":{"seq":\#(seq)}}"#)
    items.removeSubrange(...place)
    items.insert(Item(was: seq, t: parent[seq]?.t), at: 0)
    givenState = nil
  }

  /// Begins with a state that the machine has somewhere else.
  private mutating func startWithState(_ random: inout SeededGenerator) {
    let known = parent.entries.compactMap { parent.state(at: $0.seq) }
    guard let state = known.randomElement(using: &random) else { return }
    let literal = random.chance(0.5) ? #","literal":true"# : ""
    script.append(#"{"start":\#(String(decoding: state.encoded(), as: UTF8.self))\#(literal)}"#)
    givenState = state
  }

  /// Entry 0: the parent's own, or the moment that the script begins with.
  private func first(_ machine: BranchedMachine) throws -> Entry {
    let parentFirst = try #require(parent.entries.first)
    let seq = try #require(items.first?.was)
    var draft = EntryDraft(seq: 0, t: 0)
    if let givenState {
      let isRecorded = parent.state(at: seq).map { $0 == givenState } ?? false
      draft.state = givenState.encoded()[...]
      if !isRecorded { return try draft.entry() }
      draft.state = nil
    }
    guard seq != parentFirst.seq else { return parentFirst }
    // As the machine comes there from the beginning: the parent may not have captured it.
    let replayer = try machine.replay.makeReplayer()
    try replayer.start(with: parentFirst)
    for entry in parent.entries.dropFirst() where entry.seq <= seq {
      let action = entry.event.map(PlannedStep.Action.reduce) ?? .take(entry)
      _ = try replayer.run(
        PlannedStep(seq: entry.seq, was: entry.seq, t: entry.t, action: action))
    }
    let snapshot = try replayer.snapshot()
    draft.state = snapshot.state.encoded()[...]
    draft.outputState = snapshot.outputs.encoded()[...]
    return try draft.entry()
  }

  /// The expected state and outputs after each entry, and its line.
  func expect(
    _ branch: Timeline, _ machine: BranchedMachine, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let replayer = try machine.replay.makeReplayer()
    try replayer.start(with: first(machine))
    try #require(branch.entries.count == items.count, comment, sourceLocation: sourceLocation)
    var seqs: [Int64: Int64] = [:]
    for (index, item) in items.enumerated() { if let was = item.was { seqs[was] = Int64(index) } }
    var cursor = TimelineCursor(branch)
    let start = branch.header.parent?.start ?? 0
    var t: Int64 = 0
    for (index, item) in items.enumerated() {
      let seq = Int64(index)
      let entry = branch.entries[index]
      let place: Comment = "\(comment.rawValue), entry \(seq): \(entry.line.text)"
      t = item.t ?? (item.formerTime == entry.t ? entry.t : t)
      if index > 0 {
        let action: PlannedStep.Action =
          if let event = item.event {
            .reduce(try JSONSlice(validating: Array(event.utf8)))
          } else {
            .take(try #require(item.given))
          }
        let draft = try replayer.run(PlannedStep(seq: seq, was: item.was, t: t, action: action))
        if item.event != nil {
          let event = draft.event.map { String(decoding: $0, as: UTF8.self) }
          try #require(entry.event?.text == event, place, sourceLocation: sourceLocation)
        }
        try #require(entry.error == draft.error, place, sourceLocation: sourceLocation)
      }
      try #require(entry.seq == seq && entry.t == t, place, sourceLocation: sourceLocation)
      guard case .known(let snapshot)? = cursor.move(to: seq) else {
        // What the branch shares may be thinned in the parent.
        try #require(seq < start, place, sourceLocation: sourceLocation)
        continue
      }
      let expected = try replayer.snapshot()
      try #require(snapshot.state == expected.state, place, sourceLocation: sourceLocation)
      try #require(snapshot.outputs == expected.outputs, place, sourceLocation: sourceLocation)
      guard seq >= start else { continue }
      try #require(entry.was == item.was, place, sourceLocation: sourceLocation)
      try #require(entry.origin == item.origin, place, sourceLocation: sourceLocation)
      try #require(entry.at == item.at, place, sourceLocation: sourceLocation)
      try #require(entry.restored == item.given?.restored, place, sourceLocation: sourceLocation)
      try #require(entry.isJump == (item.given?.isJump ?? false), place)
      var cause = item.cause
      if case .here(let parent)? = item.cause {
        cause = seqs[parent].flatMap { $0 < seq ? .here($0) : nil }
      }
      try #require(entry.cause == cause, place, sourceLocation: sourceLocation)
    }
    #expect(branch.disagreements().isEmpty, comment, sourceLocation: sourceLocation)
  }
}

extension Replayer {
  /// Begins as a recording does.
  func start(with first: Entry) throws {
    _ = try run(PlannedStep(seq: 0, was: 0, t: 0, action: .take(first)))
  }
}
