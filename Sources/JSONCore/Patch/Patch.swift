/// A list of changes to a JSON value, as RFC 6902 writes it.
///
/// ```swift
/// let (before, after): (JSON, JSON) = (["flips": 3], ["flips": 4])
/// let patch = Patch.difference(from: before, to: after)
/// var state = before
/// try state.apply(patch)
/// assert(state == after)
/// ```
public struct Patch: Hashable, Sendable {
  /// The changes, to be made one after the other.
  public var operations: [Operation]

  /// A patch of these operations.
  public init(_ operations: [Operation] = []) {
    self.operations = operations
  }

  /// One change.
  public enum Operation: Hashable, Sendable {
    /// Inserts an element, sets a member, or replaces the whole value.
    case add(Pointer, JSON)
    /// Removes what is there.
    case remove(Pointer)
    /// Replaces what is there.
    case replace(Pointer, JSON)
    /// Removes what is there and adds it elsewhere.
    case move(from: Pointer, to: Pointer)
    /// Adds what is there elsewhere.
    case copy(from: Pointer, to: Pointer)
    /// Demands that this value is there.
    case test(Pointer, JSON)
  }

  /// Whether it changes nothing.
  public var isEmpty: Bool { operations.isEmpty }
}

extension Patch.Operation {
  /// The place that the operation is about; for moving and copying, where to.
  public var path: Pointer {
    switch self {
    case .add(let path, _), .remove(let path), .replace(let path, _), .move(_, let path),
      .copy(_, let path), .test(let path, _):
      path
    }
  }

  /// The word that RFC 6902 has for it.
  public var name: String {
    switch self {
    case .add: "add"
    case .remove: "remove"
    case .replace: "replace"
    case .move: "move"
    case .copy: "copy"
    case .test: "test"
    }
  }
}

extension Patch: CustomStringConvertible {
  /// One operation a line.
  public var description: String {
    operations.map { operation in
      switch operation {
      case .add(let path, let value), .replace(let path, let value), .test(let path, let value):
        "\(operation.name) \(path) \(value)"
      case .remove(let path):
        "remove \(path)"
      case .move(let from, let path), .copy(let from, let path):
        "\(operation.name) \(from) \(path)"
      }
    }.joined(separator: "\n")
  }
}
