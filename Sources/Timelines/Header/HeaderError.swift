public import JSONCore

/// Why a text is not a valid header, and where.
public struct HeaderError: Error, Hashable, Sendable {
  /// The reason.
  public var reason: Reason

  /// The path of the invalid key: `machine.type`.
  public var key: String?

  /// The byte offset of the error in the text.
  public var offset: Int

  /// Creates an error at a byte.
  public init(_ reason: Reason, key: String? = nil, at offset: Int) {
    self.reason = reason
    self.key = key
    self.offset = offset
  }

  /// The reason of an error.
  public enum Reason: Hashable, Sendable {
    /// The text is not JSON.
    case json(JSONError.Reason)
    /// The text is JSON, but not an object.
    case notAnObject
    /// There is a line feed or a carriage return between the values; a header is one line.
    case lineBreak
    /// The key is missing.
    case missing
    /// The value has the wrong type.
    case expected(String)
    /// The timeline is a branch of itself.
    case ownParent
    /// The timeline has a newer format.
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
