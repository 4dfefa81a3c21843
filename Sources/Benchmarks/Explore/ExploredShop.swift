import StatesCore

/// A shop with twelve kinds of events, and a planted bug that five specific ones lead to.
struct ExploredShop: Reducible, Codable {
  var user: String?
  var cart: [Int] = []
  var coupon: String?
  var address = ""
  var paid = 0
  var tab = 0
  var theme = "light"
  var query = ""
  var rating = 0

  enum Event: Codable {
    case loggedIn(name: String)
    case loggedOut(at: Int)
    case added(id: Int)
    case removed(id: Int)
    case couponEntered(code: String)
    case couponRemoved(code: String)
    case addressChosen(text: String)
    case paid(cents: Int)
    case tabSelected(index: Int)
    case themeChosen(name: String)
    case searched(text: String)
    case rated(stars: Int)
  }

  static func reduce(state: ExploredShop, event: Event) -> ExploredShop {
    var next = state
    switch event {
    case .loggedIn(let name): next.user = name
    case .loggedOut: next.user = nil
    case .added(let id): if next.cart.count < 3 { next.cart.append(id) }
    case .removed(let id): next.cart.removeAll { $0 == id }
    case .couponEntered(let code): if !next.cart.isEmpty { next.coupon = code }
    case .couponRemoved: next.coupon = nil
    case .addressChosen(let text): next.address = text
    case .paid(let cents):
      guard next.user != nil else { return next }
      // The planted bug: a coupon is paid out when the cart was emptied after it was entered.
      next.paid = next.cart.isEmpty && next.coupon != nil ? -1 : cents
    case .tabSelected(let index): next.tab = min(max(0, index), 3)
    case .themeChosen(let name): next.theme = name
    case .searched(let text): next.query = text
    case .rated(let stars): next.rating = min(max(0, stars), 5)
    }
    return next
  }

  /// One event of each kind, without the bug.
  static let recorded = [
    #"{"loggedIn":{"name":"ada"}}"#, #"{"added":{"id":1}}"#, #"{"couponEntered":{"code":"TEN"}}"#,
    #"{"couponRemoved":{"code":"TEN"}}"#, #"{"addressChosen":{"text":"Main Street 1"}}"#,
    #"{"paid":{"cents":500}}"#, #"{"removed":{"id":1}}"#, #"{"tabSelected":{"index":2}}"#,
    #"{"themeChosen":{"name":"dark"}}"#, #"{"searched":{"text":"tea"}}"#,
    #"{"rated":{"stars":4}}"#, #"{"loggedOut":{"at":5}}"#,
  ]
}

/// The basket of the walk-through, with its bug.
struct ExploredBasket: Reducible, Codable {
  struct Item: Codable {
    var id: Int
    var name: String
    var cents: Int
    var discount = 0
  }

  var items: [Item] = []
  var total = 0

  enum Event: Codable {
    case added(Item)
    case discounted(id: Int, cents: Int)
    case removed(id: Int)
  }

  static func reduce(state: ExploredBasket, event: Event) -> ExploredBasket {
    var next = state
    switch event {
    case .added(let item):
      next.items.append(item)
      next.total += item.cents
    case .discounted(let id, let cents):
      guard let index = next.items.firstIndex(where: { $0.id == id }) else { return next }
      next.items[index].discount += cents
      next.total -= cents
    case .removed(let id):
      guard let index = next.items.firstIndex(where: { $0.id == id }) else { return next }
      // The bug: a part of the price was subtracted already.
      next.total -= next.items.remove(at: index).cents
    }
    return next
  }

  static let recorded = [
    #"{"added":{"_0":{"id":1,"name":"tea","cents":450,"discount":0}}}"#,
    #"{"added":{"_0":{"id":2,"name":"cup","cents":995,"discount":0}}}"#,
    #"{"discounted":{"id":1,"cents":50}}"#, #"{"removed":{"id":2}}"#,
  ]
}
