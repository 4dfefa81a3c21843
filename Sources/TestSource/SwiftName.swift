/// Names in Swift source, made of text that anybody may have chosen.
enum SwiftName {
  /// Whether it is an identifier that needs no quoting: ASCII letters, digits, underscores.
  ///
  /// Others are allowed in Swift; they are not taken from recordings, where they may be made to look
  /// like something else.
  static func isIdentifier(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  /// Whether a module can be imported by that name as it stands.
  static func isModule(_ text: String) -> Bool {
    isIdentifier(text) && text != "_" && !reserved.contains(text)
  }

  /// Whether it is identifiers with dots between them, as types are named, none of them a word of
  /// the language.
  static func isTypeName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.allSatisfy {
      isIdentifier($0) && $0 != "_" && !reserved.contains(String($0))
        && !["Type", "Protocol", "self"].contains($0)
    }
  }

  /// Whether it can stand for a case or a label: with ``member(_:)`` or ``label(_:)`` words of the
  /// language can.
  static func isMember(_ text: String) -> Bool { isIdentifier(text) && text != "_" }

  /// A name after a dot: only what has a meaning of its own there is quoted.
  static func member(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
  }

  /// A label of an argument: only what cannot be one is quoted.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }

  /// A type's name: `FlippingTwice` of "flipping twice"; `fallback` where nothing is left.
  static func upper(_ text: String, fallback: String) -> String {
    let name = words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return isIdentifier(name) ? name : fallback + name
  }

  /// A variable's or a function's name: `flippingTwice`; `fallback` where nothing is left of it, or
  /// it is a word of the language.
  static func lower(_ text: String, fallback: String) -> String {
    let upper = upper(text, fallback: "")
    // Of several capitals at the start all but the last make the first word: URLList, urlList.
    let capitals = upper.prefix { $0.isUppercase }
    let count = capitals.count == upper.count ? upper.count : max(1, capitals.count - 1)
    let name = upper.prefix(count).lowercased() + upper.dropFirst(count)
    return isIdentifier(name) && !keywords.contains(name) ? name : fallback
  }

  /// A file's name without its ending: `flipping-twice`.
  static func file(_ text: String, fallback: String) -> String {
    let name = words(text).map { $0.lowercased() }.joined(separator: "-")
    return name.isEmpty ? fallback : name
  }

  /// The words of a text: runs of ASCII letters and digits, at most eight.
  private static func words(_ text: String) -> [Substring] {
    // Eight words tell one test from another; a title may be a paragraph.
    let all = text.split { character in
      guard let ascii = character.asciiValue else { return true }
      return !isLetter(ascii) && !isDigit(ascii) || ascii == UInt8(ascii: "_")
    }
    return all.prefix(8).map { $0.prefix(40) }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  /// Words that cannot name a variable, and those that the tests use themselves.
  private static let keywords = reserved.union([
    "actor", "any", "async", "await", "expect", "package", "replay", "some",
  ])

  /// Words of the language that name nothing unless they are quoted.
  private static let reserved: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
