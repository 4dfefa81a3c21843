import JSONCore
import Predicates

extension TestCondition {
  /// The condition in words, as a person would name its test: "total is never below 0"; `nil` if it
  /// is not simple enough.
  var title: String? {
    switch self {
    case .never(let predicate):
      if let failure = Claim.failure(predicate.expression) { return failure }
      guard let claims = Claim.all(in: predicate.expression) else { return nil }
      if claims.count == 1 { return claims[0].never }
      return ([claims[0].neverWhile] + claims.dropFirst().map(\.words)).joined(separator: " while ")
    case .finally(let predicate):
      guard let claims = Claim.all(in: predicate.expression) else { return nil }
      return claims.map(\.words).joined(separator: " and ") + " at the end"
    }
  }
}

/// A comparison of a value with a literal, in words.
private struct Claim {
  /// More parts would make a name that is too long to read.
  private static let maximumParts = 2

  private let subject: String
  private let comparison: Predicate.Comparison
  private let value: String

  /// "total is below 0"
  var words: String {
    comparison == .notEqual ? "\(subject) is not \(value)" : "\(subject) is \(compared)"
  }

  /// "total is never below 0"
  var never: String {
    comparison == .notEqual ? "\(subject) is always \(value)" : "\(subject) is never \(compared)"
  }

  /// As ``never``, with a condition after it.
  var neverWhile: String {
    comparison == .notEqual ? "\(subject) is never other than \(value)" : never
  }

  private var compared: String {
    switch comparison {
    case .equal, .notEqual: value
    case .less: "below \(value)"
    case .lessOrEqual: "at most \(value)"
    case .greater: "above \(value)"
    case .greaterOrEqual: "at least \(value)"
    }
  }

  private init?(_ expression: Predicate.Expression) {
    let path: Predicate.Path
    if case .compare(.path(let compared), let comparison, .literal(let literal)) = expression {
      guard let value = Self.words(for: literal) else { return nil }
      (path, self.comparison, self.value) = (compared, comparison, value)
    } else if case .value(.path(let flag)) = expression {
      (path, comparison, value) = (flag, .equal, "true")
    } else {
      return nil
    }
    guard let subject = Self.name(of: path) else { return nil }
    self.subject = subject
  }

  /// The claims of which a predicate consists, without those that only say that it was not true
  /// before.
  static func all(in expression: Predicate.Expression) -> [Claim]? {
    guard case .all(let parts) = expression else { return Claim(expression).map { [$0] } }
    let claims = parts.filter { !isEdge($0, of: parts) }.map(Claim.init)
    guard claims.count <= maximumParts, claims.allSatisfy({ $0 != nil }) else { return nil }
    return claims.compactMap(\.self)
  }

  /// What a predicate says about errors.
  static func failure(_ expression: Predicate.Expression) -> String? {
    let error = Predicate.Operand.path(.init(.error))
    if expression == .compare(error, .notEqual, .literal(.null)) || expression == .value(error) {
      return "no event fails"
    }
    let trap = Predicate.Expression.compare(error, .equal, .literal(.string("trapped")))
    return expression == trap ? "no event traps" : nil
  }

  /// Whether a part only says that another part was not true before the entry.
  private static func isEdge(
    _ part: Predicate.Expression, of parts: [Predicate.Expression]
  ) -> Bool {
    let negated: Predicate.Expression
    if case .not(let inner) = part {
      negated = inner
    } else if case .compare(let left, .notEqual, let right) = part {
      negated = .compare(left, .equal, right)
    } else {
      return false
    }
    if case .compare(.path(let path), let comparison, let right) = negated, let now = path.now {
      return parts.contains(.compare(.path(now), comparison, right))
    }
    if case .value(.path(let path)) = negated, let now = path.now {
      return parts.contains(.value(.path(now)))
    }
    return false
  }

  /// What a reader calls a value of the state or an output.
  private static func name(of path: Predicate.Path) -> String? {
    guard path.root == .state || path.root == .outputs, !path.steps.contains(.each) else {
      return nil
    }
    let names = path.steps.suffix(2).map { step -> String? in
      guard case .key(let key) = step, isReadable(key) else { return nil }
      return key
    }
    guard let last = names.last ?? nil else { return nil }
    // The count of a list says nothing without the list's name.
    guard last == "count", names.count == 2 else { return last }
    return names[0].map { "\($0).count" }
  }

  private static func words(for literal: Predicate.Literal) -> String? {
    switch literal {
    case .null: return "nil"
    case .bool(let bool): return String(bool)
    case .number(let number):
      guard let int = number.int else { return nil }
      return int < 0 ? "minus \(int.magnitude)" : String(int)
    case .string(let text): return isReadable(text) ? text : nil
    }
  }

  private static func isReadable(_ text: String) -> Bool {
    text.utf8.count <= 40 && SwiftName.isIdentifier(text)
  }
}

extension Predicate.Path {
  /// The same value after the entry, for one before it.
  fileprivate var now: Self? {
    switch root {
    case .beforeState: Self(.state, steps)
    case .beforeOutputs: Self(.outputs, steps)
    case .event, .name, .state, .outputs, .seq, .t, .ns, .cause, .origin, .at, .error, .gap,
      .restored, .jump, .was, .redacted, .omitted, .keyframe, .thinned:
      nil
    }
  }
}
