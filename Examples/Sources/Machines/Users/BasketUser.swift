/// Somebody who fills a basket; answers with the actions one after the other.
package struct BasketUser: Sendable {
  private var next = 1
  private var ids: [Int] = []

  package init() {}

  /// What the customer does next.
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

  /// The customer changes their mind, and takes out what is left; `nil` when nothing is.
  package mutating func takeOut() -> Basket.Action? {
    ids.popLast().map { .removed(id: $0) }
  }
}
