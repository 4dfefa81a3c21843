/// A JSON value, with 64-bit integers kept exact.
///
/// Two values are equal if they mean the same: the order of an object's members is ignored, numbers
/// compare by their decimal value, strings by their bytes. It does not use Swift's own string
/// comparison, because that treats `"é"` and its decomposed form as equal, and a debugger must see
/// the difference.
///
/// ```swift
/// let state: JSON = ["isHeads": true, "flips": 3]
/// assert(state["flips"] == 3)
/// ```
public enum JSON: Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number, exact.
  case number(Number)
  /// A string.
  case string(String)
  /// An array.
  case array([JSON])
  /// An object.
  case object(Object)
}

extension JSON {
  /// Reads a text that contains exactly one value.
  ///
  /// A text that two readers could interpret differently is refused: duplicate keys and unpaired
  /// surrogates are errors, as is everything that RFC 8259 does not allow.
  public init(
    parsing bytes: [UInt8], limits: JSONLimits = .standard
  ) throws(JSONError) {
    self = try JSONSlice(validating: bytes, limits: limits).value
  }

  /// Reads a text that holds one value.
  public init(parsing text: String, limits: JSONLimits = .standard) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), limits: limits)
  }

  /// The member of an object with that key, or `nil` if it does not exist.
  public subscript(key: String) -> JSON? {
    guard case .object(let object) = self else { return nil }
    return object[key]
  }

  /// The element of an array at that index, or `nil` if it does not exist.
  public subscript(index: Int) -> JSON? {
    guard case .array(let array) = self, array.indices.contains(index) else { return nil }
    return array[index]
  }

  /// The string, if it is one.
  public var string: String? {
    guard case .string(let string) = self else { return nil }
    return string
  }

  /// The integer, if it is a number that fits a 64-bit integer.
  public var int: Int64? {
    guard case .number(let number) = self else { return nil }
    return number.int
  }

  /// The nearest double, if it is a number; infinite if the number is too large.
  public var double: Double? {
    guard case .number(let number) = self else { return nil }
    return number.double
  }

  /// The Boolean, if it is one.
  public var bool: Bool? {
    guard case .bool(let bool) = self else { return nil }
    return bool
  }

  /// The elements, if it is an array.
  public var array: [JSON]? {
    guard case .array(let array) = self else { return nil }
    return array
  }

  /// The members, if it is an object.
  public var object: Object? {
    guard case .object(let object) = self else { return nil }
    return object
  }

  /// Whether it is `null`.
  public var isNull: Bool {
    if case .null = self { true } else { false }
  }
}

extension JSON: Hashable {
  /// Whether both mean the same.
  public static func == (left: JSON, right: JSON) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.number(let left), .number(let right)): left == right
    case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }

  /// Feeds the value, so that equal ones hash alike.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let bool): hasher.combine(bool)
    case .number(let number): hasher.combine(number)
    case .string(let string): string.hashBytes(into: &hasher)
    case .array(let array): hasher.combine(array)
    case .object(let object): hasher.combine(object)
    }
  }
}

extension JSON: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
  /// A Boolean.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .number(Number(value)) }
  /// A string.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An array.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object; of two members with the same key, the later one counts.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    var object = Object()
    for (key, value) in elements { object[key] = value }
    self = .object(object)
  }
}
