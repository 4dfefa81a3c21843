import Replaying
import StatesCore

/// A basket in the style of other libraries: a plain reducer, with a deliberate bug.
///
/// Removing a discounted item subtracts its whole price, although a part of it was already
/// subtracted. The walk-through in the documentation finds it.
public struct Basket: Codable, Equatable, Sendable {
  /// An item in the basket.
  public struct Item: Codable, Equatable, Identifiable, Sendable {
    /// Identifies the item.
    public var id: Int
    package var name: String
    package var cents: Int
    package var discount: Int = 0
  }

  package var items: [Item] = []
  package var totalCents = 0

  package init() {}

  /// An action of a customer.
  public enum Action: Codable, Equatable, Sendable {
    case added(Item)
    case discounted(id: Int, cents: Int)
    case removed(id: Int)
  }

  package static func reduce(into state: inout Basket, action: Action) {
    switch action {
    case .added(let item):
      state.items.append(item)
      state.totalCents += item.cents
    case .discounted(let id, let cents):
      guard let index = state.items.firstIndex(where: { $0.id == id }) else { return }
      state.items[index].discount += cents
      state.totalCents -= cents
    case .removed(let id):
      guard let index = state.items.firstIndex(where: { $0.id == id }) else { return }
      let item = state.items.remove(at: index)
      state.totalCents -= item.cents
    }
  }
}

/// Names the basket, and makes an empty one, so that a host can run its reducer again.
public enum BasketRecording: Replayable {
  /// An empty basket.
  public static func make() -> RecordedReducer<Basket, Basket.Action> {
    RecordedReducer(first: Basket(), outputs: outputs) { state, action in
      var next = state
      Basket.reduce(into: &next, action: action)
      return next
    }
  }

  /// The values that the shop displays.
  public static var outputs: Outputs<Basket> {
    Outputs([Output("total", \.totalCents), Output("count", \.items.count)])
  }
}
