import StatesCore

/// A `Reducible` state with outputs, and events of every shape that can become source.
struct Checkout: Reducible, Codable, Sendable {
  struct Item: Codable, Equatable, Sendable {
    var id: Int
    var name: String
    var cents: Int
  }

  enum Delivery: Codable, Equatable, Sendable {
    case pickUp
    case post(to: String, isFast: Bool)
  }

  private(set) var items: [Item] = []
  private(set) var delivery: Delivery?
  private(set) var discount = 0.0
  private(set) var notes: [String: String] = [:]
  private(set) var isPaid = false

  enum Event: Codable, Sendable {
    case added(Item)
    case removed(id: Int)
    case chose(Delivery?)
    case discounted(by: Double)
    case noted([String: String])
    case kept(ids: [Int])
    case paid
  }

  static func reduce(state: Checkout, event: Event) -> Checkout {
    let m = Mutant.of("checkout")
    var next = state
    switch event {
    case .added(let item):
      if m == 1 { next.items.insert(item, at: 0) } else { next.items.append(item) }
      if m == 2 { next.items.append(item) }
    case .removed(let id):
      next.items.removeAll { m == 3 ? $0.id >= id : $0.id == id }
    case .chose(let delivery):
      next.delivery = m == 4 ? .pickUp : delivery
    case .discounted(let part):
      next.discount = m == 5 ? part + 0.01 : part
    case .noted(let notes):
      next.notes = m == 6 ? notes : state.notes.merging(notes) { $1 }
    case .kept(let ids):
      next.items = state.items.filter { m == 7 ? !ids.contains($0.id) : ids.contains($0.id) }
    case .paid:
      next.isPaid = m == 8 ? false : true
    }
    return next
  }

  static var outputs: Outputs<Checkout> {
    let m = Mutant.of("checkout")
    Output("total") { (state: Checkout) in
      let sum = state.items.reduce(0) { $0 + $1.cents }
      let part = m == 9 ? 1 : 1 - state.discount
      return Int(Double(sum) * part) + (m == 10 ? sum / 50 : 0)
    }
    Output("names") { $0.items.map(\.name) }
    Output("delivery", \.delivery)
    Output("notes") { $0.notes.isEmpty ? nil : $0.notes }
    Output("thanks") { m == 11 ? nil : $0.isPaid ? () : nil }
  }

  init() {}
}
