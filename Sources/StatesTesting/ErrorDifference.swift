internal import JSONCore
internal import Timelines

/// What went wrong with an event, against what went wrong when it was recorded.
enum ErrorDifference {
  /// What differs, in lines; none where it is the same.
  static func lines(from recorded: String?, to found: String?) -> [String] {
    switch (recorded, found) {
    case (nil, nil): []
    case (nil, let found?): ["It goes wrong: \(shortened(found))"]
    case (let recorded?, nil):
      [
        "It went wrong when it was recorded, and does not now"
          + (recorded.isEmpty ? "." : ": \(shortened(recorded))")
      ]
    case (let recorded?, let found?):
      recorded == found
        ? []
        : ["It goes wrong in another way: expected \(shortened(recorded)), got \(shortened(found))"]
    }
  }

  /// What differs from an entry; of words that were redacted it is known only that there were some.
  static func lines(from entry: Entry, to found: String?) -> [String] {
    let isHidden = entry.redacted.contains { $0.pointer.tokens.first == "error" }
    if isHidden, entry.error != nil, found != nil { return [] }
    return lines(from: entry.error, to: found)
  }
}
