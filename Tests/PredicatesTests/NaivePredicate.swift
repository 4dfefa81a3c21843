import JSONCore

@testable import Predicates
@testable import Timelines

/// Predicates evaluated the obvious way: on trees, on both whole states, without a patch, and with
/// nothing redacted.
struct NaivePredicate {
  var event: JSON?
  var seq: Int64
  var before: Snapshot?
  var after: Snapshot?

  /// `true`, `false`, or `nil` for unknown.
  func answer(_ expression: Predicate.Expression) -> Bool? {
    switch expression {
    case .value(let operand):
      guard let value = value(operand) else { return nil }
      return value != .null && value != .bool(false)
    case .compare(let left, let comparison, let right):
      guard var left = value(left), var right = value(right) else { return nil }
      if case .compare(.path(Predicate.Path(.event)), _, _) = expression, right.string != nil {
        left = name
      }
      if case .compare(_, _, .path(Predicate.Path(.event))) = expression, left.string != nil {
        right = name
      }
      return compare(left, comparison, right)
    case .contains(let left, let right):
      guard let left = text(left), let right = text(right) else { return nil }
      switch left {
      case .string(let text):
        return right.string.map { text.isEmpty ? $0.isEmpty : $0.isEmpty || text.contains($0) }
          ?? false
      case .array(let array): return array.contains(right)
      case .object(let object): return right.string.map { object[$0] != nil } ?? false
      default: return false
      }
    case .includes(let left, let right):
      guard let left = value(left), let right = value(right) else { return nil }
      guard let whole = left.array, let part = right.array else { return false }
      return part.allSatisfy(whole.contains)
    case .matches(let left, let pattern):
      guard let left = text(left) else { return nil }
      return left.string.map { pattern.matches($0) } ?? false
    case .anywhere(let test):
      if leaves(of: event).contains(where: { passes(test, $0) }) { return true }
      guard let after else { return nil }
      return (leaves(of: after.state) + leaves(of: after.outputs)).contains { passes(test, $0) }
    case .changed(let path):
      if seq == 0 { return false }
      let earlier: Predicate.Root = path.root == .state ? .beforeState : .beforeOutputs
      guard let old = value(.path(Predicate.Path(earlier, path.steps))),
        let new = value(.path(path))
      else { return nil }
      return old != new
    case .not(let inner): return answer(inner).map { !$0 }
    case .all(let parts):
      let answers = parts.map(answer)
      return answers.contains(false) ? false : answers.contains(nil) ? nil : true
    case .any(let parts):
      let answers = parts.map(answer)
      return answers.contains(true) ? true : answers.contains(nil) ? nil : false
    }
  }

  var eventName: String? { name.string }

  private var name: JSON {
    switch event {
    case .string(let text): .string(text)
    case .object(let object): object.count == 1 ? .string(object.keys[0]) : .null
    default: .null
    }
  }

  private func leaves(of json: JSON?) -> [JSON] {
    switch json {
    case nil: []
    case .array(let array)?: array.flatMap { leaves(of: $0) }
    case .object(let object)?: object.flatMap { leaves(of: $0.value) }
    case let leaf?: [leaf]
    }
  }

  private func passes(_ test: Predicate.LeafTest, _ leaf: JSON) -> Bool {
    switch test {
    case .compare(let comparison, let literal): compare(leaf, comparison, literal.json)
    case .contains(let literal):
      leaf.string.flatMap { text in literal.json.string.map { $0.isEmpty || text.contains($0) } }
        ?? false
    case .matches(let pattern): leaf.string.map { pattern.matches($0) } ?? false
    }
  }

  private func text(_ operand: Predicate.Operand) -> JSON? {
    if case .path(Predicate.Path(.event)) = operand { return name }
    return value(operand)
  }

  private func value(_ operand: Predicate.Operand) -> JSON? {
    guard case .path(let path) = operand else {
      if case .literal(let literal) = operand { return literal.json }
      guard case .sum(let paths) = operand else { return nil }
      // In order: what comes first decides, a value that is unknown or one of another kind.
      var sum = 0.0
      for path in paths {
        guard let found = value(.path(path)) else { return nil }
        for part in found.array ?? [found] {
          guard case .number(let number) = part else { return .null }
          sum += number.double
        }
      }
      return JSON.Number(sum).map { .number($0) } ?? .null
    }
    var value: JSON
    switch path.root {
    case .event: value = event ?? .null
    case .name: value = name
    case .seq: value = .number(JSON.Number(seq))
    case .state, .outputs:
      guard let after else { return nil }
      value = path.root == .state ? after.state : after.outputs
    default:
      if seq == 0 { return .null }
      guard let before else { return nil }
      value = path.root == .beforeState ? before.state : before.outputs
    }
    // How many lists are around each value.
    var depth = 0
    for step in path.steps {
      if step == .each {
        if depth == 0 {
          if value.array == nil { return .null }
        } else {
          value = .array((value.array ?? []).flatMap { $0.array ?? [] })
        }
        depth = 1
      } else if depth == 1 {
        value = .array((value.array ?? []).map { child($0, step) })
      } else {
        value = child(value, step)
      }
    }
    return value
  }

  private func child(_ value: JSON, _ step: Predicate.Step) -> JSON {
    switch (value, step) {
    case (.object(let object), .key(let key)): object[key] ?? .null
    case (.object(let object), .index(let index)): object[String(index)] ?? .null
    case (.array(let array), .index(let index)): index < array.count ? array[index] : .null
    case (.array(let array), .key("count")): .number(JSON.Number(Int64(array.count)))
    case (.string(let text), .key("count")): .number(JSON.Number(Int64(text.unicodeScalars.count)))
    default: .null
    }
  }

  private func compare(_ left: JSON, _ comparison: Predicate.Comparison, _ right: JSON) -> Bool {
    func order<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
      switch comparison {
      case .less: left < right
      case .lessOrEqual: left <= right
      case .greater: left > right
      case .greaterOrEqual: left >= right
      case .equal: left == right
      case .notEqual: left != right
      }
    }
    if comparison == .equal { return left == right }
    if comparison == .notEqual { return left != right }
    if let left = left.int, let right = right.int { return order(left, right) }
    if let left = left.string, let right = right.string { return order(left, right) }
    return false
  }
}
