public import JSONCore

/// Why a line is not a valid entry, and where.
public struct EntryError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason

  /// The invalid key, if any.
  public var key: String?

  /// The seq of the entry, if it could be read.
  public var seq: Int64?

  /// The byte offset of the error in the line.
  public var offset: Int

  /// Creates an error at a byte of a line.
  public init(_ reason: Reason, key: String? = nil, seq: Int64? = nil, at offset: Int) {
    self.reason = reason
    self.key = key
    self.seq = seq
    self.offset = offset
  }

  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The line is not JSON.
    case json(JSONError.Reason)
    /// The line is JSON, but not an object.
    case notAnObject
    /// There is a line feed or a carriage return between the values; an entry is one line.
    case lineBreak
    /// The line has 4 GiB or more.
    case tooLong
    /// The key is missing.
    case missing
    /// The value has the wrong type.
    case expected(String)
    /// The patch has an operation other than `add`, `remove`, and `replace`.
    case operation(String)
    /// The key requires another one.
    case needs(String)
    /// The key excludes another one.
    case excludes(String)
    /// Entry 0 may not have the key.
    case notInEntryZero
    /// The cause is not an earlier entry.
    case causeNotEarlier
    /// The number of lost entries exceeds the numbers before this one.
    case lostTooMany
  }
}

extension EntryError: CustomStringConvertible {
  /// A sentence with the entry, the key, and the byte.
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
    case .needs(let other): "\(key) requires '\(other)'"
    case .excludes(let other): "\(key) excludes '\(other)'"
    case .notInEntryZero: "entry 0 may not have \(key)"
    case .causeNotEarlier: "\(key) must be an earlier entry"
    case .lostTooMany: "\(key) says that more was lost than there are entries before this one"
    }
  }
}
