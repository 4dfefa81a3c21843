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

  /// A place behind the first entry that holds an event.
  private func editable(_ random: inout SeededGenerator) -> Int? {
    items.indices.dropFirst().filter { items[$0].event != nil && items[$0].was != nil }
      .randomElement(using: &random)
  }

  /// Makes one random edit.
  mutating func edit(_ machine: BranchedMachine, _ random: inout SeededGenerator) {
    let event = machine.event(&random, Int64(items.count))
    switch Int.random(in: 0..<12, using: &random) {
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
      // Right before the entry: behind what was inserted there earlier.
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
    default:
      guard random.chance(0.2), let place = editable(&random), let seq = items[place].was,
        place > items.count / 2
      else { return }
      script.append(#"{"cut":\#(seq)}"#)
      items.removeSubrange((place + 1)...)
    }
  }

  /// What has to come out: the state and outputs after each entry, and what each entry says.
  func expect(
    _ branch: Timeline, _ machine: BranchedMachine, _ comment: Comment,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let replayer = try machine.replay.makeReplayer()
    try replayer.start(with: try #require(parent.entries.first))
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
