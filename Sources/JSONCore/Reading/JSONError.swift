/// Why a text is not the JSON that was asked for, and where.
public struct JSONError: Error, Hashable, Sendable {
  /// What is wrong.
  public var reason: Reason

  /// The byte at which it is wrong, counted from the start of the text.
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
    /// A byte that may not stand here; `expected` says what may.
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
    /// Half of a surrogate pair, which stands for no character.
    case loneSurrogate
    /// Bytes that are not UTF-8.
    case utf8
    /// A second member with the same key.
    case duplicateKey(String)
    /// More arrays and objects inside one another than allowed.
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
      "unexpected \(Self.show(byte)), where \(expected) should stand"
    case .trailing: "more text follows the value"
    case .literal: "a word that is not true, false or null"
    case .number: "not a number as JSON writes it"
    case .numberTooLong(let limit): "a number of more than \(limit) bytes"
    case .exponentTooLarge: "a number with an exponent beyond a billion"
    case .controlCharacter(let byte): "control character \(Self.show(byte)) in a string"
    case .escape: "an escape that JSON does not have"
    case .loneSurrogate: "half of a surrogate pair"
    case .utf8: "bytes that are not UTF-8"
    case .duplicateKey(let key): "the key \(key.debugDescription) a second time"
    case .tooDeep(let limit): "more than \(limit) arrays and objects inside one another"
    case .tooLong(let limit): "a text of more than \(limit) bytes"
    }
  }

  private static func show(_ byte: UInt8) -> String {
    (0x21...0x7E).contains(byte)
      ? "'\(Character(Unicode.Scalar(byte)))'" : "byte 0x\(String(byte, radix: 16))"
  }
}
