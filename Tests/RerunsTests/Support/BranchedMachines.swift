import JSONCore
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

/// A basket with outputs.
struct BranchedBasket: Reducible, Codable {
  var items: [String] = []
  var total = 0
  var note: String?

  enum Event: Codable {
    case added(String, price: Int)
    case removedLast
    case noted(String?)
    case nothing
    case exploded
  }

  static func reduce(state: BranchedBasket, event: Event) -> BranchedBasket {
    var result = state
    switch event {
    case .added(let name, let price):
      result.items.append(name)
      result.total &+= price
    case .removedLast: _ = result.items.popLast()
    case .noted(let text): result.note = text
    case .nothing, .exploded: break
    }
    return result
  }

  static var outputs: Outputs<BranchedBasket> {
    Output("count", \.items.count)
    Output("last") { $0.items.last }
  }
}

/// A form whose undo goes back to entries by number.
enum BranchedForm: Replayable {
  struct State: Codable, Equatable {
    var people: [String] = []
    var scroll = 0
  }

  enum Event: Codable {
    case joined(String)
    case scrolled(Int)
  }

  static func make() -> StateForm<State, Event> {
    StateForm(state: State()) { state, event in
      var state = state
      switch event {
      case .joined(let name): state.people.append(name)
      case .scrolled(let by): state.scroll &+= by
      }
      return state
    }
  }
}

/// A chart that counts.
enum BranchedDoorway: Replayable {
  struct Value: Codable, Sendable {
    var opened = 0
    var words: [String] = []
  }

  static func make() throws -> Statechart<Value> {
    try Statechart(
      Value(),
      ChartDefinition {
        OnEnter { $0.goTo("closed") }
        On("said", String.self) { $0.value.words.append($1) }
        ChartState("closed") { On("pushed", goTo: "open") }
        ChartState("open") {
          OnEnter { $0.value.opened += 1 }
          On("pulled", goTo: "closed")
        }
      }, options: ChartOptions(performsEffects: false))
  }
}

/// A dispatcher's object.
final class BranchedLamp: Stateful {
  private(set) lazy var state = Dispatcher(for: self)
  static func on(_ brightness: Int) -> State { state(brightness) { _ in } }
  static func off() -> State { state { _ in } }
}

/// A system whose outputs depend on the last event.
enum BranchedSearch: Replayable {
  struct State: Codable, Sendable, Equatable {
    var query: String?
    var pages: Set<Int> = []
  }

  enum Event: Codable, Sendable {
    case typed(String?)
    case opened(Int)
    case closed(Int)
  }

  static func make() -> FeedbackSystem<State, Event> {
    FeedbackSystem(
      initialState: State(),
      reduce: { state, event in
        var state = state
        switch event {
        case .typed(let query): state.query = query
        case .opened(let page): state.pages.insert(page)
        case .closed(let page): state.pages.remove(page)
        }
        return state
      },
      feedback: react("load", request: \.query) { _, _ in },
      react("pages", requests: \.pages) { _, _ in })
  }
}

/// A kind of machine with events made at random.
struct BranchedMachine: Sendable, CustomTestStringConvertible {
  var replay: Replay
  /// The first state, where the type does not know it.
  var first: String?
  /// A random event, given how many entries there are.
  var event: @Sendable (inout SeededGenerator, Int64) -> String

  var testDescription: String { replay.kind.rawValue }

  static let all: [BranchedMachine] = [
    BranchedMachine(
      replay: Replay(reducible: BranchedBasket.self), first: #"{"items":[],"total":0}"#
    ) { random, _ in
      switch Int.random(in: 0..<5, using: &random) {
      case 0, 1: #"{"added":{"_0":"i\#(Int.random(in: 0..<99, using: &random))","price":7}}"#
      case 2: #"{"removedLast":{}}"#
      case 3: #"{"noted":{"_0":"n\#(Int.random(in: 0..<9, using: &random))"}}"#
      default: #"{"nothing":{}}"#
      }
    },
    BranchedMachine(replay: Replay(of: BranchedForm.self)) { random, count in
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: #"{"joined":{"_0":"p\#(Int.random(in: 0..<99, using: &random))"}}"#
      case 2: #"{"scrolled":{"_0":3}}"#
      case 3:
        #"{"apply":{"patch":[{"op":"replace","path":"/scroll","value":\#(count)}]}}"#
      case 4: #"{"undo":{"to":\#(Int64.random(in: 0..<max(1, count), using: &random))}}"#
      default: #"{"redo":{"to":\#(Int64.random(in: 0..<max(1, count), using: &random))}}"#
      }
    },
    BranchedMachine(replay: Replay(of: BranchedDoorway.self)) { random, _ in
      switch Int.random(in: 0..<4, using: &random) {
      case 0: #"{"pushed":{}}"#
      case 1: #"{"pulled":{}}"#
      default: #"{"said":{"_0":"w\#(Int.random(in: 0..<9, using: &random))"}}"#
      }
    },
    BranchedMachine(replay: Replay(functional: BranchedLamp.self)) { random, count in
      switch Int.random(in: 0..<6, using: &random) {
      case 0, 1: #"{"apply":{"name":"on(_:)","arguments":[3],"updates":false}}"#
      case 2: #"{"apply":{"name":"off()","updates":true}}"#
      case 3: #"{"began":{}}"#
      case 4: #"{"cleared":{}}"#
      default:
        #"{"completed":{"id":\#(Int64.random(in: 1...3, using: &random)),"finished":true}}"#
      }
    },
    BranchedMachine(replay: Replay(of: BranchedSearch.self)) { random, _ in
      let number = Int.random(in: 0..<6, using: &random)
      return switch Int.random(in: 0..<3, using: &random) {
      case 0: #"{"typed":{"_0":"q\#(number)"}}"#
      case 1: #"{"opened":{"_0":\#(number)}}"#
      default: #"{"closed":{"_0":\#(number)}}"#
      }
    },
  ]
}
