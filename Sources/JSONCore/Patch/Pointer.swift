/// A path to a value inside a JSON value, as RFC 6901 writes it: `/favorites/0/on`.
///
/// ```swift
/// let state: JSON = ["favorites": [["on": true]]]
/// let path = try Pointer("/favorites/0/on")
/// assert(state[path] == true)
/// ```
public struct Pointer: Sendable {
  /// The keys and indices from the root on, their escapes resolved. Empty for the whole value.
  public var tokens: [String]

  /// The maximum number of tokens in a text: by default no value is nested deeper (``JSONLimits``),
  /// and resolving a path costs time for each token.
  public static let tokenLimit = 512

  /// The path of these tokens.
  public init(tokens: [String] = []) {
    self.tokens = tokens
  }

  /// Reads the text form: empty, or tokens that each follow a slash, with `~0` for `~` and `~1`
  /// for `/`.
  public init(_ text: String) throws(PointerError) {
    tokens = []
    guard let first = text.utf8.first else { return }
    guard first == UInt8(ascii: "/") else { throw PointerError(.noSlash, at: 0) }
    var token: [UInt8] = []
    var isEscape = false
    for (offset, byte) in text.utf8.enumerated().dropFirst() {
      switch byte {
      case UInt8(ascii: "0") where isEscape: token.append(UInt8(ascii: "~"))
      case UInt8(ascii: "1") where isEscape: token.append(UInt8(ascii: "/"))
      case _ where isEscape: throw PointerError(.escape, at: offset - 1)
      case UInt8(ascii: "~"):
        isEscape = true
        continue
      case UInt8(ascii: "/"):
        guard tokens.count < Self.tokenLimit - 1 else { throw PointerError(.tooLong, at: offset) }
        tokens.append(String(decoding: token, as: UTF8.self))
        token.removeAll(keepingCapacity: true)
      default: token.append(byte)
      }
      isEscape = false
    }
    guard !isEscape else { throw PointerError(.escape, at: text.utf8.count - 1) }
    tokens.append(String(decoding: token, as: UTF8.self))
  }

  /// The path to the whole value.
  public static let root = Pointer()

  /// Whether it is the path to the whole value.
  public var isRoot: Bool { tokens.isEmpty }

  /// The path one step further.
  public func appending(_ token: String) -> Pointer {
    Pointer(tokens: tokens + [token])
  }

  /// The path to the element of an array.
  public func appending(_ index: Int) -> Pointer {
    appending(String(index))
  }

  /// The path without its last step; the root's is the root.
  public var parent: Pointer { Pointer(tokens: Array(tokens.dropLast())) }

  /// Whether this path leads to the other's value or to something that holds it.
  public func isPrefix(of other: Pointer) -> Bool {
    tokens.count <= other.tokens.count
      && zip(tokens, other.tokens).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  /// The index that a token names: `0`, or digits that do not begin with a zero.
  public static func index(_ token: String) -> Int? {
    let digits = token.utf8
    guard let first = digits.first, digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }),
      first != UInt8(ascii: "0") || digits.count == 1
    else { return nil }
    return Int(token)
  }
}

extension Pointer: Hashable {
  /// Whether both are the same path, byte by byte.
  public static func == (left: Pointer, right: Pointer) -> Bool {
    left.tokens.count == right.tokens.count && left.isPrefix(of: right)
  }

  /// Feeds the bytes of the tokens.
  public func hash(into hasher: inout Hasher) {
    for token in tokens { token.hashBytes(into: &hasher) }
  }
}

extension Pointer: CustomStringConvertible {
  /// The text form.
  public var description: String {
    var text = ""
    for token in tokens {
      text += "/"
      for scalar in token.unicodeScalars {
        switch scalar {
        case "~": text += "~0"
        case "/": text += "~1"
        default: text.unicodeScalars.append(scalar)
        }
      }
    }
    return text
  }
}

/// Why a text is not a pointer, and where.
public struct PointerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What is wrong.
  public var reason: Reason

  /// The byte at which it is wrong.
  public var offset: Int

  /// An error at a byte.
  public init(_ reason: Reason, at offset: Int) {
    self.reason = reason
    self.offset = offset
  }

  /// What can be wrong with a pointer.
  public enum Reason: Hashable, Sendable {
    /// It is not empty and does not begin with a slash.
    case noSlash
    /// A `~` that neither `0` nor `1` follows.
    case escape
    /// More tokens than ``Pointer/tokenLimit``.
    case tooLong
  }

  /// A sentence with the place.
  public var description: String {
    switch reason {
    case .noSlash: "a pointer is empty or begins with '/' (byte \(offset))"
    case .escape: "in a pointer '~' is written '~0' and '/' is written '~1' (byte \(offset))"
    case .tooLong:
      "a pointer has at most \(Pointer.tokenLimit) steps; no value is nested deeper (byte \(offset))"
    }
  }
}

extension JSON {
  /// The value at the end of the path, or `nil` where it leads nowhere.
  public subscript(pointer: Pointer) -> JSON? {
    var value = self
    for token in pointer.tokens {
      guard let next = value[token: token] else { return nil }
      value = next
    }
    return value
  }

  /// The member or element that one token of a path names.
  subscript(token token: String) -> JSON? {
    switch self {
    case .object(let object): object[token]
    case .array: Pointer.index(token).flatMap { self[$0] }
    default: nil
    }
  }
}

extension JSONSlice {
  /// The value at the end of the path, or `nil` where it leads nowhere.
  public subscript(pointer: Pointer) -> JSONSlice? {
    var slice = self
    for token in pointer.tokens {
      let next: JSONSlice? =
        switch slice.kind {
        case .object: slice[token]
        case .array: Pointer.index(token).flatMap { slice[$0] }
        default: nil
        }
      guard let next else { return nil }
      slice = next
    }
    return slice
  }
}
