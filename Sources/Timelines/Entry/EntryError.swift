public import JSONCore

/// Why a line is not an entry, with the place.
public struct EntryError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason

  /// The key that is wrong, when it is one.
  public var key: String?

  /// The seq of the entry, when it could be read.
  public var seq: Int64?

  /// The byte at which it is wrong, counted from the start of the line.
  public var offset: Int

  /// An error at a byte of a line.
  public init(_ reason: Reason, key: String? = nil, seq: Int64? = nil, at offset: Int) {
    self.reason = reason
    self.key = key
    self.seq = seq
    self.offset = offset
  }

  /// What can be wrong with an entry.
  public enum Reason: Hashable, Sendable {
    /// The line is not JSON.
    case json(JSONError.Reason)
    /// The line is JSON, but no object.
    case notAnObject
    /// A line feed or carriage return stands between the values: an entry is one line.
    case lineBreak
    /// The line has 4 GiB or more.
    case tooLong
    /// The key is missing.
    case missing
    /// The value is not what the key holds.
    case expected(String)
    /// The patch has an operation other than `add`, `remove` and `replace`.
    case operation(String)
    /// The key may stand only beside another one.
    case needs(String)
    /// The key may not stand beside another one.
    case excludes(String)
    /// Entry 0 may not have the key.
    case notInEntryZero
    /// The cause is not an earlier entry.
    case causeNotEarlier
    /// More entries are said to be lost than there are numbers before this one.
    case lostTooMany
  }
}

extension EntryError: CustomStringConvertible {
  /// A sentence with the entry, the key and the byte.
  public var description: String {
    let entry = seq.map { "entry \($0)" } ?? "an entry"
    return "\(entry): \(what) (byte \(offset))"
  }

  private var what: String {
    let key = key.map { "'\($0)'" } ?? "the line"
    return switch reason {
    case .json(let reason): "not JSON: \(reason)"
    case .notAnObject: "the line is not an object"
    case .lineBreak: "an entry is one line, and this one has a line break between its values"
    case .tooLong: "the line has 4 GiB or more"
    case .missing: "\(key) is missing"
    case .expected(let expected): "\(key) must be \(expected)"
    case .operation(let name):
      "\(key) has the operation \(name.debugDescription); an entry has add, remove and replace"
    case .needs(let other): "\(key) may stand only beside '\(other)'"
    case .excludes(let other): "\(key) may not stand beside '\(other)'"
    case .notInEntryZero: "entry 0 may not have \(key)"
    case .causeNotEarlier: "\(key) must be an earlier entry"
    case .lostTooMany: "\(key) says that more was lost than there are entries before this one"
    }
  }
}
