import JSONCore
import Recorder
import Replaying
import StatesCore
import Testing
import Timelines

@Suite("Recorder: adapters")
struct AdapterTests {
  private struct Cart: Codable, Equatable, Sendable { var items: [String] = [] }
  private enum Action: Codable, Sendable { case added(String), cleared }
  private enum Effect: Codable, Sendable { case none, save([String]) }
  /// An effect of The Composable Architecture: a closure.
  private struct ComposableEffect { let run: () -> Int }
  private struct Next {
    var model: Cart?
    var effects: [Effect] = []
  }
  private struct PlainAction: Sendable { let by: Int }

  private let memory = MemorySink()
  private let recorder: StateRecorder

  init() {
    var options = RecorderOptions()
    options.destinations = [.memory(memory)]
    recorder = StateRecorder(
      app: "Tests", options: options, environment: RecorderEnvironment([:]))
  }

  private func timeline(_ name: String) throws -> Timeline {
    #expect(recorder.flush(within: .seconds(120)))
    let timeline = try #require(memory.timeline(named: name))
    #expect(timeline.disagreements().isEmpty)
    return timeline
  }

  @Test("a Composable Architecture reducer with effects that are values")
  func composable() throws {
    let reduce = recorder.wrap(
      into: { (state: inout Cart, action: Action) -> Effect in
        switch action {
        case .added(let item): state.items.append(item)
        case .cleared: state.items = []
        }
        return .save(state.items)
      }, as: "cart")
    var cart = Cart()
    guard case .save(let saved) = reduce(&cart, .added("tea")) else {
      Issue.record("another effect")
      return
    }
    _ = reduce(&cart, .cleared)
    #expect(saved == ["tea"] && cart.items == [])
    let timeline = try timeline("cart")
    #expect(timeline.entries.count == 3)
    #expect(timeline.entries[1].event?.value == ["added": ["_0": "tea"]])
    #expect(timeline.state(at: 1) == ["items": ["tea"]])
    #expect(timeline.outputs(at: 1) == ["effects": [["save": ["_0": ["tea"]]]]])
    #expect(timeline.entries.allSatisfy { !$0.isJump })
  }

  @Test("effects that are closures are returned to the caller")
  func closures() throws {
    let reduce = recorder.wrap(
      into: { (state: inout Cart, action: Action) -> ComposableEffect in
        state.items.append("x")
        return ComposableEffect { 7 }
      }, as: "closures")
    var cart = Cart()
    #expect(reduce(&cart, .cleared).run() == 7)
    let timeline = try timeline("closures")
    #expect(timeline.state(at: 1) == ["items": ["x"]])
    #expect(timeline.outputs(at: 1) == [:])
  }

  @Test("a ReSwift reducer, whose first call has no state")
  func reSwift() throws {
    let reduce = recorder.wrap(
      reSwift: { (action: PlainAction, state: Cart?) -> Cart in
        Cart(items: (state?.items ?? []) + ["\(action.by)"])
      }, as: "reSwift")
    let first = reduce(PlainAction(by: 1), nil)
    let second = reduce(PlainAction(by: 2), first)
    #expect(second.items == ["1", "2"])
    let timeline = try timeline("reSwift")
    #expect(timeline.entries.count == 2)
    #expect(timeline.state(at: 0) == ["items": ["1"]])
    #expect(timeline.state(at: 1) == ["items": ["1", "2"]])
    #expect(timeline.entries[1].event?.value == ["by": 2])
  }

  @Test("a Mobius update function with its effects; without a model the old one is kept")
  func mobius() throws {
    let update = recorder.wrap(
      mobius: { (model: Cart, event: Action) -> Next in
        guard case .added(let item) = event else { return Next(effects: [.save(model.items)]) }
        return Next(model: Cart(items: model.items + [item]))
      }, as: "mobius", model: { $0.model }, effects: { $0.effects })
    let next = update(Cart(), .added("tea"))
    let model = try #require(next.model)
    #expect(update(model, .cleared).model == nil)
    let timeline = try timeline("mobius")
    #expect(timeline.state(at: 1) == ["items": ["tea"]])
    #expect(timeline.outputs(at: 1) == [:])
    #expect(timeline.state(at: 2) == ["items": ["tea"]])
    #expect(timeline.outputs(at: 2) == ["effects": [["save": ["_0": ["tea"]]]]])
  }
}
