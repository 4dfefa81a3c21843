import JSONCore

/// The state of a scripted machine: what everything that is stored is compared with.
struct ModelState: Hashable {
  var count: Int64 = 0
  var items: [Int64] = []

  /// The state as JSON.
  var text: String {
    "{\"count\":\(count),\"items\":[\(items.map(String.init).joined(separator: ","))]}"
  }

  init() {}

  /// Reads a state; `nil` for anything else.
  init?(_ slice: JSONSlice) {
    guard let count = slice["count"]?.int, let list = slice["items"] else { return nil }
    self.count = count
    for element in list.elements {
      guard let item = element.int else { return nil }
      items.append(item)
    }
  }
}

/// What happens to a scripted machine.
enum ModelEvent: Hashable {
  case add(Int64)
  case push(Int64)
  case pop
  case clear

  var text: String {
    switch self {
    case .add(let number): "{\"add\":\(number)}"
    case .push(let number): "{\"push\":\(number)}"
    case .pop: "{\"pop\":true}"
    case .clear: "{\"clear\":true}"
    }
  }

  init?(_ slice: JSONSlice) {
    if let number = slice["add"]?.int {
      self = .add(number)
    } else if let number = slice["push"]?.int {
      self = .push(number)
    } else if slice["pop"] != nil {
      self = .pop
    } else if slice["clear"] != nil {
      self = .clear
    } else {
      return nil
    }
  }

  static func random(using chance: inout Chance) -> ModelEvent {
    switch chance.pick(0...9) {
    case 0...3: .add(Int64(chance.pick(1...1_000)))
    case 4...7: .push(Int64(chance.pick(0...1_000_000)))
    case 8: .pop
    default: chance.once(in: 4) ? .clear : .add(1)
    }
  }
}

extension ModelState {
  /// The reducer: changes the state, and answers the change as a JSON Patch.
  mutating func reduce(_ event: ModelEvent) -> String {
    switch event {
    case .add(let number):
      count &+= number
      return "[{\"op\":\"replace\",\"path\":\"/count\",\"value\":\(count)}]"
    case .push(let number):
      items.append(number)
      return "[{\"op\":\"add\",\"path\":\"/items/\(items.count - 1)\",\"value\":\(number)}]"
    case .pop:
      guard !items.isEmpty else { return "[]" }
      items.removeLast()
      return "[{\"op\":\"remove\",\"path\":\"/items/\(items.count)\"}]"
    case .clear:
      items = []
      return "[{\"op\":\"replace\",\"path\":\"/items\",\"value\":[]}]"
    }
  }
}
