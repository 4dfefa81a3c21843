internal import JSONCore
internal import Predicates
internal import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A predicate, as far as the bytes of a line decide it.
///
/// A search reads every entry of a recording. Most are decided by one number or text in their
/// event; anything else is left to the predicate itself. A decision here is always that of the
/// predicate.
indirect enum LineCheck: Sendable {
  /// Undecided, whatever the line.
  case undecided
  /// How the number at a path compares.
  case number(LinePath, Predicate.Comparison, ShortDecimal)
  /// Whether the string at a path is this one, or is not.
  case text(LinePath, isEqual: Bool, [UInt8])
  /// Whether the value at a path is `true`, `false` or `null`, or is not.
  case word(LinePath, isEqual: Bool, [UInt8])
  /// Whether the value at a path is anything but `false`, `null` and missing.
  case truth(LinePath)
  /// Whether the event has this name, or has not.
  case name(isEqual: Bool, String)
  case not(LineCheck)
  case all([LineCheck])
  case any([LineCheck])

  enum Verdict {
    case yes
    case no
    case undecided

    init(_ isTrue: Bool) { self = isTrue ? .yes : .no }
  }

  init(_ predicate: Predicate) {
    self.init(predicate.expression)
  }

  private init(_ expression: Predicate.Expression) {
    switch expression {
    case .value(.path(let path)): self = LinePath(path).map(LineCheck.truth) ?? .undecided
    case .value(.literal), .value(.sum), .contains, .includes, .matches, .anywhere, .changed:
      self = .undecided
    case .compare(.path(let path), let comparison, .literal(let literal)):
      self.init(path, comparison, literal)
    case .compare(.literal(let literal), let comparison, .path(let path)):
      self.init(path, comparison.mirrored, literal)
    case .compare: self = .undecided
    case .not(let inner): self = .not(LineCheck(inner))
    case .all(let parts): self = .all(parts.map { LineCheck($0) })
    case .any(let parts): self = .any(parts.map { LineCheck($0) })
    }
  }

  private init(
    _ path: Predicate.Path, _ comparison: Predicate.Comparison, _ literal: Predicate.Literal
  ) {
    let isEqual = comparison == .equal
    let isEquality = isEqual || comparison == .notEqual
    if path.steps.isEmpty, path.root == .event || path.root == .name {
      // Next to a text, a bare event is its name; next to anything else it is undecided.
      if case .string(let name) = literal, isEquality {
        self = .name(isEqual: isEqual, name)
      } else {
        self = .undecided
      }
      return
    }
    guard let linePath = LinePath(path) else {
      self = .undecided
      return
    }
    switch literal {
    case .number(let number):
      self = ShortDecimal(number).map { .number(linePath, comparison, $0) } ?? .undecided
    case .string(let text) where isEquality:
      self = .text(linePath, isEqual: isEqual, Array(text.utf8))
    case .bool(let bool) where isEquality:
      self = .word(linePath, isEqual: isEqual, Array((bool ? "true" : "false").utf8))
    case .null where isEquality: self = .word(linePath, isEqual: isEqual, Array("null".utf8))
    case .string, .bool, .null: self = .undecided
    }
  }

  /// Checks a line without redacted values.
  func verdict(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Verdict {
    switch self {
    case .undecided: return .undecided
    case .number(let path, let comparison, let literal):
      switch path.find(bytes, line: line) {
      case .undecided: return .undecided
      case .nothing: return Verdict(comparison == .notEqual)
      case .at(let range):
        guard Self.beginsNumber(bytes[range.lowerBound]) else {
          return Verdict(comparison == .notEqual)
        }
        guard let order = ShortDecimal(bytes, at: range)?.compare(literal) else {
          return .undecided
        }
        return Verdict(comparison.holds(order))
      }
    case .text(let path, let isEqual, let text):
      switch path.find(bytes, line: line) {
      case .undecided: return .undecided
      case .nothing: return Verdict(!isEqual)
      case .at(let range):
        guard bytes[range.lowerBound] == UInt8(ascii: "\"") else { return Verdict(!isEqual) }
        let inside = range.lowerBound + 1..<range.upperBound - 1
        if bytes.hasEscape(inside) { return .undecided }
        return Verdict(bytes.has(text, at: inside) == isEqual)
      }
    case .word(let path, let isEqual, let word):
      switch path.find(bytes, line: line) {
      case .undecided: return .undecided
      case .nothing: return Verdict((word.first == UInt8(ascii: "n")) == isEqual)
      case .at(let range): return Verdict(bytes.has(word, at: range) == isEqual)
      }
    case .truth(let path):
      switch path.find(bytes, line: line) {
      case .undecided: return .undecided
      case .nothing: return .no
      case .at(let range):
        let first = bytes[range.lowerBound]
        return Verdict(first != UInt8(ascii: "f") && first != UInt8(ascii: "n"))
      }
    case .name(let isEqual, let name):
      let event: Range<Int>
      switch Self.event.find(bytes, line: line) {
      case .undecided: return .undecided
      case .nothing: return Verdict(!isEqual)
      case .at(let range): event = range
      }
      return Verdict((bytes.eventName(at: event)?.hasSameBytes(as: name) ?? false) == isEqual)
    case .not(let inner):
      switch inner.verdict(bytes, line: line) {
      case .yes: return .no
      case .no: return .yes
      case .undecided: return .undecided
      }
    case .all(let parts): return Self.first(.no, among: parts, else: .yes, bytes, line)
    case .any(let parts): return Self.first(.yes, among: parts, else: .no, bytes, line)
    }
  }

  private static let event = LinePath(event: ())

  private static func first(
    _ deciding: Verdict, among parts: [LineCheck], else other: Verdict,
    _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>
  ) -> Verdict {
    var result = other
    for part in parts {
      let verdict = part.verdict(bytes, line: line)
      if verdict == deciding { return deciding }
      if verdict == .undecided { result = .undecided }
    }
    return result
  }

  @inline(__always)
  private static func beginsNumber(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte &- UInt8(ascii: "0") <= 9
  }
}

extension Predicate.Comparison {
  /// The comparison with swapped operands.
  fileprivate var mirrored: Predicate.Comparison {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  /// Whether it holds for an order.
  @inline(__always)
  fileprivate func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}
