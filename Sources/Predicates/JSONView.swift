public import JSONCore
import Timelines

/// A value that a predicate reads: a tree, or text that is not decoded yet.
///
/// Both have the same interface, so a predicate is evaluated on the stored line if that is enough, and
/// on a computed state otherwise.
public enum JSONView: Sendable {
  /// A decoded value.
  case tree(JSON)
  /// Validated text.
  case text(JSONSlice)

  /// The kind of value.
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

  /// The Boolean, if it is one.
  public var bool: Bool? {
    switch self {
    case .tree(let json): json.bool
    case .text(let slice): slice.bool
    }
  }

  /// The string, if it is one.
  public var string: String? {
    switch self {
    case .tree(let json): json.string
    case .text(let slice): slice.string
    }
  }

  /// The number, if it is one.
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

  /// The member with a key, if it is an object with this key.
  public subscript(key: String) -> JSONView? {
    switch self {
    case .tree(let json): json[key].map(JSONView.tree)
    case .text(let slice): slice[key].map(JSONView.text)
    }
  }

  /// The element at an index, if it is an array with this index.
  public subscript(index: Int) -> JSONView? {
    switch self {
    case .tree(let json): json[index].map(JSONView.tree)
    case .text(let slice): slice[index].map(JSONView.text)
    }
  }

  /// The elements of an array; empty for other values.
  public var elements: [JSONView] {
    switch self {
    case .tree(let json): (json.array ?? []).map(JSONView.tree)
    case .text(let slice): slice.elements.map(JSONView.text)
    }
  }

  /// The members of an object; empty for other values.
  var members: [(key: String, value: JSONView)] {
    switch self {
    case .tree(.object(let object)): object.map { ($0.key, .tree($0.value)) }
    case .tree: []
    case .text(let slice): slice.members.map { ($0.key, .text($0.value)) }
    }
  }

  /// The number of an array's elements or of a string's Unicode scalars; `nil` for other values.
  public var count: Int? {
    switch (kind, self) {
    case (.string, _): string?.unicodeScalars.count
    case (.array, .tree(let json)): json.array?.count
    case (.array, .text(let slice)): slice.elements.reduce(0) { count, _ in count + 1 }
    default: nil
    }
  }
}
