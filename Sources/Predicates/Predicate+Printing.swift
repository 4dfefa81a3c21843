import JSONCore

extension Predicate: CustomStringConvertible {
  /// The canonical text: one space around operators, double quotation marks, no parenthesis that is
  /// not needed. Reading it gives the same predicate.
  public var description: String { expression.text }
}

extension Predicate.Expression {
  fileprivate var text: String {
    switch self {
    case .value(let operand): operand.text
    case .compare(let left, let comparison, let right):
      "\(left.text) \(comparison.rawValue) \(right.text)"
    case .contains(let left, let right): "\(left.text) contains \(right.text)"
    case .includes(let left, let right): "\(left.text) includes \(right.text)"
    case .matches(let left, let pattern): "\(left.text) matches \(quoted(pattern.source))"
    case .anywhere(.compare(let comparison, let literal)):
      "anywhere \(comparison.rawValue) \(Predicate.Operand.literal(literal).text)"
    case .anywhere(.contains(let literal)):
      "anywhere contains \(Predicate.Operand.literal(literal).text)"
    case .anywhere(.matches(let pattern)): "anywhere matches \(quoted(pattern.source))"
    case .changed(let path): "changed(\(path.description))"
    case .not(let inner):
      switch inner {
      case .value, .changed, .not: "!" + inner.text
      default: "!(" + inner.text + ")"
      }
    case .all(let parts):
      parts.map { part in
        switch part {
        case .all, .any: "(" + part.text + ")"
        default: part.text
        }
      }.joined(separator: " && ")
    case .any(let parts):
      parts.map { part in
        if case .any = part { "(" + part.text + ")" } else { part.text }
      }.joined(separator: " || ")
    }
  }
}

extension Predicate.Operand {
  fileprivate var text: String {
    switch self {
    case .path(let path): path.description
    case .sum(let paths): "sum(\(paths.map(\.description).joined(separator: ", ")))"
    case .literal(.null): "null"
    case .literal(.bool(let bool)): bool ? "true" : "false"
    case .literal(.number(let number)): number.text
    case .literal(.string(let string)): quoted(string)
    }
  }
}

extension Predicate.Path: CustomStringConvertible {
  /// The canonical text: `.name` where the key is a name, else `["any key"]`.
  public var description: String {
    steps.reduce(into: root.rawValue) { text, step in
      switch step {
      case .index(let index): text += "[\(index)]"
      case .each: text += "[*]"
      case .key(let key): text += Self.isName(key) ? "." + key : "[" + quoted(key) + "]"
      }
    }
  }

  private static func isName(_ key: String) -> Bool {
    guard let first = key.unicodeScalars.first, PredicateLexer.beginsName(first) else {
      return false
    }
    return key.unicodeScalars.allSatisfy(PredicateLexer.continuesName)
  }
}

/// The string as JSON writes it, control characters escaped.
private func quoted(_ string: String) -> String {
  var text = "\""
  for scalar in string.unicodeScalars {
    switch scalar {
    case "\"": text += "\\\""
    case "\\": text += "\\\\"
    case "\n": text += "\\n"
    case "\r": text += "\\r"
    case "\t": text += "\\t"
    case _ where scalar.value < 0x20:
      let digits = String(scalar.value, radix: 16)
      text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    default: text.unicodeScalars.append(scalar)
    }
  }
  return text + "\""
}
