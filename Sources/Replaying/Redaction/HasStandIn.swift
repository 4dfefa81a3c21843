/// A type that has a value which can stand in a recording for one that must not be seen.
///
/// Strings, numbers, Booleans, optionals, the standard collections, dates, data and URLs have one.
/// A type of one's own says which of its values tells nothing, and can still be decoded:
///
/// ```swift
/// enum Role: String, Codable, HasStandIn {
///   case guest, member, admin
///   static var standIn: Role { .guest }
/// }
/// assert(Role.standIn == .guest)
/// ```
public protocol HasStandIn {
  /// The value that stands for any other one.
  static var standIn: Self { get }

  /// A value that is encoded differently, when there is one: it shows where a property appears in a
  /// state, also while the property has the value of the stand-in. Default: none.
  static var otherThanStandIn: Self? { get }
}

extension HasStandIn {
  /// None.
  public static var otherThanStandIn: Self? { nil }
}

extension String: HasStandIn {
  /// The empty string.
  public static var standIn: String { "" }
  /// One that is not empty.
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
  /// The stand-in of what is wrapped, when it has one.
  public static var otherThanStandIn: Wrapped?? {
    guard let type = Wrapped.self as? any HasStandIn.Type else { return nil }
    return type.standIn as? Wrapped
  }
}

extension Array: HasStandIn {
  /// The empty array.
  public static var standIn: [Element] { [] }
  /// An array of one stand-in, when the elements have one.
  public static var otherThanStandIn: [Element]? {
    guard let type = Element.self as? any HasStandIn.Type else { return nil }
    return (type.standIn as? Element).map { [$0] }
  }
}

extension Set: HasStandIn {
  /// The empty set.
  public static var standIn: Set<Element> { [] }
  /// A set of one stand-in, when the elements have one.
  public static var otherThanStandIn: Set<Element>? {
    guard let type = Element.self as? any HasStandIn.Type else { return nil }
    return (type.standIn as? Element).map { [$0] }
  }
}

extension Dictionary: HasStandIn {
  /// The empty dictionary.
  public static var standIn: [Key: Value] { [:] }
  /// A dictionary of one pair of stand-ins, when keys and values have one.
  public static var otherThanStandIn: [Key: Value]? {
    guard let keys = Key.self as? any HasStandIn.Type,
      let values = Value.self as? any HasStandIn.Type,
      let key = keys.standIn as? Key, let value = values.standIn as? Value
    else { return nil }
    return [key: value]
  }
}
