import JSONCore
import Timelines
import Wire

/// The entries of a timeline that an inspector has on its screen.
struct ShownEntries {
  /// Their numbers.
  private(set) var seqs: Set<Int64> = []
  /// The last one up to which nothing is left to ask for.
  private(set) var through: Int64 = -1

  /// Adds entries, and returns the first one that is not what its machine made.
  mutating func add(_ entries: [JSONSlice], of book: TimelineBook?) -> Int64? {
    var wrong: Int64?
    for entry in entries {
      guard let seq = entry["seq"]?.int else { continue }
      seqs.insert(seq)
      // Only the timelines of the scripted machines have a book; branches have none.
      guard let book, wrong == nil else { continue }
      let isMade = seq >= 0 && seq <= book.last
      if !isMade || entry["event"].flatMap({ ModelEvent($0) }) != book.events[Int(seq)] {
        wrong = seq
      }
    }
    return wrong
  }

  /// Notes that everything up to an entry was received.
  mutating func complete(through seq: Int64) { through = max(through, seq) }
}

// An inspector that shows every entry: it looks at what is stored, watches, and then asks for what
// was stored between the two, as `debugd tail` does.
extension InspectorProcess {
  /// Asks for the entries that are not shown yet; `then` runs when they are.
  func look(
    at timeline: TimelineID, through last: Int64, then: @escaping () -> Void = {}
  ) {
    let from = (shown[timeline]?.through ?? -1) + 1
    guard showsEntries, from <= last else { return then() }
    ask(
      .entries(
        FromInspector.Entries {
          $0.timeline = timeline
          $0.from = from
          $0.count = last - from + 1
        })
    ) { [weak self] answer in
      guard let self else { return then() }
      if case .error(let error) = answer.body, error.code == .failed {
        // A user repeats what failed.
        return world.scheduler.after(1_000_000) { [weak self] in
          guard let self, isConnected, followed.contains(timeline) else { return }
          look(at: timeline, through: last, then: then)
        }
      }
      guard case .entries(let part) = answer.body else { return then() }
      show(part.entries, of: timeline)
      let received = part.entries.last?["seq"]?.int ?? -1
      shown[timeline]?.complete(through: received)
      // An answer that ends early and brings something is continued.
      if part.next != nil, received >= from { return look(at: timeline, through: last, then: then) }
      then()
    }
  }

  /// A timeline has grown.
  func grew(_ live: ToInspector.Live) {
    guard showsEntries else { return }
    let through = shown[live.timeline]?.through ?? -1
    show(live.entries, of: live.timeline)
    guard let from = live.from, from <= through + 1 else {
      // The update left out what came between, or it was lost: only a look can say.
      return look(at: live.timeline, through: live.last)
    }
    shown[live.timeline]?.complete(through: live.entries.last?["seq"]?.int ?? -1)
  }

  private func show(_ entries: [JSONSlice], of timeline: TimelineID) {
    let book = world.book[timeline]
    if let wrong = shown[timeline, default: ShownEntries()].add(entries, of: book) {
      world.fail("shows-the-truth", "\(name) is shown an entry \(wrong) that was never made.")
    }
  }
}
