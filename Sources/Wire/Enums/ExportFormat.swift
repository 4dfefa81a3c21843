/// The format of an export.
package enum ExportFormat: String, MessageWord {
  /// A `.timeline` file.
  case timeline
  /// The stored lines without the header.
  case jsonLines = "json-lines"
  /// One row for each entry, one column for each path.
  case csv
  /// The lifted state of Redux DevTools.
  case redux
  /// A Swift Testing test.
  case swiftTesting = "swift-testing"
  /// An XCTest case.
  case xctest
  /// A Quick spec.
  case quick
  /// A JSON fixture with a test of one line.
  case fixture = "json"
  /// The inspector's page with the timeline, in one file.
  case html
}
