internal import JSONCore

extension JSON {
  /// A part of a value that an event's payload can change, and where it is.
  struct Leaf {
    var pointer: Pointer
    var value: JSON
    /// The key of the innermost member that contains it.
    var key: String
  }

  /// The texts, numbers, Booleans, and lists inside, in order, up to a limit.
  func leaves(limit: Int) -> [Leaf] {
    var found: [Leaf] = []
    collect(into: &found, limit, [], "")
    return found
  }

  private func collect(
    into found: inout [Leaf], _ limit: Int, _ tokens: [String], _ key: String
  ) {
    guard found.count < limit else { return }
    switch self {
    case .null: return
    case .bool, .number, .string:
      found.append(Leaf(pointer: Pointer(tokens: tokens), value: self, key: key))
    case .array(let elements):
      found.append(Leaf(pointer: Pointer(tokens: tokens), value: self, key: key))
      for (index, element) in elements.enumerated() {
        element.collect(into: &found, limit, tokens + ["\(index)"], key)
      }
    case .object(let members):
      for (key, value) in members where key != "type" {
        value.collect(into: &found, limit, tokens + [key], key)
      }
    }
  }

  /// The value with another part.
  func replacing(_ pointer: Pointer, with value: JSON) -> JSON? {
    var changed = self
    do {
      try changed.apply(Patch([.replace(pointer, value)]))
      return changed
    } catch {
      return nil
    }
  }
}
