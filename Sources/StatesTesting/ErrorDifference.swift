internal import JSONCore
internal import Timelines

/// Compares the error of an event with its recorded error.
enum ErrorDifference {
  /// The lines that describe the difference; empty if there is none.
  static func lines(from recorded: String?, to found: String?) -> [String] {
    switch (recorded, found) {
    case (nil, nil): []
    case (nil, let found?): ["The event fails: \(shortened(found))"]
    case (let recorded?, nil):
      [
        "The event failed when it was recorded, but not now"
          + (recorded.isEmpty ? "." : ": \(shortened(recorded))")
      ]
    case (let recorded?, let found?):
      recorded == found
        ? []
        : [
          "The event fails in another way: expected \(shortened(recorded)), got \(shortened(found))"
        ]
    }
  }

  /// The lines that describe the difference from an entry. A redacted error only proves that there
  /// was one.
  static func lines(from entry: Entry, to found: String?) -> [String] {
    let isHidden = entry.redacted.contains { $0.pointer.tokens.first == "error" }
    if isHidden, entry.error != nil, found != nil { return [] }
    return lines(from: entry.error, to: found)
  }
}
