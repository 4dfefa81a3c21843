import JSONCore

extension PredicateEvaluation {
  /// Whether the value differs before and after. Nothing is before the start, so nothing changes
  /// there.
  mutating func changed(_ path: Predicate.Path) -> Answer {
    if moment.entry["seq"]?.int == 0 { return .no }
    let earlier = Predicate.Path(
      path.root == .state ? .beforeState : .beforeOutputs, path.steps)
    if isTouched(path) == false, !isHidden(path), !isHidden(earlier) { return .no }
    guard let before = value(at: earlier), let after = value(at: path) else { return .unknown }
    if case .none = values(.before) { return .no }
    let hidden = before.hidden + after.hidden
    let old = Self.masked(before.view, hidden)
    let new = Self.masked(after.view, hidden)
    if old != new { return .yes }
    return hidden.isEmpty ? .no : .unknown
  }

  /// Whether the line's patch has an operation that can change the value; `nil` when the line has
  /// none, so that the changes are unknown.
  private func isTouched(_ path: Predicate.Path) -> Bool? {
    let entry = moment.entry
    let key = path.root == .state ? "patch" : "outputs"
    guard let patch = entry[key] else {
      // On a captured entry absent `outputs` says that none changed.
      return path.root == .outputs && entry["patch"] != nil ? false : nil
    }
    let tokens = Array(path.tokens.dropFirst())
    for operation in patch.elements {
      guard let name = operation["op"]?.string, ["add", "remove", "replace"].contains(name),
        let text = operation["path"]?.string, let pointer = try? Pointer(text)
      else { return nil }
      if Self.touches(pointer.tokens, tokens, isReplace: name == "replace") { return true }
    }
    return false
  }

  /// Whether an operation at one path can change the value at the other: one leads to the other, or
  /// elements came or went before the index in an array on the way.
  private static func touches(_ changed: [String], _ path: [String], isReplace: Bool) -> Bool {
    if begins(changed, with: path) || begins(path, with: changed) { return true }
    guard !isReplace, let last = changed.last, path.count >= changed.count,
      begins(path, with: changed.dropLast())
    else { return false }
    let place = Pointer.index(last)
    guard place != nil || last == "-" else { return false }
    let token = path[changed.count - 1]
    // An array's `count` changes with every insertion and removal.
    if token == "count" { return true }
    guard let index = Pointer.index(token) else { return false }
    return place.map { $0 < index } ?? true
  }

  private func isHidden(_ path: Predicate.Path) -> Bool {
    moment.hidden(path.root.side ?? .after).contains {
      Self.begins(path.tokens, with: $0.tokens) || Self.begins($0.tokens, with: path.tokens)
    }
  }

  private static func masked(_ view: JSONView?, _ hidden: [ArraySlice<String>]) -> JSON {
    hidden.reduce(view?.tree ?? .null) { $0.masked($1) }
  }
}

extension JSON {
  /// The value with `null` at the end of the path, where it leads somewhere.
  fileprivate func masked(_ path: ArraySlice<String>) -> JSON {
    guard let token = path.first else { return .null }
    switch self {
    case .object(var object):
      guard let inner = object[token] else { return self }
      object[token] = inner.masked(path.dropFirst())
      return .object(object)
    case .array(var array):
      guard let index = Pointer.index(token), array.indices.contains(index) else { return self }
      array[index] = array[index].masked(path.dropFirst())
      return .array(array)
    default: return self
    }
  }
}
