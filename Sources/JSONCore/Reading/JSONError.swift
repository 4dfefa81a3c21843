/// Why a text is not valid JSON, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// The kind of error.
  public var reason: Reason

  /// The position of the error, in bytes from the start of the text.
  public var offset: Int

  /// An error at a byte.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What can be wrong with a text.
  public enum Reason: Hashable, Sendable {
    /// The text ends inside a value.
    case truncated
    /// An unexpected byte; `expected` says what may be here.
    case unexpected(UInt8, expected: String)
    /// Something follows the value.
    case trailing
    /// A literal other than `true`, `false` and `null`.
    case literal
    /// A number that breaks the grammar: a leading zero or plus, a bare point.
    case number
    /// A number longer than allowed.
    case numberTooLong(limit: Int)
    /// A number whose exponent is beyond a billion.
    case exponentTooLarge
    /// A control character inside a string; it must be escaped.
    case controlCharacter(UInt8)
    /// An escape that JSON does not have.
    case escape
    /// Half of a surrogate pair, which is not a character.
    case loneSurrogate
    /// Bytes that are not UTF-8.
    case utf8
    /// A second member with the same key.
    case duplicateKey(String)
    /// Arrays and objects are nested deeper than allowed.
    case tooDeep(limit: Int)
    /// A longer text than allowed.
    case tooLong(limit: Int)
  }
}

extension JSONError: CustomStringConvertible {
  /// A sentence with the place.
  public var description: String { "\(reason) at byte \(offset)" }
}

extension JSONError.Reason: CustomStringConvertible {
  /// A sentence without the place.
  public var description: String {
    switch self {
    case .truncated: "the text ends inside a value"
    case .unexpected(let byte, let expected):
      "unexpected \(Self.show(byte)); expected \(expected)"
    case .trailing: "more text follows the value"
    case .literal: "invalid literal; expected true, false, or null"
    case .number: "invalid number"
    case .numberTooLong(let limit): "a number has more than \(limit) bytes"
    case .exponentTooLarge: "a number has an exponent beyond a billion"
    case .controlCharacter(let byte): "control character \(Self.show(byte)) in a string"
    case .escape: "invalid escape"
    case .loneSurrogate: "unpaired surrogate"
    case .utf8: "invalid UTF-8"
    case .duplicateKey(let key): "duplicate key \(key.debugDescription)"
    case .tooDeep(let limit): "arrays and objects are nested more than \(limit) levels deep"
    case .tooLong(let limit): "the text has more than \(limit) bytes"
    }
  }

  private static func show(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
  }
}
