import JSONCore
import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

/// A system with a loop for a single request, and one for several.
private enum Search: Replayable {
  struct State: Codable, Sendable, Equatable {
    var query: String?
    var pages: Set<Int> = []
    var found: [String] = []
  }

  enum Event: Codable, Sendable {
    case typed(String?)
    case opened(Int)
    case closed(Int)
    case found(String)
  }

  static func reduce(_ state: State, _ event: Event) -> State {
    var state = state
    switch event {
    case .typed(let query): state.query = query
    case .opened(let page): state.pages.insert(page)
    case .closed(let page): state.pages.remove(page)
    case .found(let text):
      state.found.append(text)
      if state.found.count > 3 { state.found.removeFirst() }
    }
    return state
  }

  static func make() -> FeedbackSystem<State, Event> {
    FeedbackSystem(
      initialState: State(), reduce: reduce,
      feedback: react("load", request: \.query) { query, emit in emit(.found(query)) },
      react("pages", requests: \.pages) { page, emit in emit(.found("page \(page)")) })
  }
}

@Suite("Replaying: feedback system")
struct FeedbackKindTests {
  /// Runs the system with these events from outside, and records its steps.
  private func record(_ events: [Search.Event]) async throws -> [EntryDraft] {
    let system = Search.make()
    let drafts = Mutex<[EntryDraft]>([])
    let recorded = system.recorded { run in
      let writer = Mutex(
        RunWriter(FeedbackAppearance(of: system), identity: run.identity, base: 0))
      return FeedbackTap(
        didStart: { state, _ in
          let draft = writer.withLock { try? $0.begin(with: state, after: nil, t: 0) }
          drafts.withLock { list in if let draft { list.append(draft) } }
        },
        didHandle: { event, _, after, details, _ in
          let draft = writer.withLock {
            try? $0.write(event, after, details, t: Int64(details.number))
          }
          drafts.withLock { list in if let draft { list.append(draft) } }
        })
    }
    let run = recorded.makeRun()
    var pending = events[...]
    // The loops are finished when each has answered its requests.
    var iterator = run.makeAsyncIterator()
    for _ in 0..<events.count {
      guard try await iterator.next() != nil else { break }
      if let event = pending.popFirst() { run.send(event) }
    }
    // A page that stays open is answered, however late the shared pool begins that.
    let isAnswered = Self.pages(openAfter: events).isEmpty
    while drafts.withLock({ drafts in
      drafts.count <= events.count
        || !isAnswered && !drafts.contains { $0.origin == .loop("pages") }
    }) {
      guard try await iterator.next() != nil else { break }
    }
    return drafts.withLock { $0 }
  }

  private static func pages(openAfter events: [Search.Event]) -> Set<Int> {
    var open: Set<Int> = []
    for event in events {
      switch event {
      case .opened(let page): open.insert(page)
      case .closed(let page): open.remove(page)
      case .typed, .found: break
      }
    }
    return open
  }

  @Test("any run, with events of all loops, can be replayed", arguments: 0..<6)
  func property(seed: UInt64) async throws {
    var generator = SeededGenerator(seed: seed)
    let events = (0..<30).map { _ -> Search.Event in
      let number = Int.random(in: 0..<60, using: &generator)
      return switch number % 4 {
      case 0: .typed(number > 50 ? nil : "q\(number % 5)")
      case 1, 2: .opened(number % 3)
      default: .closed(number % 3)
      }
    }
    let drafts = try await record(events)
    let timeline = try Timeline.reading(drafts)
    #expect(timeline.entries.contains { $0.origin == .loop("pages") }, "seed \(seed)")
    var replay = TimelineReplay(timeline, with: try Replay(of: Search.self).makeReplayer())
    var computed: [EntryDraft] = []
    while let draft = try replay.next() { computed.append(draft) }
    #expect(replay.differences == [], "seed \(seed)")
    let again = try Timeline.reading(computed)
    for (entry, other) in zip(timeline.entries, again.entries) {
      #expect(other.patch?.text == entry.patch?.text, "seed \(seed), entry \(entry.seq)")
      #expect(other.outputs?.text == entry.outputs?.text, "seed \(seed), entry \(entry.seq)")
      #expect(other.origin == entry.origin && other.cause == entry.cause)
    }
  }

  @Test("the outputs are the IDs of the active requests of each loop")
  func outputs() throws {
    let replayer = try Replay(of: Search.self).makeReplayer()
    #expect(replayer.outputKinds.map(\.name) == ["load", "pages"])
    let first = try replayer.begin()
    #expect(first.outputState.map { String(decoding: $0, as: UTF8.self) } == "{}")
    for (seq, event) in [#"{"opened":{"_0":2}}"#, #"{"opened":{"_0":1}}"#].enumerated() {
      let slice = try JSONSlice(event)
      _ = try replayer.run(PlannedStep(seq: Int64(seq + 1), t: 0, action: .reduce(slice)))
    }
    #expect(try replayer.snapshot().outputs == ["pages": ["1", "2"]])
  }

  @Test("a system whose state lives elsewhere starts with a recorded one")
  func stored() throws {
    let store = FeedbackStore<Int>(load: { 1 }, store: { _ in })
    let system = FeedbackSystem(
      state: store, reduce: { (state: Int, event: Int) in state + event },
      feedback: [Feedback<Int, Int>]())
    let replayer = ModelReplayer(try system.makeModel())
    let error = #expect(throws: ReplayError.self) { _ = try replayer.begin() }
    #expect(
      "\(try #require(error))".contains(
        "lives elsewhere, so a fresh run has none. To fix, begin with a recorded state."))
    try replayer.load(state: JSONSlice("40"))
    _ = try replayer.run(PlannedStep(seq: 1, t: 0, action: .reduce(try JSONSlice("2"))))
    #expect(try replayer.snapshot().state == 42)
  }
}
