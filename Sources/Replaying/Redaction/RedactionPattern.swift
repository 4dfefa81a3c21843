public import JSONCore

/// A pattern of pointers: a pointer whose tokens may be `*` (any token) or `**` (any number of
/// tokens).
///
/// ```swift
/// let emails: RedactionPattern = "/users/*/email"
/// let email = try Pointer("/users/7/email")
/// assert(emails.matches(email))
/// let all = try RedactionPattern("/**/token")
/// let token = try Pointer("/a/0/token")
/// assert(all.matches(token) && !all.matches(email))
/// ```
public struct RedactionPattern: Hashable, Sendable {
  enum Token: Hashable, Sendable {
    case exact(String)
    case one
    case any
  }

  let tokens: [Token]

  let text: String

  /// Parses a pattern: empty for the whole value, or in the syntax of RFC 6901. A leading `**` does not
  /// need its slash.
  public init(_ text: String) throws(PointerError) {
    self.text = text
    let pointer = try Pointer(text.hasPrefix("**") ? "/" + text : text)
    tokens = pointer.tokens.map { token in
      switch token {
      case "*": .one
      case "**": .any
      default: .exact(token)
      }
    }
  }

  /// Whether the pattern matches a pointer.
  public func matches(_ pointer: Pointer) -> Bool {
    var places = start
    for token in pointer.tokens { places = advance(places, by: token) }
    return isMatch(places)
  }

  // The states of a nondeterministic automaton: a walk over a value checks each key once, at a cost of
  // at most the pattern's length.

  var start: [Int] { skippingAny([0]) }

  func advance(_ places: [Int], by token: String) -> [Int] {
    var next: [Int] = []
    for place in places where place < tokens.count {
      switch tokens[place] {
      case .exact(let text) where Pointer(tokens: [text]) == Pointer(tokens: [token]):
        next.append(place + 1)
      case .exact: break
      case .one: next.append(place + 1)
      case .any: next.append(place)
      }
    }
    return skippingAny(next)
  }

  func isMatch(_ places: [Int]) -> Bool { places.contains(tokens.count) }

  /// Its first key; `nil` if it begins with a wildcard, or matches the whole value.
  var firstKey: String? {
    if case .exact(let key)? = tokens.first { key } else { nil }
  }

  /// Whether the pattern has an array index, so that its matches change when elements move.
  var namesElement: Bool {
    tokens.contains { token in
      if case .exact(let text) = token { Pointer.index(text) != nil } else { false }
    }
  }

  private func skippingAny(_ places: [Int]) -> [Int] {
    var all: [Int] = []
    for place in places {
      var place = place
      while !all.contains(place) {
        all.append(place)
        guard place < tokens.count, tokens[place] == .any else { break }
        place += 1
      }
    }
    return all
  }
}

extension RedactionPattern: ExpressibleByStringLiteral {
  /// Creates a pattern from a literal.
  ///
  /// - Precondition: The literal is a valid pattern.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(text.debugDescription) is not a valid pattern: \(error)")
    }
  }
}
