import Replaying
import StatesCore

/// A basket as other libraries would write it: a plain reducer, with a fault planted in it.
///
/// Removing an item that was discounted takes its whole price away, though a part of it was taken
/// away already. The walk-through in the documentation finds it.
public struct Basket: Codable, Equatable, Sendable {
  /// Something to buy.
  public struct Item: Codable, Equatable, Identifiable, Sendable {
    /// Tells it from others.
    public var id: Int
    package var name: String
    package var cents: Int
    package var discount: Int = 0
  }

  package var items: [Item] = []
  package var totalCents = 0

  package init() {}

  /// What a customer does.
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

/// Names the basket, and makes an empty one: what a host needs to run its reducer again.
public enum BasketRecording: Replayable {
  /// An empty basket.
  public static func make() -> RecordedReducer<Basket, Basket.Action> {
    RecordedReducer(first: Basket(), outputs: outputs) { state, action in
      var next = state
      Basket.reduce(into: &next, action: action)
      return next
    }
  }

  /// What the shop shows.
  public static var outputs: Outputs<Basket> {
    Outputs([Output("total", \.totalCents), Output("count", \.items.count)])
  }
}
