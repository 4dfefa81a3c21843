internal import JSONCore

/// The values of a state by which events refer to its parts: members named `id` or like `itemID`, and
/// texts and whole numbers in lists.
struct Identifiers {
  private(set) var values: [JSON] = []
  private var known: Set<JSON> = []

  /// The maximum number of values: a state can have millions.
  private static let limit = 4_096

  init(in states: some Sequence<JSON>) {
    for state in states { visit(state, isIdentifier: false) }
  }

  /// The identifiers in a state's text; nothing else is decoded.
  init(in state: JSONSlice) { visit(state, isIdentifier: false) }

  func contains(_ value: JSON) -> Bool { known.contains(value) }

  /// Whether values of a member with this key identify something.
  static func isKey(_ key: String) -> Bool {
    key == "id" || key.hasSuffix("ID") || key.hasSuffix("Id") || key.hasSuffix("_id")
  }

  /// Whether a value can identify something.
  static func isPossible(_ value: JSON) -> Bool {
    switch value {
    case .string: true
    case .number(let number): number.int != nil
    case .null, .bool, .array, .object: false
    }
  }

  private mutating func add(_ value: JSON) {
    guard Self.isPossible(value), known.insert(value).inserted else { return }
    values.append(value)
  }

  private mutating func visit(_ value: JSONSlice, isIdentifier: Bool) {
    guard values.count < Self.limit else { return }
    switch value.kind {
    case .string, .number: if isIdentifier { add(value.value) }
    case .array: for element in value.elements { visit(element, isIdentifier: true) }
    case .object:
      for member in value.members {
        visit(member.value, isIdentifier: Self.isKey(member.key))
      }
    case .null, .bool: return
    }
  }

  private mutating func visit(_ value: JSON, isIdentifier: Bool) {
    guard values.count < Self.limit else { return }
    switch value {
    case .string, .number: if isIdentifier { add(value) }
    case .array(let elements): for element in elements { visit(element, isIdentifier: true) }
    case .object(let members):
      for (key, value) in members { visit(value, isIdentifier: Self.isKey(key)) }
    case .null, .bool: return
    }
  }
}
