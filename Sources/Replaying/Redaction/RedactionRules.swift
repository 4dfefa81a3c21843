public import JSONCore

/// The values of a machine that recordings must not show, and whether they show equality.
///
/// ```swift
/// struct Login: Codable { var user = "", token = "", accounts: [String: String] = [:] }
/// let rules: RedactionRules = [
///   .hide(\Login.token),
///   .hide("/accounts/*"),
///   .events("login", "/password"),
/// ]
/// assert(!rules.isEmpty)
/// ```
/// Pass them where you record the machine, or declare them in its type (``Redactable``), where hosts
/// find them, too. Stand-ins replace the hidden values before anything is sent or stored. Hidden
/// texts of at least four characters, and hidden numbers of at least six digits, are also replaced
/// wherever else they occur.
///
/// With rules or ``Redacted`` properties, a step that hides a new value costs more, because it reads
/// the whole state.
public struct RedactionRules: Sendable, ExpressibleByArrayLiteral {
  /// The rules.
  public var rules: [RedactionRule]

  /// Whether entries have hashes of hidden values, with a random key of this process, so that you can
  /// see whether a value changed (default: false).
  public var showsEquality: Bool

  /// Creates rules.
  public init(_ rules: [RedactionRule] = [], showingEquality: Bool = false) {
    self.rules = rules
    showsEquality = showingEquality
  }

  /// Creates rules without hashes.
  public init(arrayLiteral rules: RedactionRule...) {
    self.init(rules)
  }

  /// Whether there are no rules.
  public var isEmpty: Bool { rules.isEmpty }

  /// The rules of both, with hashes if either has them.
  public static func + (left: RedactionRules, right: RedactionRules) -> RedactionRules {
    RedactionRules(
      left.rules + right.rules, showingEquality: left.showsEquality || right.showsEquality)
  }
}

/// A rule that hides values.
public struct RedactionRule: Sendable {
  enum Kind: Sendable {
    case property(RedactedProperty)
    case state(RedactionPattern, standIn: JSON?)
    case output(String, RedactionPattern, standIn: JSON?)
    case event(String, RedactionPattern, standIn: JSON?)
  }

  let kind: Kind

  /// Hides a property of the state, also if the state is part of a chart's position, or is not Codable.
  ///
  /// The rule has no effect on machines with another type of state.
  public static func hide<Root, Value: Encodable & HasStandIn & SendableMetatype>(
    _ path: any WritableKeyPath<Root, Value> & Sendable
  ) -> RedactionRule {
    let property = RedactedProperty(
      path, standIn: { Value.standIn }, other: { Value.otherThanStandIn })
    return RedactionRule(kind: .property(property))
  }

  /// Hides a property of the state with the given stand-in.
  public static func hide<Root, Value: Encodable & Sendable>(
    _ path: any WritableKeyPath<Root, Value> & Sendable, standIn: Value
  ) -> RedactionRule {
    RedactionRule(kind: .property(RedactedProperty(path, standIn: { standIn }, other: { nil })))
  }

  /// Hides the values in the encoded state that match a pattern.
  ///
  /// Without a stand-in, texts become `""`, numbers 0, Booleans false, and arrays empty; objects keep
  /// their keys.
  public static func hide(_ pattern: RedactionPattern, standIn: JSON? = nil) -> RedactionRule {
    RedactionRule(kind: .state(pattern, standIn: standIn))
  }

  /// Hides an output, or the values in it that match a pattern.
  public static func hide(
    output name: String, _ pattern: RedactionPattern = "", standIn: JSON? = nil
  ) -> RedactionRule {
    RedactionRule(kind: .output(name, pattern, standIn: standIn))
  }

  /// Hides the payload of events with a name, or the values in it that match a pattern: `/password` in
  /// `{"login":{"user":"ann","password":"…"}}`.
  public static func events(
    _ name: String, _ pattern: RedactionPattern = "", standIn: JSON? = nil
  ) -> RedactionRule {
    RedactionRule(kind: .event(name, pattern, standIn: standIn))
  }
}

/// A type that declares the redaction rules of its machines: the type of the state, or the
/// `Replayable` type that makes the machine.
///
/// Both recorders and hosts use these rules.
///
/// ```swift
/// struct Login: Codable, Redactable {
///   var token = ""
///   static var redaction: RedactionRules { [.hide(\Login.token)] }
/// }
/// assert(!RedactionRules(declaredBy: Login.self).isEmpty)
/// ```
public protocol Redactable: SendableMetatype {
  /// The rules.
  static var redaction: RedactionRules { get }
}

/// An optional with any wrapped type, to find the rules of that type.
private protocol Wrapping {
  static var wrapped: Any.Type { get }
}

extension Optional: Wrapping {
  static var wrapped: Any.Type { Wrapped.self }
}

extension RedactionRules {
  /// The rules that a type declares, if any.
  public init(declaredBy type: Any.Type) {
    self = (Self.part(of: type) as? any Redactable.Type)?.redaction ?? []
  }

  /// The rules that a type declares, unless another type equals it, or has it as its part.
  package init(declaredBy type: Any.Type, besides other: Any.Type) {
    self = Self.part(of: type) == Self.part(of: other) ? [] : RedactionRules(declaredBy: type)
  }

  /// Whether one of the rules has a key path of this type.
  package func namesProperty(of type: Any.Type) -> Bool {
    rules.contains { rule in
      guard case .property(let property) = rule.kind else { return false }
      return property.root == type || property.root == (type as? any Wrapping.Type)?.wrapped
    }
  }

  private static func part(of type: Any.Type) -> Any.Type {
    var type = type
    // A chart's position declares what the chart's value does.
    while let outer = type as? any RedactionRoot.Type { type = outer.redactedPart }
    return type
  }
}
