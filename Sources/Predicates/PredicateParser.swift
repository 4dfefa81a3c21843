import JSONCore

/// Reads a predicate by recursive descent, one method a rule of the grammar.
struct PredicateParser {
  private var lexer: PredicateLexer
  private var token: PredicateLexer.Token
  /// How many parentheses, calls and `!` are open.
  private var depth = 0

  init(_ text: String) throws(PredicateError) {
    guard text.utf8.count <= Predicate.maxBytes else {
      throw PredicateError(
        message: "a predicate has at most \(Predicate.maxBytes) bytes",
        column: Predicate.maxBytes + 1, offset: Predicate.maxBytes)
    }
    lexer = PredicateLexer(text)
    token = try lexer.next()
  }

  /// The whole text.
  mutating func predicate() throws(PredicateError) -> Predicate.Expression {
    if case .end = token.kind {
      throw error("a predicate was expected, such as event == \"tapped\"")
    }
    let expression = try any()
    switch token.kind {
    case .end: return expression
    case .sign(")"): throw error("this parenthesis was never opened")
    case .word(let word): throw error(Self.afterCondition(word))
    default: throw error("'&&' or '||' was expected between two conditions")
    }
  }

  private mutating func any() throws(PredicateError) -> Predicate.Expression {
    let first = try all()
    var parts = [first]
    while isSign("||") {
      try advance()
      parts.append(try all())
    }
    return parts.count == 1 ? first : .any(parts)
  }

  private mutating func all() throws(PredicateError) -> Predicate.Expression {
    let first = try condition()
    var parts = [first]
    while isSign("&&") {
      try advance()
      parts.append(try condition())
    }
    return parts.count == 1 ? first : .all(parts)
  }

  private mutating func condition() throws(PredicateError) -> Predicate.Expression {
    if isSign("!") {
      let place = token.start
      let inner = try nested { (parser) throws(PredicateError) in
        try parser.advance()
        return try parser.condition()
      }
      if Self.isComparison(inner), !lastWasClosed {
        throw lexer.error("put the comparison into parentheses: !(a == b)", at: place)
      }
      return .not(inner)
    }
    if isSign("(") {
      let inner = try nested { (parser) throws(PredicateError) in
        try parser.advance()
        let inner = try parser.any()
        try parser.expect(")", "this condition's parenthesis is not closed")
        return inner
      }
      lastWasClosed = true
      if operatorName != nil { throw error("a comparison is between two values, not conditions") }
      return inner
    }
    if case .word(let word) = token.kind,
      ["changed", "contains", "includes", "matches"].contains(word)
    {
      return try call(word)
    }
    return try comparison()
  }

  /// Whether the condition just read ended with its own parenthesis.
  private var lastWasClosed = false
}

// MARK: Conditions

extension PredicateParser {
  private mutating func comparison() throws(PredicateError) -> Predicate.Expression {
    if case .word("anywhere") = token.kind { return try anywhere() }
    let left = try operand()
    lastWasClosed = false
    guard let name = operatorName else { return .value(left) }
    let expression: Predicate.Expression
    switch name {
    case "contains":
      try advance()
      expression = .contains(left, try operand())
    case "includes":
      try advance()
      expression = .includes(left, try operand())
    case "matches":
      try advance()
      expression = .matches(left, try pattern())
    default:
      guard let comparison = Predicate.Comparison(rawValue: name) else {
        throw error("'\(name)' is not a comparison")
      }
      try advance()
      expression = .compare(left, comparison, try operand())
    }
    if operatorName != nil { throw error("comparisons do not chain; join two with '&&'") }
    return expression
  }

  /// `changed(path)`, `contains(a, b)`, `includes(a, b)`, `matches(a, "…")`.
  private mutating func call(_ word: String) throws(PredicateError) -> Predicate.Expression {
    let place = token.start
    try advance()
    guard isSign("(") else {
      throw lexer.error(
        word == "changed"
          ? "'changed' is followed by a path in parentheses: changed(state.user)"
          : "'\(word)' goes between two values: state.name \(word) \"x\"", at: place)
    }
    let expression = try nested { (parser) throws(PredicateError) in
      try parser.advance()
      let expression = try parser.arguments(of: word)
      try parser.expect(")", "the parenthesis of '\(word)' is not closed")
      return expression
    }
    lastWasClosed = true
    if operatorName != nil { throw error("'\(word)' is a condition and cannot be compared") }
    return expression
  }

  private mutating func arguments(of word: String) throws(PredicateError) -> Predicate.Expression {
    let place = token.start
    let comma = "'\(word)' takes two values with a comma between them"
    if case .word("anywhere") = token.kind, word == "contains" || word == "matches" {
      try advance()
      try expect(",", comma)
      return .anywhere(try leafTest(word))
    }
    let first = try operand()
    if word == "changed" {
      guard case .path(let path) = first, path.root == .state || path.root == .outputs else {
        throw lexer.error("'changed' takes a path that begins with state or outputs", at: place)
      }
      guard !path.steps.contains(.each) else {
        throw lexer.error("'changed' takes a path without [*]; name the list", at: place)
      }
      return .changed(path)
    }
    try expect(",", comma)
    switch word {
    case "contains": return .contains(first, try operand())
    case "includes": return .includes(first, try operand())
    default: return .matches(first, try pattern())
    }
  }

  private mutating func pattern() throws(PredicateError) -> Pattern {
    let start = token.start
    switch token.kind {
    case .string(let text, let places), .pattern(let text, let places):
      do {
        let pattern = try Pattern(text)
        try advance()
        return pattern
      } catch let error as PatternError {
        // Past the last scalar stands the closing quotation mark.
        let end = (places.last ?? start) + 1
        let place = error.offset < places.count ? places[error.offset] : end
        throw lexer.error(error.message, at: place)
      } catch let error as PredicateError {
        throw error
      } catch {
        throw lexer.error("this is not a pattern", at: start)
      }
    default: throw error("'matches' takes a pattern: a string, or /…/")
    }
  }
}

// MARK: Anywhere

extension PredicateParser {
  /// `anywhere == 4711`, `anywhere contains "x"`, `anywhere matches /x/`.
  private mutating func anywhere() throws(PredicateError) -> Predicate.Expression {
    let place = token.start
    try advance()
    lastWasClosed = false
    if isSign(".") || isSign("[") {
      throw error("'anywhere' has no parts; it means every leaf of event, state, and outputs")
    }
    guard let name = operatorName else {
      throw lexer.error("'anywhere' needs a comparison: anywhere contains \"x\"", at: place)
    }
    if name == "!=" { throw error("'anywhere' has many values; write !(anywhere == x)") }
    try advance()
    let test = try leafTest(name)
    if operatorName != nil { throw error("comparisons do not chain; join two with '&&'") }
    return .anywhere(test)
  }

  private mutating func leafTest(_ name: String) throws(PredicateError) -> Predicate.LeafTest {
    if name == "matches" { return .matches(try pattern()) }
    if name == "includes" {
      throw error("'anywhere' tests single values; 'includes' is between two lists")
    }
    if case .word(let word) = token.kind, word != "sum", !Self.beginnings.contains(word) {
      throw error("a text needs quotes: anywhere \(name) \"\(word)\"")
    }
    let place = token.start
    guard case .literal(let literal) = try operand() else {
      throw lexer.error("'anywhere' can only be compared with a literal", at: place)
    }
    if let comparison = Predicate.Comparison(rawValue: name) {
      return .compare(comparison, literal)
    }
    guard case .string = literal else {
      throw lexer.error(
        "'contains' finds a text; other values are found by anywhere == x", at: place)
    }
    return .contains(literal)
  }
}

// MARK: Values

extension PredicateParser {
  private mutating func operand() throws(PredicateError) -> Predicate.Operand {
    switch token.kind {
    case .number(let number):
      try advance()
      return .literal(.number(number))
    case .string(let string, _):
      try advance()
      return .literal(.string(string))
    case .word("true"), .word("false"):
      let isTrue = if case .word("true") = token.kind { true } else { false }
      try advance()
      return .literal(.bool(isTrue))
    case .word("null"):
      try advance()
      return .literal(.null)
    case .word("sum"): return try sum()
    case .word(let word): return .path(try path(word))
    case .pattern: throw error("a pattern can only follow 'matches'")
    case .sign("("): throw error("a value was expected; parentheses hold conditions")
    case .sign("["): throw error("arrays cannot be written; compare their elements")
    case .sign(let sign): throw error("a value was expected, not '\(sign)'")
    case .end: throw error("a value is missing at the end")
    }
  }

  /// `sum(state.items[*].cents)`, `sum(state.paid, state.due)`.
  private mutating func sum() throws(PredicateError) -> Predicate.Operand {
    let place = token.start
    try advance()
    guard isSign("(") else {
      throw lexer.error(
        "'sum' is followed by paths in parentheses: sum(state.items[*].cents)", at: place)
    }
    var paths: [Predicate.Path] = []
    repeat {
      try advance()
      guard case .path(let path) = try operand() else {
        throw lexer.error("'sum' takes paths", at: place)
      }
      paths.append(path)
    } while isSign(",")
    try expect(")", "the parenthesis of 'sum' is not closed")
    return .sum(paths)
  }

  private mutating func path(_ word: String) throws(PredicateError) -> Predicate.Path {
    let place = token.start
    try advance()
    if word == "before" { return try pathBefore(at: place) }
    if word == "anywhere" {
      throw lexer.error("'anywhere' can only be on the left of a comparison", at: place)
    }
    guard let root = Predicate.Root(rawValue: word) else {
      throw lexer.error(Self.unknownName(word, isCall: isSign("(")), at: place)
    }
    return Predicate.Path(root, try steps())
  }

  private mutating func pathBefore(at place: Int) throws(PredicateError) -> Predicate.Path {
    let message = "'before' is followed by .state or .outputs"
    guard isSign(".") else { throw lexer.error(message, at: place) }
    try advance()
    guard case .word(let word) = token.kind,
      let root = Predicate.Root(rawValue: "before." + word)
    else { throw error(message) }
    try advance()
    return Predicate.Path(root, try steps())
  }

  private mutating func steps() throws(PredicateError) -> [Predicate.Step] {
    var steps: [Predicate.Step] = []
    while true {
      if isSign(".") {
        try advance()
        guard case .word(let name) = token.kind else {
          throw error("a name follows the point; other keys are written [0] or [\"any key\"]")
        }
        steps.append(.key(name))
        try advance()
      } else if isSign("[") {
        try advance()
        steps.append(try subscripted())
        try advance()
        try expect("]", "a key or index ends with ']'")
      } else {
        return steps
      }
    }
  }

  private func subscripted() throws(PredicateError) -> Predicate.Step {
    switch token.kind {
    case .string(let key, _): return .key(key)
    case .sign("*"): return .each
    case .number(let number):
      guard let index = number.int.flatMap({ Int(exactly: $0) }), index >= 0,
        index <= Self.largestIndex
      else { throw error("an index is a whole number from 0 on") }
      return .index(index)
    default: throw error("an index or a key in quotation marks was expected in the brackets")
    }
  }

  /// 2^53 - 1: the largest integer that every reader of the language holds exactly.
  private static let largestIndex: Int64 = 9_007_199_254_740_991
}

// MARK: Pieces

extension PredicateParser {
  private mutating func advance() throws(PredicateError) {
    token = try lexer.next()
  }

  private func isSign(_ sign: String) -> Bool {
    if case .sign(sign) = token.kind { true } else { false }
  }

  private mutating func expect(_ sign: String, _ message: String) throws(PredicateError) {
    guard isSign(sign) else { throw error(message) }
    try advance()
  }

  private func error(_ message: String) -> PredicateError {
    lexer.error(message, at: token.start)
  }

  /// The operator that stands next, when one does.
  private var operatorName: String? {
    switch token.kind {
    case .sign(let sign): Predicate.Comparison(rawValue: sign) == nil ? nil : sign
    case .word("contains"): "contains"
    case .word("includes"): "includes"
    case .word("matches"): "matches"
    default: nil
    }
  }

  private mutating func nested(
    _ body: (inout Self) throws(PredicateError) -> Predicate.Expression
  ) throws(PredicateError) -> Predicate.Expression {
    guard depth < Predicate.maxDepth else {
      throw error("conditions are nested more than \(Predicate.maxDepth) levels deep")
    }
    depth += 1
    let expression = try body(&self)
    depth -= 1
    return expression
  }

  private static func isComparison(_ expression: Predicate.Expression) -> Bool {
    switch expression {
    case .compare, .contains, .includes, .matches, .anywhere: true
    case .value, .changed, .not, .all, .any: false
    }
  }
}
