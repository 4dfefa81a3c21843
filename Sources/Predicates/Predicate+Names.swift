import JSONCore

extension Predicate {
  /// The event names of which an entry must have one for the predicate to hold; `nil` when the name
  /// does not decide.
  ///
  /// An index by name can leave out all other entries but those whose event is redacted as a whole:
  /// of these the answer may be unknown.
  public var eventNames: Set<String>? { expression.eventNames }
}

extension Predicate.Expression {
  fileprivate var eventNames: Set<String>? {
    switch self {
    case .compare(.path(let path), .equal, .literal(.string(let name))),
      .compare(.literal(.string(let name)), .equal, .path(let path)):
      return path.steps.isEmpty && (path.root == .event || path.root == .name) ? [name] : nil
    case .all(let parts):
      return parts.compactMap(\.eventNames).reduce(nil) { $0?.intersection($1) ?? $1 }
    case .any(let parts):
      var names: Set<String> = []
      for part in parts {
        guard let more = part.eventNames else { return nil }
        names.formUnion(more)
      }
      return names
    default: return nil
    }
  }
}
