import JSONCore

/// Which redaction rules of a machine have matched, and which ones have a key that its states do not
/// have.
///
/// A rule without a match is not necessarily wrong: its value may be `nil`, its array empty, or its
/// event never sent. So a rule counts as misspelled only with evidence: a struct or a class at its
/// place does not have the property, neither encoded nor in Swift.
package struct RuleUse: Sendable {
  /// The state of a rule.
  package enum Outcome: Hashable, Sendable {
    /// The rule has hidden a value.
    case matched
    /// The rule has no match yet.
    case unknown
    /// The rule's key does not exist, but a similar one may.
    case missing(similar: String?)
  }

  /// The outcomes, by the index of the rule.
  package private(set) var outcomes: [Outcome]
  private var reads = 0

  init(_ rules: RedactionRules) {
    outcomes = Array(repeating: .unknown, count: rules.rules.count)
  }

  /// Records that a rule has hidden a value.
  mutating func recordMatch(of rule: Int) { outcomes[rule] = .matched }

  /// Checks a state for the keys of rules without a match.
  ///
  /// After the first few states, it checks fewer and fewer of them, to limit the cost.
  mutating func checkKeys(in state: JSON, of real: Any, for rules: RedactionRules) {
    reads += 1
    guard reads <= 16 || reads & (reads - 1) == 0 else { return }
    for (index, rule) in rules.rules.enumerated() where outcomes[index] == .unknown {
      guard case .state(let pattern, _) = rule.kind,
        let similar = KeySearch(pattern).missing(in: state, of: real)
      else { continue }
      outcomes[index] = .missing(similar: similar.name)
    }
  }
}

extension RedactionRule {
  /// The rule's text for messages; `nil` for a key path, which the compiler checks.
  package var quotation: String? {
    switch kind {
    case .property: nil
    case .state(let pattern, _): "\"\(pattern.text)\""
    case .output(let name, let pattern, _): "for the output \"\(name)\(pattern.text)\""
    case .event(let name, let pattern, _): "for the event \"\(name)\(pattern.text)\""
    }
  }

  /// The state of the rule for these outputs; `nil` if it does not hide an output.
  package func outcome(withOutputs names: [String]) -> RuleUse.Outcome? {
    guard case .output(let name, _, _) = kind else { return nil }
    guard !names.contains(name) else { return .unknown }
    return .missing(similar: SimilarName.of(name, in: names))
  }

  /// The state of the rule for these events; `nil` if it does not hide an event.
  package func outcome(withEvents cases: [(name: String, keys: [String])]) -> RuleUse.Outcome? {
    guard case .event(let name, let pattern, _) = kind else { return nil }
    guard let event = cases.first(where: { $0.name == name }) else {
      return .missing(similar: SimilarName.of(name, in: cases.map(\.name)))
    }
    guard let key = pattern.firstKey, !event.keys.contains(key) else { return .unknown }
    return .missing(similar: SimilarName.of(key, in: event.keys))
  }
}

/// Finds the first key of a pattern that a value does not have.
private struct KeySearch {
  /// A missing key, with a similar one that exists.
  struct Missing {
    let name: String?
  }

  private let tokens: ArraySlice<RedactionPattern.Token>

  /// The number of elements of a collection to check.
  private static let elementLimit = 4

  init(_ pattern: RedactionPattern) { tokens = pattern.tokens[...] }

  /// The missing key, if that is certain.
  ///
  /// `real` is the encoded value; `nil` if unknown.
  func missing(in value: JSON, of real: Any?) -> Missing? {
    Self.missing(tokens, in: value, of: real)
  }

  private static func missing(
    _ tokens: ArraySlice<RedactionPattern.Token>, in value: JSON, of real: Any?
  ) -> Missing? {
    guard let token = tokens.first else { return nil }
    let rest = tokens.dropFirst()
    switch (token, value) {
    case (.exact(let key), .object(let members)):
      let properties = real.flatMap(properties(of:))
      if let member = members[key] {
        return missing(rest, in: member, of: properties?.first { $0.name == key }?.value)
      }
      // A dictionary may get the key later, and a property with nil is not encoded.
      guard let properties, !properties.contains(where: { $0.name == key }) else { return nil }
      // The encoded keys may be data, so use the properties.
      return Missing(name: SimilarName.of(key, in: properties.map(\.name)))
    case (.one, .array(let elements)):
      let mirror = real.map { Mirror(reflecting: $0) }
      let reals = mirror?.displayStyle == .collection ? mirror?.children.prefix(elementLimit) : nil
      let values = reals?.map(\.value) ?? []
      for (element, value) in zip(elements, values) {
        if let missing = missing(rest, in: element, of: value) { return missing }
      }
      return nil
    case (.one, .object(let members)):
      guard let values = real as? [String: Any] else { return nil }
      for (key, member) in members.prefix(elementLimit) {
        if let missing = missing(rest, in: member, of: values[key]) { return missing }
      }
      return nil
    case (.any, _):
      // Such a rule may match later, so only a similar key is evidence.
      guard case .exact(let key)? = tokens.last else { return nil }
      return hasSimilar(to: key, anywhereIn: value) ? Missing(name: nil) : nil
    default: return nil
    }
  }

  /// The stored properties of a struct or a class; `nil` for other values.
  private static func properties(of value: Any) -> [(name: String, value: Any)]? {
    var mirror: Mirror? = Mirror(reflecting: value)
    while mirror?.displayStyle == .optional {
      mirror = mirror?.children.first.map { Mirror(reflecting: $0.value) }
    }
    guard mirror?.displayStyle == .struct || mirror?.displayStyle == .class else { return nil }
    var properties: [(name: String, value: Any)] = []
    while let level = mirror {
      for case (let label?, let value) in level.children {
        // The storage of a property wrapper.
        properties.append((label.hasPrefix("_") ? String(label.dropFirst()) : label, value))
      }
      mirror = level.superclassMirror
    }
    return properties
  }

  private static func hasSimilar(to key: String, anywhereIn value: JSON) -> Bool {
    switch value {
    case .object(let members):
      SimilarName.of(key, in: members.map { $0.key }) != nil
        || members.contains { hasSimilar(to: key, anywhereIn: $0.value) }
    case .array(let elements):
      elements.prefix(elementLimit).contains { hasSimilar(to: key, anywhereIn: $0) }
    case .null, .bool, .number, .string: false
    }
  }
}

/// Finds the intended name for a misspelled one.
enum SimilarName {
  /// The closest name with at most two different letters, or one if it is short.
  static func of(_ name: String, in names: [String]) -> String? {
    // Too many shorter names are similar.
    guard name.count > 3 else { return nil }
    let limit = name.count < 6 ? 1 : 2
    let close = names.map { ($0, distance(name.lowercased(), $0.lowercased())) }
      .filter { $0.1 <= limit }
    return close.min { $0.1 < $1.1 }?.0
  }

  /// The number of letters to add, remove, replace, or swap with the next one.
  private static func distance(_ one: String, _ other: String) -> Int {
    let (one, other) = (Array(one), Array(other))
    guard abs(one.count - other.count) <= 2 else { return .max }
    var rows = [Array(0...other.count)]
    for (index, letter) in one.enumerated() {
      var row = [index + 1]
      for (place, expected) in other.enumerated() {
        var best = min(
          rows[index][place + 1] + 1, row[place] + 1,
          rows[index][place] + (letter == expected ? 0 : 1))
        if index > 0, place > 0, letter == other[place - 1], one[index - 1] == expected {
          best = min(best, rows[index - 1][place - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    return rows[one.count][other.count]
  }
}
