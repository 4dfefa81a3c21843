public import JSONCore

/// Which pointers a rule means: a pointer whose tokens may be `*`, any one, and `**`, any number.
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
  private enum Token: Hashable, Sendable {
    case exact(String)
    case one
    case any
  }

  private let tokens: [Token]

  /// Reads a pattern: empty for the whole value, else as RFC 6901 writes a pointer. A leading `**`
  /// may go without its slash.
  public init(_ text: String) throws(PointerError) {
    let pointer = try Pointer(text.hasPrefix("**") ? "/" + text : text)
    tokens = pointer.tokens.map { token in
      switch token {
      case "*": .one
      case "**": .any
      default: .exact(token)
      }
    }
  }

  /// Whether a pointer is meant.
  public func matches(_ pointer: Pointer) -> Bool {
    var places = start
    for token in pointer.tokens { places = advance(places, by: token) }
    return isMatch(places)
  }

  // The places in the pattern at which one can be, as in any automaton: so that a walk over a value
  // asks for each key once, and no pattern takes more than its own length a key.

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

  /// Whether the pattern names an element of an array by its index, so that what it means changes
  /// when elements move.
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
  /// A pattern in the source.
  ///
  /// - Precondition: it is one.
  public init(stringLiteral text: String) {
    do {
      try self.init(text)
    } catch {
      preconditionFailure("\(text.debugDescription) is no pattern: \(error)")
    }
  }
}
