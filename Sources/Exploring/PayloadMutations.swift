internal import JSONCore

/// Changed payloads that find bugs: edge cases of numbers, empty texts, empty lists, and lists with
/// an element twice.
enum PayloadMutations {
  /// The maximum number of variants of an event.
  private static let limit = 8

  /// Large enough for a surprise, and small enough that sums and differences do not overflow.
  private static let large: Int64 = 1 << 31

  /// Variants of an event, each with one change; the event keeps its name.
  static func variants(of event: JSON) -> [JSON] {
    var found: [JSON] = []
    // An event that is only a name has no payload.
    guard case .object = event else { return [] }
    for leaf in event.leaves(limit: limit) where !leaf.pointer.tokens.isEmpty {
      for value in variants(ofValue: leaf.value) {
        guard found.count < limit else { return found }
        if let changed = event.replacing(leaf.pointer, with: value) { found.append(changed) }
      }
    }
    return found
  }

  private static func variants(ofValue value: JSON) -> [JSON] {
    switch value {
    case .bool(let bool): [.bool(!bool)]
    case .number: numbers.filter { $0 != value }
    case .string(let text): text.isEmpty ? [] : [""]
    case .array(let elements): elements.first.map { [[], .array(elements + [$0])] } ?? []
    case .null, .object: []
    }
  }

  private static let numbers: [JSON] = [0, -1, .number(JSON.Number(large))]
}
