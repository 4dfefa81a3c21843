public import JSONCore

/// What of a machine must not be seen in recordings, and how equality shows.
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
/// They belong to the machine: given where it is recorded, or by its type (``Redactable``), which a
/// host knows as well. What they hide is replaced by stand-ins before anything is written, on the
/// wire, on disk and in memory alike; text of four characters or more that equals what was hidden,
/// or contains it, is replaced wherever else it occurs, and so are numbers of six digits or more.
///
/// A machine with rules, or with ``Redacted`` properties, costs more in steps that hide something
/// new: those read the whole state.
public struct RedactionRules: Sendable, ExpressibleByArrayLiteral {
  /// The rules.
  public var rules: [RedactionRule]

  /// Whether entries carry a hash of what was hidden, keyed by a random key of this process, so that
  /// one sees whether it is the same as before. Default: false.
  public var showsEquality: Bool

  /// Puts rules together.
  public init(_ rules: [RedactionRule] = [], showingEquality: Bool = false) {
    self.rules = rules
    showsEquality = showingEquality
  }

  /// These rules, without hashes.
  public init(arrayLiteral rules: RedactionRule...) {
    self.init(rules)
  }

  /// Whether there are no rules.
  public var isEmpty: Bool { rules.isEmpty }

  /// The rules of both; hashes when either shows them.
  public static func + (left: RedactionRules, right: RedactionRules) -> RedactionRules {
    RedactionRules(
      left.rules + right.rules, showingEquality: left.showsEquality || right.showsEquality)
  }
}

/// One rule of what is hidden.
public struct RedactionRule: Sendable {
  enum Kind: Sendable {
    case property(RedactedProperty)
    case state(RedactionPattern, standIn: JSON?)
    case output(String, RedactionPattern, standIn: JSON?)
    case event(String, RedactionPattern, standIn: JSON?)
  }

  let kind: Kind

  /// Hides a property of the state, wherever it is encoded; also where the state is part of a
  /// chart's position or not Codable.
  ///
  /// Other machines, whose states are of another type, are left alone.
  public static func hide<Root, Value: Encodable & HasStandIn & SendableMetatype>(
    _ path: any WritableKeyPath<Root, Value> & Sendable
  ) -> RedactionRule {
    let property = RedactedProperty(
      path, standIn: { Value.standIn }, other: { Value.otherThanStandIn })
    return RedactionRule(kind: .property(property))
  }

  /// Hides a property of the state behind a stand-in that is given.
  public static func hide<Root, Value: Encodable & Sendable>(
    _ path: any WritableKeyPath<Root, Value> & Sendable, standIn: Value
  ) -> RedactionRule {
    RedactionRule(kind: .property(RedactedProperty(path, standIn: { standIn }, other: { nil })))
  }

  /// Hides what is at the pointers of a pattern into the encoded state.
  ///
  /// Without a stand-in, texts become `""`, numbers 0, Booleans false, arrays empty; objects keep
  /// their keys.
  public static func hide(_ pattern: RedactionPattern, standIn: JSON? = nil) -> RedactionRule {
    RedactionRule(kind: .state(pattern, standIn: standIn))
  }

  /// Hides an output, or what is at the pointers of a pattern in it.
  public static func hide(
    output name: String, _ pattern: RedactionPattern = "", standIn: JSON? = nil
  ) -> RedactionRule {
    RedactionRule(kind: .output(name, pattern, standIn: standIn))
  }

  /// Hides what belongs to the events of a name, or what is at the pointers of a pattern in it:
  /// `/password` of `{"login":{"user":"ann","password":"…"}}`.
  public static func events(
    _ name: String, _ pattern: RedactionPattern = "", standIn: JSON? = nil
  ) -> RedactionRule {
    RedactionRule(kind: .event(name, pattern, standIn: standIn))
  }
}

/// A type that says by itself what of its machines must not be seen: the type of the state, or the
/// `Replayable` type that makes the machine.
///
/// Recorders and hosts both find the rules there.
///
/// ```swift
/// struct Login: Codable, Redactable {
///   var token = ""
///   static var redaction: RedactionRules { [.hide(\Login.token)] }
/// }
/// assert(!RedactionRules(declaredBy: Login.self).isEmpty)
/// ```
public protocol Redactable: SendableMetatype {
  /// What is hidden.
  static var redaction: RedactionRules { get }
}

/// An optional, whatever it may hold: a rule about that finds it.
private protocol Wrapping {
  static var wrapped: Any.Type { get }
}

extension Optional: Wrapping {
  static var wrapped: Any.Type { Wrapped.self }
}

extension RedactionRules {
  /// The rules that a type declares; none where it declares none.
  public init(declaredBy type: Any.Type) {
    self = (Self.part(of: type) as? any Redactable.Type)?.redaction ?? []
  }

  /// The rules that a type declares, unless another one is it, or has it as its part.
  package init(declaredBy type: Any.Type, besides other: Any.Type) {
    self = Self.part(of: type) == Self.part(of: other) ? [] : RedactionRules(declaredBy: type)
  }

  /// Whether one of the rules names a property of that type by its key path.
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
