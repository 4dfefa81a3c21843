/// A simulated user who fills a basket.
package struct BasketUser: Sendable {
  private var next = 1
  private var ids: [Int] = []

  package init() {}

  /// The customer's next action.
  @MainActor
  package mutating func act(_ pace: Pace) -> Basket.Action {
    switch pace.pick(5) {
    case 0 where ids.count > 2: return .removed(id: ids.remove(at: pace.pick(ids.count)))
    case 1 where !ids.isEmpty:
      return .discounted(id: pace.pick(of: ids), cents: 50 * (1 + pace.pick(3)))
    default:
      let name = pace.pick(of: ["bread", "cheese", "apples", "coffee"])
      let item = Basket.Item(id: next, name: name, cents: 199 + 100 * pace.pick(6))
      ids.append(next)
      next += 1
      return .added(item)
    }
  }

  /// Removes one of the remaining items; `nil` if the basket is empty.
  package mutating func removeNext() -> Basket.Action? {
    ids.popLast().map { .removed(id: $0) }
  }
}
