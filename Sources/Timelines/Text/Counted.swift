/// Numbers with their nouns, for messages.
package enum Counted {
  /// `1 entry`, `7 entries`.
  package static func entries(_ count: some BinaryInteger) -> String {
    count == 1 ? "1 entry" : "\(count) entries"
  }

  /// `1 entry was`, `7 entries were`, to be followed by what happened to them.
  package static func entriesWere(_ count: some BinaryInteger) -> String {
    "\(entries(count)) \(count == 1 ? "was" : "were")"
  }
}
