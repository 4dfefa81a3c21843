import JSONCore

/// A reply with a list that ends where the budget does.
struct ListReply {
  private let name: String
  private var budget: ReplyBudget
  private var values: [JSON] = []
  /// What to pass to get the rest.
  var next: JSON?
  /// What else there is to know; why the list is empty.
  var note: String?
  /// Further members.
  var members = JSON.Object()

  init(_ name: String, _ budget: ReplyBudget) {
    (self.name, self.budget) = (name, budget)
  }

  var isEmpty: Bool { values.isEmpty }

  /// Adds a value; false when there is no room for it. The first one is cut instead.
  mutating func add(_ value: JSON) -> Bool {
    let shown = values.isEmpty ? ReplyBudget.cut(value, to: budget.left - 1) : value
    guard budget.spend(shown) else { return false }
    values.append(shown)
    return true
  }

  var json: JSON {
    var reply = members
    reply[name] = .array(values)
    reply["next"] = next
    reply["note"] = note.map { .string($0) }
    return .object(reply)
  }
}
