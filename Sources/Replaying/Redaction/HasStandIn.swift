/// A type with a value that can replace a secret in recordings.
///
/// Strings, numbers, Booleans, optionals, the standard collections, dates, data, and URLs conform.
/// For your own types, choose a value that reveals nothing and can be decoded:
///
/// ```swift
/// enum Role: String, Codable, HasStandIn {
///   case guest, member, admin
///   static var standIn: Role { .guest }
/// }
/// assert(Role.standIn == .guest)
/// ```
public protocol HasStandIn {
  /// The value that replaces secrets.
  static var standIn: Self { get }

  /// A value with another encoding than the stand-in, if there is one. It reveals the path of a
  /// property whose value equals the stand-in (default: none).
  static var otherThanStandIn: Self? { get }
}

extension HasStandIn {
  /// No value.
  public static var otherThanStandIn: Self? { nil }
}

extension String: HasStandIn {
  /// The empty string.
  public static var standIn: String { "" }
  /// A string that is not empty.
  public static var otherThanStandIn: String? { "?" }
}

extension Bool: HasStandIn {
  /// False.
  public static var standIn: Bool { false }
  /// True.
  public static var otherThanStandIn: Bool? { true }
}

extension FixedWidthInteger where Self: HasStandIn {
  /// Zero.
  public static var standIn: Self { 0 }
  /// One.
  public static var otherThanStandIn: Self? { 1 }
}

extension Int: HasStandIn {}
extension Int8: HasStandIn {}
extension Int16: HasStandIn {}
extension Int32: HasStandIn {}
extension Int64: HasStandIn {}
extension UInt: HasStandIn {}
extension UInt8: HasStandIn {}
extension UInt16: HasStandIn {}
extension UInt32: HasStandIn {}
extension UInt64: HasStandIn {}

extension BinaryFloatingPoint where Self: HasStandIn {
  /// Zero.
  public static var standIn: Self { 0 }
  /// One.
  public static var otherThanStandIn: Self? { 1 }
}

extension Double: HasStandIn {}
extension Float: HasStandIn {}

extension Optional: HasStandIn {
  /// Nil.
  public static var standIn: Wrapped? { nil }
  /// The stand-in of the wrapped type, if it has one.
  public static var otherThanStandIn: Wrapped?? {
    guard let type = Wrapped.self as? any HasStandIn.Type else { return nil }
    return type.standIn as? Wrapped
  }
}

extension Array: HasStandIn {
  /// The empty array.
  public static var standIn: [Element] { [] }
  /// An array with one stand-in, if the elements have one.
  public static var otherThanStandIn: [Element]? {
    guard let type = Element.self as? any HasStandIn.Type else { return nil }
    return (type.standIn as? Element).map { [$0] }
  }
}

extension Set: HasStandIn {
  /// The empty set.
  public static var standIn: Set<Element> { [] }
  /// A set with one stand-in, if the elements have one.
  public static var otherThanStandIn: Set<Element>? {
    guard let type = Element.self as? any HasStandIn.Type else { return nil }
    return (type.standIn as? Element).map { [$0] }
  }
}

extension Dictionary: HasStandIn {
  /// The empty dictionary.
  public static var standIn: [Key: Value] { [:] }
  /// A dictionary with one pair of stand-ins, if keys and values have one.
  public static var otherThanStandIn: [Key: Value]? {
    guard let keys = Key.self as? any HasStandIn.Type,
      let values = Value.self as? any HasStandIn.Type,
      let key = keys.standIn as? Key, let value = values.standIn as? Value
    else { return nil }
    return [key: value]
  }
}
