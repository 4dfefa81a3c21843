import Timelines
import Wire

/// The entries of the parent that the options of `fork` can name.
///
/// The daemon checks edits as well, but it numbers them; here each error names its option.
struct EditableEntries {
  /// What an edit does with an entry.
  enum Use {
    /// Replaces, moves, repeats, or removes its event.
    case event
    /// Puts something before it, or, with the number after the last entry, at the end.
    case place
    /// Takes the state after it, or ends the branch there.
    case state
  }

  private let first: Int64
  private let last: Int64

  /// The entries up to `through`; `nil` while they are not known.
  init?(_ summary: ToInspector.TimelineSummary, through: Int64?) {
    guard let first = summary.first, let last = summary.last, summary.computing == nil else {
      return nil
    }
    self.first = first
    self.last = min(last, through ?? last)
  }

  /// What is wrong with an entry that an option names; `nil` when nothing is.
  func problem(_ seq: Int64, _ use: Use) -> String? {
    let range: ClosedRange<Int64>
    switch use {
    case .event:
      if seq == first {
        return """
          entry \(seq) is the start, and has no event. To begin with another state, use \
          --start SEQ or --start-state JSON
          """
      }
      range = first...last
    case .state: range = first...last
    case .place:
      if seq == first { return "nothing can come before entry \(seq), which is the start" }
      range = first...last + 1
    }
    guard !range.contains(seq) else { return nil }
    let end = use == .place ? ", and \(last + 1) for the end" : ""
    return "there is no entry \(seq). Choose one from \(first) to \(last)\(end)"
  }
}
