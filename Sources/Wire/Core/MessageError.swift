package import JSONCore
package import Predicates
import Timelines

/// Why a frame is not a valid message.
///
/// It does not end the connection: ``reply`` is the answer.
package struct MessageError: Error, Hashable, Sendable {
  package var reason: Reason

  /// The path of the invalid key: `edits[3].before`; empty for the whole message.
  package var path: String

  /// The ID of the request, if it could be read.
  package var request: RequestID?

  package init(_ reason: Reason, path: String = "", request: RequestID? = nil) {
    self.reason = reason
    self.path = path
    self.request = request
  }

  package enum Reason: Hashable, Sendable {
    /// The frame is not JSON.
    case malformed(JSONError)
    case tooLong(limit: Int)
    /// The direction has no message of this type.
    case unknownType(String)
    /// A required key is missing.
    case missing
    /// The value has another type than `expected`.
    case wrongType(expected: String, found: String)
    /// The value has the right type, but is invalid.
    case wrongValue(String)
    case wrongPredicate(PredicateError)
    /// The peer uses a newer major version.
    case newerVersion(ProtocolVersion)
  }

  static func wrongType(_ expected: String, _ slice: JSONSlice) -> MessageError {
    MessageError(.wrongType(expected: expected, found: slice.kindWithArticle))
  }

  /// The same error with an outer key added to its path.
  func inside(_ key: String) -> MessageError {
    var error = self
    let joint = path.isEmpty || path.hasPrefix("[") ? "" : "."
    error.path = key + joint + path
    return error
  }

  /// The answer to the frame. Long quotes are truncated.
  package var reply: ErrorReply {
    ErrorReply {
      $0.code = code
      $0.message = Self.cut(description)
      $0.path = path.isEmpty ? nil : Self.cut(path)
      if case .wrongPredicate(let error) = reason { $0.at = Int64(error.column) }
    }
  }

  /// No sentence of ours is longer, but a key that it quotes may be.
  package static func cut(_ sentence: String) -> String { sentence.cut(toScalars: 1_000) }

  private var code: ErrorCode {
    switch reason {
    case .malformed: .malformed
    case .tooLong: .limit
    case .unknownType: .unknownType
    case .missing: .missing
    case .wrongType: .wrongType
    case .wrongValue, .wrongPredicate: .wrongValue
    case .newerVersion: .version
    }
  }
}

extension MessageError: CustomStringConvertible {
  /// A sentence with the key.
  package var description: String {
    switch reason {
    case .malformed(let error): "The message is not JSON: \(error)."
    case .tooLong(let limit): "The message has more than \(limit) bytes."
    case .unknownType(let type): "There is no message of type '\(type)' in this direction."
    case .missing: "The key '\(path)' is missing."
    case .wrongType(let expected, let found):
      path.isEmpty
        ? "The message must be \(expected), not \(found)."
        : "The key '\(path)' must be \(expected), not \(found)."
    case .wrongValue(let sentence):
      "The key '\(path)' cannot be this: \(sentence)" + (sentence.hasSuffix("?") ? "" : ".")
    case .wrongPredicate(let error): "The key '\(path)' is not a predicate: \(error)."
    case .newerVersion(let version):
      "The other end speaks version \(version) of the protocol, this one \(ProtocolVersion.current). "
        + "To fix, update the older of the two."
    }
  }
}

extension JSONSlice {
  fileprivate var kindWithArticle: String {
    switch kind {
    case .null: "null"
    case .bool: "a Boolean"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}
