public import JSONCore

/// A value that a predicate looks at: a tree, or text that nobody has decoded.
///
/// Both answer the same questions, so a predicate is evaluated on the stored line where that is
/// enough, and on a computed state where it is not.
public enum JSONView: Sendable {
  /// A decoded value.
  case tree(JSON)
  /// Text that was checked.
  case text(JSONSlice)

  /// What kind of value it is.
  public var kind: JSONSlice.Kind {
    switch self {
    case .text(let slice): slice.kind
    case .tree(let json):
      switch json {
      case .null: .null
      case .bool: .bool
      case .number: .number
      case .string: .string
      case .array: .array
      case .object: .object
      }
    }
  }

  /// The Boolean, when it is one.
  public var bool: Bool? {
    switch self {
    case .tree(let json): json.bool
    case .text(let slice): slice.bool
    }
  }

  /// The string, when it is one.
  public var string: String? {
    switch self {
    case .tree(let json): json.string
    case .text(let slice): slice.string
    }
  }

  /// The number, when it is one.
  public var number: JSON.Number? {
    switch self {
    case .tree(.number(let number)): number
    case .tree: nil
    case .text(let slice): slice.number
    }
  }

  /// The value as a tree.
  public var tree: JSON {
    switch self {
    case .tree(let json): json
    case .text(let slice): slice.value
    }
  }

  /// The member with that key, when it is an object that has one.
  public subscript(key: String) -> JSONView? {
    switch self {
    case .tree(let json): json[key].map(JSONView.tree)
    case .text(let slice): slice[key].map(JSONView.text)
    }
  }

  /// The element at that place, when it is an array that has one.
  public subscript(index: Int) -> JSONView? {
    switch self {
    case .tree(let json): json[index].map(JSONView.tree)
    case .text(let slice): slice[index].map(JSONView.text)
    }
  }

  /// The elements, when it is an array; else none.
  public var elements: [JSONView] {
    switch self {
    case .tree(let json): (json.array ?? []).map(JSONView.tree)
    case .text(let slice): slice.elements.map(JSONView.text)
    }
  }

  /// How many elements an array or Unicode scalars a string has; `nil` for anything else.
  public var count: Int? {
    switch (kind, self) {
    case (.string, _): string?.unicodeScalars.count
    case (.array, .tree(let json)): json.array?.count
    case (.array, .text(let slice)): slice.elements.reduce(0) { count, _ in count + 1 }
    default: nil
    }
  }
}
