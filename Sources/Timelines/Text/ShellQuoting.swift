extension String {
  /// The text as one word of a POSIX shell, for paths in suggested commands.
  package var shellWord: String {
    let isPlain =
      !isEmpty && utf8.allSatisfy { "/._-+@:,".utf8.contains($0) || Self.isAlphanumeric($0) }
    return isPlain ? self : inSingleQuotes
  }

  /// The text as one word in single quotes, for a POSIX shell.
  package var inSingleQuotes: String {
    // A quote ends the quoted part, is escaped with a backslash, and begins the next part.
    "'" + split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
