package import JSONCore

extension JSON {
  /// Roughly the bytes of its text: its values, and the bytes of its strings. Counting stops above
  /// the limit.
  package func weight(upTo limit: Int) -> Int {
    var weight = 0
    addWeight(to: &weight, limit)
    return weight
  }

  private func addWeight(to weight: inout Int, _ limit: Int) {
    weight += 1
    switch self {
    case .null, .bool, .number: return
    case .string(let text): weight += text.utf8.count
    case .array(let elements):
      for element in elements {
        guard weight <= limit else { return }
        element.addWeight(to: &weight, limit)
      }
    case .object(let members):
      for (key, value) in members {
        guard weight <= limit else { return }
        weight += key.utf8.count
        value.addWeight(to: &weight, limit)
      }
    }
  }
}
