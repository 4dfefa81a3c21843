internal import JSONCore
internal import Predicates
internal import Timelines

/// The parts of a moment that a predicate reads.
struct PredicateRoots {
  /// The roots, none inside another.
  let roots: [ValueRoot]

  /// Whether the line itself is not read: then an entry that changed none of the roots has the
  /// result of the previous one.
  let isOfValuesOnly: Bool

  /// The roots of a predicate.
  ///
  /// A path is cut before `count`, which is the length if the value is an array or a string. A
  /// whole state that is one is so rare that it is not expected by default.
  ///
  /// - Parameter expectsLength: whether to expect that, too.
  init(_ predicate: Predicate, expectsLength: Bool) {
    var paths: [Predicate.Path] = []
    predicate.expression.collect(&paths)
    var found: [ValueRoot] = []
    var isOfValuesOnly = true
    for path in paths {
      guard let side = path.root.valueSide else {
        isOfValuesOnly = false
        continue
      }
      var keys: [String] = []
      for step in path.steps {
        guard case .key(let key) = step, !ValueRoot.isElement(key),
          key != "count" || keys.isEmpty && !expectsLength
        else { break }
        keys.append(key)
      }
      found.append(ValueRoot(side, keys))
    }
    var roots: [ValueRoot] = []
    for root in found.sorted(by: { $0.keys.count < $1.keys.count })
    where !roots.contains(where: { $0.holds(root) }) {
      roots.append(root)
    }
    self.roots = roots
    self.isOfValuesOnly = isOfValuesOnly
  }

  /// A state and outputs that hold only the values at the roots.
  func moment(_ values: [JSON?]) -> (state: JSON, outputs: JSON) {
    var state = JSON.object(JSON.Object())
    var outputs = state
    for (root, value) in zip(roots, values) {
      guard let value else { continue }
      if root.side == .state {
        Self.set(value, at: root.keys[...], in: &state)
      } else {
        Self.set(value, at: root.keys[...], in: &outputs)
      }
    }
    return (state, outputs)
  }

  private static func set(_ value: JSON, at keys: ArraySlice<String>, in whole: inout JSON) {
    guard let key = keys.first else { return whole = value }
    var object = whole.object ?? JSON.Object()
    var inner = object[key] ?? .object(JSON.Object())
    set(value, at: keys.dropFirst(), in: &inner)
    object[key] = inner
    whole = .object(object)
  }
}

extension Predicate.Root {
  /// The part of a moment, if it is one.
  fileprivate var valueSide: ValueRoot.Side? {
    switch self {
    case .state, .beforeState: .state
    case .outputs, .beforeOutputs: .outputs
    default: nil
    }
  }
}

extension Predicate.Expression {
  /// Adds the paths that it reads.
  fileprivate func collect(_ paths: inout [Predicate.Path]) {
    switch self {
    case .value(let operand), .matches(let operand, _): operand.collect(&paths)
    case .compare(let left, _, let right), .contains(let left, let right),
      .includes(let left, let right):
      left.collect(&paths)
      right.collect(&paths)
    case .anywhere: paths += [.event, .state, .outputs].map { Predicate.Path($0) }
    case .changed(let path): paths.append(path)
    case .not(let inner): inner.collect(&paths)
    case .all(let parts), .any(let parts): for part in parts { part.collect(&paths) }
    }
  }
}

extension Predicate.Operand {
  fileprivate func collect(_ paths: inout [Predicate.Path]) {
    paths += self.paths
  }
}
