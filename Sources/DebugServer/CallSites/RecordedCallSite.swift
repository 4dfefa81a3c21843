/// The file and line of a recorded call site.
package struct RecordedCallSite: Equatable, Sendable {
  /// The file, as `#fileID` names it.
  package let file: String
  /// The line, from 1.
  package let line: Int

  /// Reads `Module/File.swift:12`; `nil` if it has no line.
  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":"), let line = Int(text[text.index(after: colon)...]),
      line > 0, colon > text.startIndex
    else { return nil }
    file = String(text[..<colon])
    self.line = line
  }
}
