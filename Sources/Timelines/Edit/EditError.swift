public import JSONCore

/// Why a script is invalid, or cannot be applied to a timeline. A script is applied as a whole or not
/// at all.
public struct EditError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason

  /// The index of the edit in the script; `nil` if the error does not belong to one.
  public var index: Int?

  /// Creates an error.
  public init(_ reason: Reason, index: Int? = nil) {
    self.reason = reason
    self.index = index
  }

  /// The reason of an error.
  public enum Reason: Error, Hashable, Sendable {
    /// The script is not JSON.
    case json(JSONError)
    /// The script is not an array.
    case notAnArray
    /// An edit is not an object.
    case notAnObject
    /// An edit does not have the key of an action.
    case noWord
    /// An edit has the keys of several actions.
    case severalWords([String])
    /// An edit does not have this key.
    case missing(String)
    /// The value of this key has the wrong type.
    case expected(String, String)
    /// The timeline has no entries.
    case emptyTimeline
    /// The timeline does not have the entry `through`.
    case throughDoesNotExist(Int64)
    /// The timeline does not have this entry before or at `through`.
    case doesNotExist(Int64)
    /// An earlier edit removed the entry.
    case removed(Int64)
    /// The entry is the timeline's first one, which has no event.
    case isStart(Int64)
    /// The entry's state came from outside, so it cannot be changed or moved.
    case isFixedPoint(Int64)
    /// The branch would have entries beyond the greatest seq.
    case tooMany
  }
}

extension EditError: CustomStringConvertible {
  /// A sentence with the edit's index.
  public var description: String {
    index.map { "edit \($0): \(reason)" } ?? "\(reason)"
  }
}

extension EditError.Reason: CustomStringConvertible {
  /// A sentence without the index.
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
      "entry \(seq) was given its state, so it has no event to change"
    case .tooMany: "the branch would have more entries than there are numbers"
    }
  }
}
