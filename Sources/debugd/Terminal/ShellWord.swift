import Timelines

/// Writes words of commands that a message suggests, for copying into a shell.
enum ShellWord {
  /// A name that means itself in every shell, and does not look like an option.
  static func isHarmless(_ word: String) -> Bool {
    !word.isEmpty && !word.hasPrefix("-")
      && word.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"):
          true
        default: "._/:@+-".utf8.contains(byte)
        }
      }
  }

  /// A word in single quotes; nil when these do not make it one word in every shell.
  ///
  /// In fish a backslash before the closing quote keeps it open, and no shell takes the escapes that
  /// stand for control characters.
  static func quoted(_ word: String) -> String? {
    guard !word.isEmpty, !word.hasPrefix("-"),
      !word.unicodeScalars.contains(where: { $0 == "'" || $0 == "\\" || PlainText.isHostile($0) })
    else { return nil }
    return word.inSingleQuotes
  }

  /// A word as it is where that is harmless, else in quotes; nil when neither is safe.
  static func text(_ word: String) -> String? { isHarmless(word) ? word : quoted(word) }
}
