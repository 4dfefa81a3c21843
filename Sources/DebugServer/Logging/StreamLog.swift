internal import Foundation
internal import JSONCore
internal import Synchronization
package import Timelines

/// Writes one line per event to a file: for people on a terminal, as JSON elsewhere.
package final class StreamLog: Log {
  package enum Form: Sendable {
    /// `12:34:56 warning The disk is nearly full. timelines=3`
    case human
    /// `{"time":"…","level":"warning","event":"disk.low","message":"…","timelines":"3"}`
    case json
  }

  /// What is written, and how.
  private struct Style: Hashable {
    var form: Form
    var threshold: LogLevel
  }

  private let style: Mutex<Style>
  private let now: @Sendable () -> Timestamp
  private let output: Mutex<@Sendable (String) -> Void>

  /// A log that passes its lines, each with its line feed, to a closure, one at a time.
  package init(
    form: Form, threshold: LogLevel = .info, now: @escaping @Sendable () -> Timestamp = { .now },
    to output: @escaping @Sendable (String) -> Void
  ) {
    style = Mutex(Style(form: form, threshold: threshold))
    self.now = now
    self.output = Mutex(output)
  }

  /// A log on standard error. Default form: for people if that is a terminal.
  package static func standardError(
    form: Form? = nil, threshold: LogLevel = .info
  ) -> StreamLog {
    let form = form ?? (isatty(STDERR_FILENO) == 1 ? .human : .json)
    _ = flushesAtExit
    return StreamLog(form: form, threshold: threshold) { standardErrorLines.write($0) }
  }

  /// One for the process: the lines of two logs must not mix.
  private static let standardErrorLines = BackgroundLines(STDERR_FILENO)

  /// What was logged last says why the process ends. A reader that does not read delays that by no
  /// more than this second.
  private static let flushesAtExit: Void = {
    atexit { standardErrorLines.flush(within: 1_000) }
  }()

  package func write(_ event: LogEvent) {
    let style = style.withLock { $0 }
    guard event.level >= style.threshold else { return }
    let line = style.form == .human ? humanLine(event) : jsonLine(event)
    output.withLock { $0(line + "\n") }
  }

  /// Adopts the style of another log; returns whether that changed anything.
  func adopt(_ other: any Log) -> Bool {
    guard let style = (other as? StreamLog)?.style.withLock({ $0 }) else { return false }
    return self.style.withLock { own in
      defer { own = style }
      return own != style
    }
  }

  private func humanLine(_ event: LogEvent) -> String {
    let time = now().text.drop { $0 != "T" }.dropFirst().prefix(8)
    var line = "\(time) "
    if event.level != .info { line += event.level.rawValue + ": " }
    line += Self.shown(event.message)
    for field in event.fields { line += " \(field.key)=\(Self.shown(field.value))" }
    return line
  }

  /// A text as the log shows it: without control characters, and cut where only a peer's text is so
  /// long.
  private static func shown(_ text: String) -> String {
    let scalars = text.unicodeScalars
    let cut = scalars.prefix(maximumLength)
    guard cut.endIndex < scalars.endIndex else { return PlainText.escaping(text) }
    return PlainText.escaping(String(cut)) + "…"
  }

  /// The maximum length of one text in Unicode scalars; the longest path that a system takes fits.
  private static let maximumLength = 4_096

  private func jsonLine(_ event: LogEvent) -> String {
    var object = JSON.Object()
    object["time"] = .string(now().text)
    object["level"] = .string(event.level.rawValue)
    object["event"] = .string(event.name)
    object["message"] = .string(Self.shown(event.message))
    for field in event.fields where object[field.key] == nil {
      object[field.key] = .string(Self.shown(field.value))
    }
    return JSON.object(object).description
  }
}
