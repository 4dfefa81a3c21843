/// Reads a pattern by recursive descent.
struct PatternParser {
  private let scalars: [Unicode.Scalar]
  private var index = 0
  private var depth = 0

  /// Whether the pattern begins with `(?i)`.
  private(set) var ignoresCase = false

  /// The most repetitions that can be asked for by number.
  private static let maxCount = 1_000

  init(_ source: String) {
    scalars = Array(source.unicodeScalars)
  }

  /// The whole pattern.
  mutating func pattern() throws(PatternError) -> PatternTree {
    if scalars.starts(with: "(?i)".unicodeScalars) {
      ignoresCase = true
      index = 4
    }
    let tree = try choice()
    guard index == scalars.count else { throw error("this parenthesis was never opened") }
    try check(tree, from: 0)
    return tree
  }

  private mutating func choice() throws(PatternError) -> PatternTree {
    var parts = [try sequence()]
    while peek() == "|" {
      index += 1
      parts.append(try sequence())
    }
    return parts.count == 1 ? parts[0] : .choice(parts)
  }

  private mutating func sequence() throws(PatternError) -> PatternTree {
    var parts: [PatternTree] = []
    while let scalar = peek(), scalar != "|", scalar != ")" {
      let start = index
      let atom = try atom(scalar)
      parts.append(try repetition(of: atom, from: start))
    }
    return parts.isEmpty ? .empty : .sequence(parts)
  }

  private mutating func atom(_ scalar: Unicode.Scalar) throws(PatternError) -> PatternTree {
    let start = index
    index += 1
    switch scalar {
    case ".": return .one(.notNewline)
    case "^": return .place(.start)
    case "$": return .place(.end)
    case "[": return .one(try scalarClass(from: start))
    case "(": return try group(from: start)
    case "\\": return try escapeOutsideClass(from: start)
    case "*", "+", "?":
      throw error(
        "there is nothing before '\(scalar)' to repeat; a sign is written \\\(scalar)", start)
    case "{": throw error("there is nothing before '{' to repeat; a brace is written \\{", start)
    default: return .one(ScalarSet(scalar))
    }
  }

  private mutating func group(from start: Int) throws(PatternError) -> PatternTree {
    if peek() == "?" {
      guard peek(1) == ":" else {
        let isFlag = peek(1) == "i"
        throw error(
          isFlag
            ? "(?i) must be at the start of the pattern and applies to all of it"
            : "lookaround and named groups cannot be matched in linear time; use (…)", start)
      }
      index += 2
    }
    guard depth < Pattern.maxDepth else {
      throw error("groups are nested more than \(Pattern.maxDepth) levels deep", start)
    }
    depth += 1
    let tree = try choice()
    depth -= 1
    guard peek() == ")" else { throw error("the group that begins here has no end", start) }
    index += 1
    return tree
  }
}

// MARK: Repetition

extension PatternParser {
  private mutating func repetition(
    of atom: PatternTree, from start: Int
  ) throws(PatternError) -> PatternTree {
    guard let (least, most) = try quantifier() else { return atom }
    if case .place = atom { throw error("an anchor cannot be repeated", start) }
    // Whether a match is greedy or not does not change that there is one.
    if peek() == "?" { index += 1 }
    if let next = peek(), next == "*" || next == "+" || next == "?" || next == "{" {
      throw error("only one repetition may follow; put the first into a group")
    }
    let tree = PatternTree.repeated(atom, least: least, most: most)
    try check(tree, from: start)
    return tree
  }

  private mutating func quantifier() throws(PatternError) -> (least: Int, most: Int?)? {
    let start = index
    switch peek() {
    case "*":
      index += 1
      return (0, nil)
    case "+":
      index += 1
      return (1, nil)
    case "?":
      index += 1
      return (0, 1)
    case "{":
      index += 1
      guard let least = number() else {
        throw error("a repetition is written {2}, {2,} or {2,5}; a brace is written \\{", start)
      }
      var most: Int? = least
      if peek() == "," {
        index += 1
        most = number()
      }
      guard peek() == "}" else { throw error("the repetition that begins here has no end", start) }
      index += 1
      guard max(least, most ?? 0) <= Self.maxCount else {
        throw error("a repetition goes to \(Self.maxCount) at most", start)
      }
      if let most, most < least { throw error("the first number is the smaller one", start) }
      return (least, most)
    default: return nil
    }
  }

  private mutating func number() -> Int? {
    var value: Int?
    while let scalar = peek(), ("0"..."9").contains(scalar) {
      // Beyond the maximum the exact value does not matter.
      value = min((value ?? 0) * 10 + Int(scalar.value - 0x30), Self.maxCount + 1)
      index += 1
    }
    return value
  }

  private func check(_ tree: PatternTree, from start: Int) throws(PatternError) {
    guard tree.size < Pattern.maxInstructions else {
      throw error("the pattern takes more than \(Pattern.maxInstructions) instructions", start)
    }
  }
}

// MARK: Classes and escapes

extension PatternParser {
  /// What a backslash and one scalar stand for.
  private enum Escape {
    case one(Unicode.Scalar)
    case many(ScalarSet)
    case place(PatternTree.Place)
  }

  private mutating func escapeOutsideClass(from start: Int) throws(PatternError) -> PatternTree {
    switch try escape(from: start) {
    case .one(let scalar): .one(ScalarSet(scalar))
    case .many(let set): .one(set)
    case .place(let place): .place(place)
    }
  }

  private mutating func escape(from start: Int) throws(PatternError) -> Escape {
    guard let scalar = peek() else { throw error("a backslash ends the pattern", start) }
    index += 1
    switch scalar {
    case "d": return .many(.digits)
    case "D": return .many(.digits.inverted)
    case "w": return .many(.wordScalars)
    case "W": return .many(.wordScalars.inverted)
    case "s": return .many(.spaces)
    case "S": return .many(.spaces.inverted)
    case "b": return .place(.wordBoundary)
    case "B": return .place(.noWordBoundary)
    case "n": return .one("\n")
    case "r": return .one("\r")
    case "t": return .one("\t")
    case "f": return .one("\u{C}")
    case "v": return .one("\u{B}")
    case "u": return .one(try unicode(from: start))
    case "1"..."9", "k":
      throw error("a reference to a group cannot be matched in linear time", start)
    case "0", "a"..."z", "A"..."Z": throw error("there is no escape \\\(scalar)", start)
    default: return .one(scalar)
    }
  }

  /// `\u0041` or `\u{1F600}`.
  private mutating func unicode(from start: Int) throws(PatternError) -> Unicode.Scalar {
    let isBraced = peek() == "{"
    if isBraced { index += 1 }
    var value: UInt32 = 0
    var count = 0
    while count < (isBraced ? 6 : 4), let scalar = peek(), scalar.isASCII,
      let digit = Character(scalar).hexDigitValue
    {
      value = value << 4 | UInt32(digit)
      count += 1
      index += 1
    }
    let isComplete = isBraced ? count > 0 && peek() == "}" : count == 4
    if isBraced, isComplete { index += 1 }
    guard isComplete, let scalar = Unicode.Scalar(value) else {
      throw error("a scalar is written \\u0041 or \\u{1F600}", start)
    }
    return scalar
  }

  private mutating func scalarClass(from start: Int) throws(PatternError) -> ScalarSet {
    let isNegated = peek() == "^"
    if isNegated { index += 1 }
    var ranges: [ClosedRange<UInt32>] = []
    while let scalar = peek() {
      if scalar == "]" {
        index += 1
        guard !ranges.isEmpty else { throw error("a class holds at least one character", start) }
        return ScalarSet(ranges, isNegated: isNegated)
      }
      let place = index
      guard let first = try classMember(into: &ranges) else { continue }
      guard peek() == "-", let next = peek(1), next != "]" else {
        ranges.append(first.value...first.value)
        continue
      }
      index += 1
      guard let last = try classMember(into: &ranges), last >= first else {
        throw error("a range goes from a smaller to a larger character", place)
      }
      ranges.append(first.value...last.value)
    }
    throw error("the class that begins here has no end", start)
  }

  /// One character of a class; `nil` when it was an escape for many, which has been added.
  private mutating func classMember(
    into ranges: inout [ClosedRange<UInt32>]
  ) throws(PatternError) -> Unicode.Scalar? {
    let start = index
    guard let scalar = peek() else { throw error("the class has no end", start) }
    index += 1
    if scalar == "[" { throw error("a bracket in a class is written \\[", start) }
    guard scalar == "\\" else { return scalar }
    switch try escape(from: start) {
    case .one(let scalar): return scalar
    case .many(let set):
      ranges += set.positiveRanges
      return nil
    case .place: throw error("an anchor cannot be in a class", start)
    }
  }

  private func peek(_ ahead: Int = 0) -> Unicode.Scalar? {
    index + ahead < scalars.count ? scalars[index + ahead] : nil
  }

  private func error(_ message: String, _ place: Int? = nil) -> PatternError {
    PatternError(message: message, offset: place ?? index)
  }
}
