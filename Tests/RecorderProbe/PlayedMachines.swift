import Recorder
import StatesCore

/// A basket with outputs.
struct PlayedBasket: Reducible, Codable {
  var items: [String] = []
  var total = 0
  var note: String?

  enum Event: Codable {
    case added(String, price: Int)
    case removedLast
    case noted(String?)
    case nothing
  }

  static func reduce(state: PlayedBasket, event: Event) -> PlayedBasket {
    var result = state
    switch event {
    case .added(let name, let price):
      result.items.append(name)
      result.total += price
    case .removedLast: _ = result.items.popLast()
    case .noted(let text): result.note = text
    case .nothing: break
    }
    return result
  }

  static var outputs: Outputs<PlayedBasket> {
    Output("count", \.items.count)
    Output("last") { $0.items.last }
  }

  /// Its outputs, computed a second time.
  struct Shown: Encodable {
    let count: Int
    let last: String?
  }

  var shown: Shown { Shown(count: items.count, last: items.last) }

  static func event(_ chance: inout Chance) -> Event {
    switch chance.pick(6) {
    case 0, 1, 2: .added("item \(chance.pick(9)) é\u{2028}\"\\<", price: chance.pick(1 << 40))
    case 3: .removedLast
    case 4: .noted(chance.pick(3) == 0 ? nil : "note \u{0}\(chance.pick(9))")
    default: .nothing
    }
  }
}

/// A chart with history.
enum PlayedGate {
  struct Session: Codable, Sendable, Equatable { var opened = 0, words: [String] = [] }

  static func make() throws -> Statechart<Session> {
    try Statechart(
      Session(),
      ChartDefinition {
        OnEnter { $0.goTo("closed") }
        On("said", String.self) { $0.value.words.append($1) }
        ChartState("closed") { On("pushed", goTo: "open") }
        ChartState("open") {
          OnEnter { $0.value.opened += 1 }
          On("pulled", goTo: "closed")
        }
      })
  }
}

/// An object with two states.
final class PlayedLamp: Stateful {
  private(set) lazy var state = Dispatcher(for: self)
  static func on(_ brightness: Int) -> State { state(brightness) { _ in } }
  static func off() -> State { state { _ in } }
}
