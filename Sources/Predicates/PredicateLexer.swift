import JSONCore
import Timelines

/// Splits a predicate's text into tokens.
struct PredicateLexer {
  struct Token {
    var kind: Kind
    /// The scalar at which it begins, from 0.
    var start: Int
  }

  enum Kind {
    case word(String)
    case number(JSON.Number)
    /// A string; `places` says at which scalar of the text each of its scalars begins.
    case string(String, places: [Int])
    /// A pattern between slashes, likewise.
    case pattern(String, places: [Int])
    case sign(String)
    case end
  }

  let scalars: [Unicode.Scalar]
  private var index = 0
  /// Whether the last token can end a value, after which `-` and `/` could only calculate.
  private var endsValue = false

  init(_ text: String) {
    scalars = Array(text.unicodeScalars)
  }

  /// An error at a scalar of the text.
  func error(_ message: String, at place: Int) -> PredicateError {
    let before = scalars.prefix(place)
    return PredicateError(
      message: message, column: place + 1,
      offset: before.reduce(0) { $0 + Unicode.UTF8.width($1) })
  }

  /// The next token; `end` at the end of the text.
  mutating func next() throws(PredicateError) -> Token {
    while let scalar = peek(), Self.isSpace(scalar) { index += 1 }
    let start = index
    guard let scalar = peek() else { return Token(kind: .end, start: start) }
    if endsValue, scalar == "-" || scalar == "/" { throw error(Self.noCalculation, at: start) }
    let kind = try kind(beginningWith: scalar)
    endsValue = Self.canEndValue(kind)
    return Token(kind: kind, start: start)
  }

  private mutating func kind(beginningWith scalar: Unicode.Scalar) throws(PredicateError) -> Kind {
    switch scalar {
    case "\"", "'": try string(closing: scalar)
    case "/": try pattern()
    case "-", "0"..."9": .number(try number())
    case _ where Self.beginsName(scalar): .word(name())
    default: try sign(scalar)
    }
  }

  private static func canEndValue(_ kind: Kind) -> Bool {
    switch kind {
    case .word(let word): !["contains", "includes", "matches"].contains(word)
    case .sign(let sign): sign == "]" || sign == ")"
    case .number, .string, .pattern: true
    case .end: false
    }
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    index + ahead < scalars.count ? scalars[index + ahead] : nil
  }
}

// MARK: Names

extension PredicateLexer {
  /// Whether a name may begin with the scalar: a letter, `_`, `$`, or a visible non-ASCII scalar that
  /// is not punctuation.
  static func beginsName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24: true
    case 0...0xA0, 0x2000...0x206F, 0x3000, 0xFEFF: false
    default: true
    }
  }

  /// Whether a name may contain the scalar.
  static func continuesName(_ scalar: Unicode.Scalar) -> Bool {
    beginsName(scalar) || ("0"..."9").contains(scalar)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case " ", "\t", "\n", "\r": true
    default: false
    }
  }

  private mutating func name() -> String {
    var name = String.UnicodeScalarView()
    while let scalar = peek(), Self.continuesName(scalar) {
      name.append(scalar)
      index += 1
    }
    return String(name)
  }

  private mutating func sign(_ scalar: Unicode.Scalar) throws(PredicateError) -> Kind {
    let start = index
    let two = String(scalar) + (peek(1).map { String($0) } ?? "")
    for sign in ["==", "!=", "<=", ">=", "&&", "||"] where two == sign {
      index += 2
      if sign == "==" || sign == "!=", peek() == "=" {
        throw error("write '\(sign)', not '\(sign)='", at: start)
      }
      return .sign(sign)
    }
    switch scalar {
    case "<", ">", "!", "(", ")", "[", "]", ".", ",":
      index += 1
      return .sign(String(scalar))
    case "*" where isAfterBracket:
      index += 1
      return .sign("*")
    case "+", "*", "%": throw error(Self.noCalculation, at: start)
    case "=": throw error("a comparison for equality is written '=='", at: start)
    case "&": throw error("'and' is written '&&'", at: start)
    case "|": throw error("'or' is written '||'", at: start)
    case "\u{2018}", "\u{2019}", "\u{201C}", "\u{201D}":
      throw error("a string needs straight quotation marks, \" or '", at: start)
    case "{": throw error("objects cannot be compared as a whole; name a path inside", at: start)
    default: throw error("\(Self.show(scalar)) has no meaning here", at: start)
    }
  }

  /// Whether the scalar before this one, spaces aside, opens a bracket.
  private var isAfterBracket: Bool {
    scalars[..<index].last { !Self.isSpace($0) } == "["
  }

  private static let noCalculation =
    "predicates do not calculate; declare an output with the result, and compare that"

  private static func show(_ scalar: Unicode.Scalar) -> String {
    let isVisible = (0x21...0x7E).contains(scalar.value)
    return isVisible ? "'\(scalar)'" : "U+" + String(scalar.value, radix: 16, uppercase: true)
  }
}

// MARK: Literals

extension PredicateLexer {
  private mutating func number() throws(PredicateError) -> JSON.Number {
    let start = index
    var text = ""
    while let scalar = peek() {
      let isSign = scalar == "-" || scalar == "+"
      let mayBeSign = text.isEmpty || text.last == "e" || text.last == "E"
      guard isSign ? mayBeSign : scalar == "." || Self.continuesName(scalar) else { break }
      text.unicodeScalars.append(scalar)
      index += 1
    }
    if text == "-", peek() != nil { throw error(Self.noCalculation, at: start) }
    guard text.utf8.count <= JSONLimits.standard.numberBytes, let number = JSON.Number(text: text)
    else { throw error("this is not a number as JSON writes it", at: start) }
    return number
  }

  private mutating func string(closing quote: Unicode.Scalar) throws(PredicateError) -> Kind {
    let start = index
    index += 1
    var text = String.UnicodeScalarView()
    var places: [Int] = []
    while let scalar = peek() {
      let place = index
      index += 1
      if scalar == quote { return .string(String(text), places: places) }
      guard scalar.value >= 0x20 else {
        throw error("a control character in a string is written as an escape", at: place)
      }
      text.append(scalar == "\\" ? try escape(at: place) : scalar)
      places.append(place)
    }
    throw error("the string that begins here has no end", at: start)
  }

  /// The scalar that the escape at `place` stands for; its backslash has been read.
  private mutating func escape(at place: Int) throws(PredicateError) -> Unicode.Scalar {
    guard let scalar = peek() else { throw error("the text ends inside a string", at: place) }
    index += 1
    switch scalar {
    case "\"", "\\", "/", "'": return scalar
    case "b": return "\u{8}"
    case "f": return "\u{C}"
    case "n": return "\n"
    case "r": return "\r"
    case "t": return "\t"
    case "u":
      guard var unit = hexUnit() else {
        throw error("four hexadecimal digits follow \\u", at: place)
      }
      if (0xD800...0xDBFF).contains(unit), peek() == "\\", peek(1) == "u" {
        index += 2
        if let low = hexUnit(), (0xDC00...0xDFFF).contains(low) {
          unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
        }
      }
      guard let scalar = Unicode.Scalar(unit) else {
        throw error("half of a surrogate pair is not a character", at: place)
      }
      return scalar
    default:
      throw error(
        "a string has no escape like this; in a pattern write two backslashes or /…/", at: place)
    }
  }

  private mutating func hexUnit() -> UInt32? {
    var unit: UInt32 = 0
    for ahead in 0..<4 {
      guard let scalar = peek(ahead), scalar.isASCII,
        let digit = Character(scalar).hexDigitValue
      else { return nil }
      unit = unit << 4 | UInt32(digit)
    }
    index += 4
    return unit
  }

  /// A pattern up to the closing slash; `\/` is a slash, other escapes stay for the pattern.
  private mutating func pattern() throws(PredicateError) -> Kind {
    let start = index
    index += 1
    var text = String.UnicodeScalarView()
    var places: [Int] = []
    while let scalar = peek() {
      guard scalar.value >= 0x20 else {
        throw error("a control character in a pattern is written as an escape", at: index)
      }
      if scalar == "/" {
        index += 1
        return try flags(Kind.pattern(String(text), places: places), start: start)
      }
      if scalar == "\\", let next = peek(1), next.value >= 0x20 {
        if next != "/" {
          text.append(scalar)
          places.append(index)
        }
        text.append(next)
        places.append(index + (next == "/" ? 0 : 1))
        index += 2
      } else {
        text.append(scalar)
        places.append(index)
        index += 1
      }
    }
    throw error("the pattern that begins here has no end", at: start)
  }

  private mutating func flags(_ kind: Kind, start: Int) throws(PredicateError) -> Kind {
    guard let flag = peek(), Self.continuesName(flag), case .pattern(let text, let places) = kind
    else { return kind }
    let place = index
    guard name() == "i" else { throw error("a pattern's only flag is 'i'", at: place) }
    let mark = "(?i)"
    return .pattern(
      mark + text, places: Array(repeating: start, count: mark.unicodeScalars.count) + places)
  }
}
