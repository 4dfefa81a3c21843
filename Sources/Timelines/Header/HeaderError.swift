public import JSONCore

/// Why a text is not a header, with the place.
public struct HeaderError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason

  /// The key that is wrong, with the keys of the objects around it: `machine.type`.
  public var key: String?

  /// The byte at which it is wrong, counted from the start of the text.
  public var offset: Int

  /// An error at a byte.
  public init(_ reason: Reason, key: String? = nil, at offset: Int) {
    self.reason = reason
    self.key = key
    self.offset = offset
  }

  /// What can be wrong with a header.
  public enum Reason: Hashable, Sendable {
    /// The text is not JSON.
    case json(JSONError.Reason)
    /// The text is JSON, but no object.
    case notAnObject
    /// A line feed or carriage return stands between the values: a header is one line.
    case lineBreak
    /// The key is missing.
    case missing
    /// The value is not what the key holds.
    case expected(String)
    /// The timeline is a branch of itself.
    case ownParent
    /// The timeline was written in a format that this build does not know yet.
    case newerFormat(Int64)
  }
}

extension HeaderError: CustomStringConvertible {
  /// A sentence with the key and the byte.
  public var description: String {
    let key = key.map { "'\($0)'" } ?? "the line"
    return switch reason {
    case .json(let reason): "the header is not JSON: \(reason) (byte \(offset))"
    case .notAnObject: "the header is not an object"
    case .lineBreak:
      "a header is one line, and this one has a line break between its values (byte \(offset))"
    case .missing: "the header lacks \(key)"
    case .expected(let expected): "in the header \(key) must be \(expected) (byte \(offset))"
    case .ownParent: "the header names its own timeline as the parent"
    case .newerFormat(let format):
      """
      the timeline has format \(format), and this build reads up to \(TimelineFormat.current); \
      to fix, use a newer version
      """
    }
  }
}
