package import JSONCore

/// A difference of two values, at the place where a person looks for it.
///
/// The shortest patch of a small state replaces all of it, because a path is longer than a number.
/// These changes split such a replacement into the members that differ.
package struct ValueChange: Equatable, Sendable {
  package enum Kind: Sendable {
    case added
    case removed
    case replaced
  }

  package let kind: Kind
  package let path: Pointer
  /// The value before; `nil` if it is not known, or if there was none.
  package let old: JSON?
  /// The value after; `nil` if it was removed.
  package let new: JSON?

  /// The changes that a patch makes.
  ///
  /// - Parameter old: finds a value in what the patch applies to; `nil` if it is not known.
  package static func changes(of patch: Patch, old: (Pointer) -> JSON?) -> [ValueChange] {
    var shifted: Set<Pointer> = []
    return patch.operations.flatMap { operation -> [ValueChange] in
      let path = operation.path
      let known = isShifted(path, shifted) ? nil : old(path)
      switch operation {
      case .replace(_, let new):
        guard let known else {
          return [ValueChange(kind: .replaced, path: path, old: nil, new: new)]
        }
        return between(known, new, at: path)
      case .remove:
        shifted.insert(path.parent)
        return [ValueChange(kind: .removed, path: path, old: known, new: nil)]
      case .add(_, let new):
        shifted.insert(path.parent)
        return [ValueChange(kind: .added, path: path, old: nil, new: new)]
      case .move, .copy, .test: return []
      }
    }
  }

  /// Whether an earlier operation may have moved what a path names: an index counts differently after
  /// an element was added or removed before it.
  private static func isShifted(_ path: Pointer, _ shifted: Set<Pointer>) -> Bool {
    guard !shifted.isEmpty else { return false }
    return path.tokens.indices.contains { index in
      Pointer.index(path.tokens[index]) != nil
        && shifted.contains(Pointer(tokens: Array(path.tokens[..<index])))
    }
  }

  /// The changes from one value to the other: of the members of objects, of the elements of arrays of
  /// the same length, and otherwise of the whole.
  package static func between(_ old: JSON, _ new: JSON, at path: Pointer) -> [ValueChange] {
    switch (old, new) {
    case (.object(let before), .object(let after)):
      let kept = before.flatMap { member -> [ValueChange] in
        let place = path.appending(member.key)
        guard let value = after[member.key] else {
          return [ValueChange(kind: .removed, path: place, old: member.value, new: nil)]
        }
        return between(member.value, value, at: place)
      }
      let added = after.filter { before[$0.key] == nil }.map { member in
        ValueChange(kind: .added, path: path.appending(member.key), old: nil, new: member.value)
      }
      return kept + added
    case (.array(let before), .array(let after)) where before.count == after.count:
      return zip(before, after).enumerated().flatMap { index, pair in
        between(pair.0, pair.1, at: path.appending(index))
      }
    default:
      return old == new ? [] : [ValueChange(kind: .replaced, path: path, old: old, new: new)]
    }
  }
}
