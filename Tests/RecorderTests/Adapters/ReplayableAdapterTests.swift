import JSONCore
import Recorder
import Replaying
import StatesCore
import Synchronization
import TestSupport
import Testing
import Timelines

private struct Cart: Codable, Equatable, Sendable { var items: [String] = [] }
private enum Change: Codable, Sendable { case added(String), cleared }
private enum Effect: Codable, Sendable { case none, save([String]) }

private func reduce(_ cart: inout Cart, _ change: Change) -> Effect {
  switch change {
  case .added(let item):
    cart.items.append(item)
    return .save(cart.items)
  case .cleared:
    cart.items = []
    return .none
  }
}

private enum EffectfulCart: Replayable {
  static func make() -> EffectfulReducer<Cart, Change> {
    EffectfulReducer(first: Cart(), into: reduce)
  }
}
private enum PlainCart: Replayable {
  static func make() -> RecordedReducer<Cart, Change> {
    RecordedReducer(first: Cart(), inPlace: reduce)
  }
}

/// An effect of another library: a closure.
private struct OpaqueEffect { let run: () -> Int }
private struct Next {
  var model: Cart?
  var effects: [Effect] = []
}
private func update(_ cart: Cart, _ change: Change) -> Next {
  guard case .added(let item) = change else { return Next(effects: [.save(cart.items)]) }
  return Next(model: Cart(items: cart.items + [item]))
}
private enum UpdatedCart: Replayable {
  static func make() -> EffectfulReducer<Cart, Change> {
    EffectfulReducer(
      first: Cart(), update: update, model: { $0.model }, effects: { $0.effects })
  }
}

/// What ReSwift asks of an action: nothing.
private protocol AnyAction {}
private struct Increase: AnyAction, Codable { var by: Int }
private struct Reset: AnyAction, Codable {}
private enum Step: AnyAction, Codable { case up(to: Int), down }
private enum Key: String, AnyAction, Codable { case enter }
private struct Later: AnyAction { let run: () -> Void }
private struct Begin: AnyAction {}

private func count(_ action: any AnyAction, _ state: Int?) -> Int {
  let state = state ?? 10
  switch action {
  case let action as Increase: return state + action.by
  case is Reset: return 0
  case Step.up(let value): return value
  case Step.down: return state - 1
  case is Key: return -state
  default: return state
  }
}

private enum Counting: EventCatalog, Replayable {
  static var events: [any Codable.Type] { [Increase.self, Reset.self, Step.self, Key.self] }
  static func make() -> RecordedReducer<Int, CatalogEvent<Counting>> {
    RecordedReducer(first: count(Begin(), nil)) { state, event in
      (event.value as? any AnyAction).map { count($0, state) } ?? state
    }
  }
}

private enum Uncodable: Sendable { case fine(Int), failed(any Error), later(@Sendable () -> Void) }
private enum UncodableCart: Replayable {
  static func make() -> RecordedReducer<Cart, Uncodable> {
    RecordedReducer(first: Cart()) { cart, _ in cart }
  }
}
private enum Partly: Codable, Sendable { case fine(Int), failed(RecordedAsText<any Error>) }
private enum PartlyCart: Replayable {
  static func make() -> RecordedReducer<Cart, Partly> {
    RecordedReducer(first: Cart()) { cart, _ in cart }
  }
}
private struct Offline: Error, CustomStringConvertible { var description: String { "offline" } }

@Suite("Recorder: adapters whose recordings can be replayed")
struct ReplayableAdapterTests {
  private final class Log: Sendable {
    let lines = Mutex<[String]>([])
    func append(_ line: String) { lines.withLock { $0.append(line) } }
    var text: [String] { lines.withLock { $0 } }
  }

  private let log = Log()
  private let recording: MemoryRecording
  private var recorder: StateRecorder { recording.recorder }

  init() {
    let log = log
    recording = MemoryRecording { $0.log = { log.append($0) } }
  }

  private func expectReplays(_ name: String, by replay: Replay) throws -> Timeline {
    let timeline = try recording.timeline(named: name)
    recording.expectSound(timeline)
    #expect(timeline.header.machine.make == replay.make)
    #expect(timeline.header.machine.encoding == nil)
    try recording.expectReplays(timeline, by: replay)
    return timeline
  }

  @Test("a reducer with effects that are values is replayed with its effects")
  func effects() throws {
    let reduce = recorder.wrap(into: reduce, as: "cart", madeBy: EffectfulCart.self)
    var cart = Cart()
    _ = reduce(&cart, .added("tea"))
    _ = reduce(&cart, .cleared)
    let timeline = try expectReplays("cart", by: Replay(of: EffectfulCart.self))
    #expect(timeline.outputs(at: 1) == ["effects": [["save": ["_0": ["tea"]]]]])
    #expect(timeline.header.schema != nil)
  }

  @Test("a reducer with effects that are closures is replayed without them")
  func closures() throws {
    let reduce = recorder.wrap(
      into: { (cart: inout Cart, change: Change) -> OpaqueEffect in
        _ = RecorderTests.reduce(&cart, change)
        return OpaqueEffect { 1 }
      }, as: "cart", madeBy: PlainCart.self)
    var cart = Cart()
    _ = reduce(&cart, .added("tea"))
    _ = try expectReplays("cart", by: Replay(of: PlainCart.self))
  }

  @Test("a Mobius update function is replayed with its effects")
  func mobius() throws {
    let update = recorder.wrap(
      mobius: update, as: "cart", model: { $0.model }, effects: { $0.effects },
      madeBy: UpdatedCart.self)
    _ = update(update(Cart(), .added("tea")).model ?? Cart(), .cleared)
    let timeline = try expectReplays("cart", by: Replay(of: UpdatedCart.self))
    #expect(timeline.outputs(at: 2) == ["effects": [["save": ["_0": ["tea"]]]]])
  }

  @Test("actions of any type are named after their types, and replayed from a catalog")
  func anyAction() throws {
    let reduce = recorder.wrap(reSwift: count, as: "count", madeBy: Counting.self)
    var state = reduce(Begin(), nil)
    for action in [Increase(by: 4), Step.up(to: 3), Step.down, Key.enter, Reset()]
      as [any AnyAction]
    {
      state = reduce(action, state)
    }
    let timeline = try expectReplays("count", by: Replay(of: Counting.self))
    #expect(timeline.state(at: 0) == 10)
    #expect(
      timeline.entries.map { $0.event?.value } == [
        nil, ["Increase": ["by": 4]], ["Step.up": ["to": 3]], ["Step.down": [:]],
        ["Key.enter": [:]], ["Reset": [:]],
      ])
    let schema = try #require(timeline.header.schema?.value["cases"])
    #expect(
      (0..<5).map { schema[$0]?["name"]?.string } == [
        "Increase", "Reset", "Step.up", "Step.down", "Key.enter",
      ])
  }

  @Test("a given state begins the recording, and the first action is its first entry")
  func anyActionWithState() throws {
    let reduce = recorder.wrap(reSwift: count, as: "count", madeBy: Counting.self)
    _ = reduce(Increase(by: 4), 1)
    let timeline = try expectReplays("count", by: Replay(of: Counting.self))
    #expect(timeline.state(at: 0) == 1 && timeline.state(at: 1) == 5)
  }

  @Test("a store that starts over is recorded as a jump to a given state")
  func anyActionAgain() throws {
    let reduce = recorder.wrap(reSwift: count, as: "count", madeBy: Counting.self)
    _ = reduce(Increase(by: 4), reduce(Begin(), nil))
    _ = reduce(Increase(by: 5), reduce(Begin(), nil))
    let timeline = try expectReplays("count", by: Replay(of: Counting.self))
    #expect(timeline.entries.count == 4)
    #expect((0..<4).map { timeline.state(at: $0) } == [10, 14, 10, 15])
  }

  @Test("an action that holds a closure is recorded as text, and a replay names it")
  func anyActionAsText() throws {
    let reduce = recorder.wrap(reSwift: count, as: "count", madeBy: Counting.self)
    _ = reduce(Later {}, reduce(Begin(), nil))
    let timeline = try recording.timeline(named: "count")
    #expect(timeline.entries[1].eventName == "Later")
    var run = TimelineReplay(timeline, with: try Replay(of: Counting.self).makeReplayer())
    #expect(try run.next() != nil)
    let error = #expect(throws: ReplayError.self) { try run.next() }
    #expect(error?.description.contains("Later is not one of the 4 types in ") == true)
    #expect(
      error?.description.contains(
        """
        To fix, declare its type Codable and list it there, or leave this event out of the branch
        """) == true)
    #expect(error?.seq == 1)
  }

  @Test("events that are not Codable are recorded as text, and the log names the case")
  func uncodable() throws {
    let reduce = recorder.wrap(
      into: { (_: inout Cart, _: Uncodable) in }, as: "cart", madeBy: UncodableCart.self)
    var cart = Cart()
    reduce(&cart, .failed(Offline()))
    let timeline = try recording.timeline(named: "cart")
    #expect(timeline.header.machine.make == nil)
    #expect(timeline.header.machine.encoding == "reflected")
    #expect(timeline.entries[1].eventName == "failed")
    #expect(log.text.count == 1)
    let problem = try #require(log.text.first)
    #expect(problem.contains("is recorded, but cannot be replayed or forked. "))
    #expect(problem.contains("its case 'failed' holds Swift.Error"))
  }

  @Test("a case that holds an error as text keeps the rest of the type replayable")
  func asText() throws {
    let reduce = recorder.wrap(
      into: { (_: inout Cart, _: Partly) in }, as: "cart", madeBy: PartlyCart.self)
    var cart = Cart()
    reduce(&cart, .fine(1))
    reduce(&cart, .failed(RecordedAsText(Offline())))
    let timeline = try recording.timeline(named: "cart")
    #expect(timeline.header.machine.encoding == nil)
    var run = TimelineReplay(timeline, with: try Replay(of: PartlyCart.self).makeReplayer())
    #expect(try run.next() != nil)
    #expect(try run.next() != nil)
    let error = #expect(throws: ReplayError.self) { try run.next() }
    #expect(error?.description.contains("\"failed\"") == true)
    #expect(
      error?.description.contains(
        """
        recorded as text and cannot be read back. To fix, leave this event out of the branch, or \
        carry a Codable value in it
        """) == true)
  }

  @Test("a manual recording can be replayed with a type that makes its reducer")
  func byHand() throws {
    let cart = recorder.machine("cart", initial: Cart(), madeBy: PlainCart.self)
    cart.record(Change.added("tea"), state: Cart(items: ["tea"]))
    cart.record(Change.cleared, state: Cart())
    _ = try expectReplays("cart", by: Replay(of: PlainCart.self))
    let count = recorder.machine("count", initial: 10, madeBy: Counting.self)
    count.record(Increase(by: 4), state: 14)
    let timeline = try expectReplays("count", by: Replay(of: Counting.self))
    #expect(timeline.entries[1].eventName == "Increase")
  }

  @Test("a type that makes a machine with another state is refused in the log")
  func otherState() throws {
    let cart = recorder.machine("cart", initial: 1, madeBy: PlainCart.self)
    cart.record(Change.cleared, state: 2)
    #expect(try recording.timeline(named: "cart").header.machine.make == nil)
    let advice = """
      makes a machine with the state Cart, not Int. To fix, pass a type that makes a machine with the \
      state Int.
      """
    #expect(log.text.first?.hasSuffix(advice) == true)
  }

  @Test("a type that does not make a reducer is refused in the log")
  func otherMake() {
    enum FormMaker: Replayable {
      static func make() -> StateForm<Int, Never> { StateForm(state: 0) }
    }
    _ = recorder.machine("sum", initial: 1, madeBy: FormMaker.self)
    let advice = "To fix, make FormMaker.make() return a RecordedReducer or an EffectfulReducer."
    #expect(log.text.first?.hasSuffix(advice) == true, "\(log.text)")
  }

  @Test("a call site that records a machine for each event is logged, once")
  func machineForEachEvent() throws {
    var cart = Cart()
    for _ in 1...5 { _ = recorder.wrap(into: reduce, as: "cart")(&cart, .cleared) }
    for _ in 1...5 { recorder.machine("sum", initial: 0).record("added", state: 1) }
    #expect(log.text.count == 1)
    #expect(log.text.first?.contains("records a machine for each event") == true)
    let advice = """
      To fix, call the recorder once for each store, outside the code that runs for each event.
      """
    #expect(log.text.first?.hasSuffix(advice) == true)
  }

  @Test("stores of several events each, at one call site, log nothing")
  func storesAtOneCallSite() throws {
    var cart = Cart()
    for count in [1, 1, 2, 1, 1] {
      let reduce = recorder.wrap(into: reduce, as: "cart")
      for _ in 1...count { _ = reduce(&cart, .cleared) }
    }
    #expect(log.text.isEmpty)
  }

  private func attached(_ cart: inout Cart, _ change: Change, in store: StoreIdentity) {
    let recordings = recorder.storeRecordings(
      of: Cart.self, Change.self, as: "cart", madeBy: PlainCart.self)
    recordings?.reduce(&cart, change, in: store) { _ = RecorderTests.reduce(&$0, change) }
  }

  @Test("a reducer that is attached for each action has a timeline for each store")
  func sharedReducer() throws {
    var (one, other) = (Cart(), Cart())
    for item in ["a", "b", "c"] {
      attached(&one, .added(item), in: StoreIdentity(1))
      attached(&other, .added("x" + item), in: StoreIdentity(2))
    }
    let first = try expectReplays("cart", by: Replay(of: PlainCart.self))
    #expect(first.end?.state == ["items": ["a", "b", "c"]])
    let second = try expectReplays("cart 2", by: Replay(of: PlainCart.self))
    #expect(second.end?.state == ["items": ["xa", "xb", "xc"]])
    #expect(log.text.isEmpty && recorder.statistics.machines == 2)
  }

  @Test("a reducer that calls itself for a part of its state is recorded, inner steps first")
  func recursion() throws {
    let recordings = recorder.storeRecordings(of: Int.self, Int.self, as: "tree")
    var state = 0
    recordings?.reduce(&state, 2, in: .unknown) { state in
      state += 1
      recordings?.reduce(&state, 1, in: .unknown) { $0 += 1 }
    }
    #expect(state == 2)
    #expect(try recording.timeline(named: "tree").entries.compactMap { $0.event?.value } == [1, 2])
  }

  @Test("the number of stores with a timeline is limited")
  func manyStores() throws {
    for store in 0..<100 {
      var cart = Cart()
      attached(&cart, .cleared, in: StoreIdentity(store))
      attached(&cart, .cleared, in: StoreIdentity(store))
    }
    #expect(recorder.flush(within: .seconds(120)))
    #expect(recorder.statistics.machines == 100)
    #expect(eventually { (recorder.core?.machines.count ?? 0) <= 64 })
  }
}
