import Replaying
import StatesCore

/// A plain function that another library would call.
struct Basket: Codable, Sendable {
  var items: [Int: Int] = [:]
  var total = 0
  var coupon: String?

  enum Action: Codable, Sendable {
    case added(id: Int, cents: Int)
    case removed(id: Int)
    case used(coupon: String)
    case emptied
  }

  static func reduce(state: Basket, action: Action) -> Basket {
    let m = Mutant.of("basket")
    var next = state
    switch action {
    case .added(let id, let cents):
      next.items[id] = m == 1 ? cents - 1 : cents
      next.total += m == 2 ? cents * 2 : cents
      if m == 3 { next.coupon = nil }
    case .removed(let id):
      let cents = next.items.removeValue(forKey: m == 4 ? id + 1 : id)
      next.total -= m == 5 ? 0 : cents ?? 0
    case .used(let coupon):
      next.coupon = m == 6 ? coupon.lowercased() : coupon
      next.total -= m == 7 ? 90 : 100
      if m == 8 { next.items = [:] }
    case .emptied:
      next = m == 9 ? state : Basket()
      if m == 10 { next.coupon = state.coupon }
    }
    return next
  }
}

/// Names the basket, and makes a fresh one.
enum BasketRecording: Replayable {
  static func make() -> RecordedReducer<Basket, Basket.Action> {
    RecordedReducer(first: Basket(), outputs: outputs, reduce: Basket.reduce)
  }

  static var outputs: Outputs<Basket> {
    Outputs([
      Output("total", \.total), Output("count") { $0.items.count }, Output("coupon", \.coupon),
    ])
  }
}
