import Timelines

/// Shows foreign text, so that no recording can move the cursor, change colors, or read differently
/// from what it is.
enum Escaped {
  /// The text with control and bidirectional characters as escapes.
  static func text(_ text: String) -> String { PlainText.escaping(text) }

  /// The text as one word of a shell's command.
  static func shell(_ text: String) -> String { self.text(text).inSingleQuotes }

  /// The text in quotes, cut when it is long.
  static func quoted(_ text: String) -> String { "'\(self.text(text.cut(toScalars: 80)))'" }

  /// JSON of the same value, in which no character steers a terminal.
  static func json(_ bytes: some Collection<UInt8>) -> [UInt8] { PlainText.json(bytes) }
}
