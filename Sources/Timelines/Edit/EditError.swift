public import JSONCore

/// Why a script is none, or cannot be carried out on a timeline; then nothing is.
public struct EditError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason

  /// The place of the edit in the script; `nil` when it is not about one.
  public var index: Int?

  /// An error in an edit.
  public init(_ reason: Reason, index: Int? = nil) {
    self.reason = reason
    self.index = index
  }

  /// What can be wrong with a script.
  public enum Reason: Error, Hashable, Sendable {
    /// The script is not JSON.
    case json(JSONError)
    /// The script is not an array.
    case notAnArray
    /// An edit is not an object.
    case notAnObject
    /// An edit has none of the words that say what it does.
    case noWord
    /// An edit has several of the words that say what it does.
    case severalWords([String])
    /// An edit lacks this key.
    case missing(String)
    /// The value of this key is not what it holds.
    case expected(String, String)
    /// The timeline has no entries.
    case emptyTimeline
    /// `through` is no entry of the timeline.
    case throughDoesNotExist(Int64)
    /// The seq is no entry of the timeline up to `through`.
    case doesNotExist(Int64)
    /// An earlier edit removed the entry.
    case removed(Int64)
    /// The entry is the one that the timeline begins with, which has no event.
    case isStart(Int64)
    /// The entry takes its state as given, and stays where it is.
    case isFixedPoint(Int64)
    /// The branch would have entries beyond the last seq there is.
    case tooMany
  }
}

extension EditError: CustomStringConvertible {
  /// A sentence with the edit's place.
  public var description: String {
    index.map { "edit \($0): \(reason)" } ?? "\(reason)"
  }
}

extension EditError.Reason: CustomStringConvertible {
  /// A sentence without the place.
  public var description: String {
    switch self {
    case .json(let error): "the script is not JSON: \(error)"
    case .notAnArray: "an edit script is an array of edits"
    case .notAnObject: "an edit is an object"
    case .noWord: "an edit has one of drop, replace, insert, move, append, cut and start"
    case .severalWords(let words):
      "an edit does one thing, and this one has \(words.joined(separator: " and "))"
    case .missing(let key): "'\(key)' is missing"
    case .expected(let key, let expected): "'\(key)' must be \(expected)"
    case .emptyTimeline: "the timeline has no entries"
    case .throughDoesNotExist(let seq): "the timeline has no entry \(seq) to go through"
    case .doesNotExist(let seq): "there is no entry \(seq)"
    case .removed(let seq): "entry \(seq) was removed by an earlier edit"
    case .isStart(let seq):
      """
      the timeline begins with entry \(seq), which has no event and nothing before it; to fix, \
      change what it begins with by 'start'
      """
    case .isFixedPoint(let seq):
      "entry \(seq) took its state as given, so that there is no event to change"
    case .tooMany: "the branch would have more entries than there are numbers"
    }
  }
}
