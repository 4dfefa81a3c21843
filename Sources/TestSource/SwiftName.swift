/// Makes names for Swift source from untrusted text.
enum SwiftName {
  /// Whether the text is an identifier of ASCII letters, digits, and underscores.
  ///
  /// Swift allows more, but other characters in a recording may imitate a different name.
  static func isIdentifier(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) }
  }

  /// Whether a module can be imported by this name without quoting.
  static func isModule(_ text: String) -> Bool {
    isIdentifier(text) && text != "_" && !reserved.contains(text)
  }

  /// Whether the text is a type's name: identifiers with dots between them, none of them a keyword.
  static func isTypeName(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.allSatisfy {
      isIdentifier($0) && $0 != "_" && !reserved.contains(String($0))
        && !["Type", "Protocol", "self"].contains($0)
    }
  }

  /// Whether the text can name a case or a label. Keywords can, with ``member(_:)`` or ``label(_:)``.
  static func isMember(_ text: String) -> Bool { isIdentifier(text) && text != "_" }

  /// A name after a dot, in backticks if it has a special meaning there.
  static func member(_ name: String) -> String {
    ["init", "self", "Type", "Protocol"].contains(name) ? "`\(name)`" : name
  }

  /// An argument label, in backticks if it is a keyword that cannot be one.
  static func label(_ name: String) -> String {
    ["inout", "var", "let"].contains(name) ? "`\(name)`" : name
  }

  /// A type's name: `FlippingTwice` for "flipping twice"; `fallback` if no character is usable.
  static func upper(_ text: String, fallback: String) -> String {
    let name = words(text).map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    return isIdentifier(name) ? name : fallback + name
  }

  /// A variable's or a function's name: `flippingTwice`; `fallback` if no character is usable, or if
  /// it would be a keyword.
  static func lower(_ text: String, fallback: String) -> String {
    let upper = upper(text, fallback: "")
    // In a run of capitals, all but the last belong to the first word: URLList, urlList.
    let capitals = upper.prefix { $0.isUppercase }
    let count = capitals.count == upper.count ? upper.count : max(1, capitals.count - 1)
    let name = upper.prefix(count).lowercased() + upper.dropFirst(count)
    return isIdentifier(name) && !keywords.contains(name) ? name : fallback
  }

  /// A file's name without its extension: `flipping-twice`.
  static func file(_ text: String, fallback: String) -> String {
    let name = words(text).map { $0.lowercased() }.joined(separator: "-")
    return name.isEmpty ? fallback : name
  }

  /// The first eight words of a text: runs of ASCII letters and digits.
  private static func words(_ text: String) -> [Substring] {
    // Eight words distinguish tests; a title may be a paragraph.
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

  /// Names that a variable cannot have, including those that the tests use.
  private static let keywords = reserved.union([
    "actor", "any", "async", "await", "expect", "package", "replay", "some",
  ])

  /// Keywords that need backticks.
  private static let reserved: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default",
    "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate",
    "for", "func", "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil",
    "operator", "precedencegroup", "private", "protocol", "public", "repeat", "rethrows", "return",
    "self", "static", "struct", "subscript", "super", "switch", "throw", "throws", "true", "try",
    "typealias", "var", "where", "while",
  ]
}
