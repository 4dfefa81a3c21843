import Foundation
import Synchronization
import Timelines

/// Where a command's output goes, and what it can show there.
final class Terminal: Sendable {
  let hasColor: Bool
  /// Whether a person reads the output, rather than a program.
  let isInteractive: Bool
  /// How many columns there are; nil when the output is not a terminal.
  let columns: Int?

  private let output: FileHandle
  private let errors: FileHandle

  init(
    output: FileHandle, errors: FileHandle, isInteractive: Bool, hasColor: Bool, columns: Int?
  ) {
    self.output = output
    self.errors = errors
    self.isInteractive = isInteractive
    self.hasColor = hasColor
    self.columns = columns
  }

  /// The process's own output, as its environment describes it.
  convenience init(environment: [String: String]) {
    let isTerminal = isatty(STDOUT_FILENO) == 1
    var size = winsize()
    let known = isTerminal && ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
    self.init(
      output: .standardOutput, errors: .standardError, isInteractive: isTerminal,
      hasColor: Self.wantsColor(isTerminal: isTerminal, environment),
      columns: known ? Int(size.ws_col) : environment["COLUMNS"].flatMap { Int($0) })
  }

  /// By the conventions of `NO_COLOR`, `CLICOLOR_FORCE` and `TERM=dumb`.
  static func wantsColor(isTerminal: Bool, _ environment: [String: String]) -> Bool {
    if let no = environment["NO_COLOR"], !no.isEmpty { return false }
    if let force = environment["CLICOLOR_FORCE"], !force.isEmpty, force != "0" { return true }
    return isTerminal && environment["TERM"] != "dumb"
  }

  /// Writes a line. A reader that has gone ends the program quietly, as it does `cat`.
  func print(_ line: String) { write(Array((line + "\n").utf8)) }

  /// Writes bytes as they are.
  func write(_ bytes: [UInt8]) { Self.write(bytes, to: output) }

  /// Writes a sentence about what went wrong. It may hold foreign text, in which nothing
  /// but the ends of lines moves the cursor.
  func complain(_ sentence: String) {
    let lines = sentence.split(separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { Escaped.text(String($0)) }.joined(separator: "\n")
    Self.write(Array((text + "\n").utf8), to: errors)
  }

  private static func write(_ bytes: [UInt8], to handle: FileHandle) {
    do {
      try handle.write(contentsOf: Data(bytes))
    } catch {
      // A reader that has gone needs no explanation.
      let code = errno
      if code != EPIPE, handle !== FileHandle.standardError {
        let why = SystemError(code).sentences(.writing)
        let sentence = "debugd: The output cannot be written: \(why)\n"
        try? FileHandle.standardError.write(contentsOf: Data(sentence.utf8))
      }
      exit(ExitCode.failed.rawValue)
    }
  }
}

/// What a piece of output means; a color on a terminal that has some.
enum Tone: String, Sendable {
  /// What one looks for first.
  case strong = "1"
  /// What is there for completeness.
  case faint = "2"
  /// An error.
  case bad = "31"
  /// What was added, or goes well.
  case good = "32"
  /// What deserves a look.
  case careful = "33"
  case name = "36"
}

extension Terminal {
  /// The text in a tone, where there are colors.
  func toned(_ text: String, _ tone: Tone) -> String {
    hasColor && !text.isEmpty ? "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m" : text
  }
}
