import JSONCore

/// A value that is not Codable, encoded by reflection.
///
/// It can be viewed, searched, and compared, but not decoded.
///
/// ```swift
/// struct Point { var x = 1; var y = 2 }
/// let bytes = try CanonicalEncoder().encode(Reflected(Point()))
/// assert(String(decoding: bytes, as: UTF8.self) == #"{"x":1,"y":2}"#)
/// ```
///
/// Encodable parts encode themselves, or are reflected if that fails. Computed and uninitialized
/// lazy properties are not evaluated. A reference cycle is `{"$cycle":"Node"}`. Values that exceed
/// ``ReflectionLimits`` are truncated, and marked as such.
public struct Reflected<Value>: Encodable {
  /// The value.
  public let value: Value
  private let limits: ReflectionLimits

  /// Wraps a value.
  public init(_ value: Value, limits: ReflectionLimits = ReflectionLimits()) {
    self.value = value
    self.limits = limits
  }

  /// Encodes the value by reflection.
  public func encode(to encoder: any Encoder) throws {
    let reveals = encoder.userInfo[.revealsRedacted] as? Bool == true
    var walk = ReflectionWalk(limits, revealingRedacted: reveals)
    try RecordedJSON(walk.root(value)).encode(to: encoder)
  }
}

/// The limits of reflection.
///
/// ```swift
/// var limits = ReflectionLimits()
/// limits.values = 3
/// let bytes = try CanonicalEncoder().encode(Reflected([1, 2, 3, 4], limits: limits))
/// assert(String(decoding: bytes, as: UTF8.self) == #"[1,2,"… 2 more"]"#)
/// ```
public struct ReflectionLimits: Hashable, Sendable {
  /// The maximum nesting, deeper than useful states (default: 24).
  public var depth = 24

  /// The maximum number of values, more than anyone reads. Each takes about a microsecond (default:
  /// 20,000).
  public var values = 20_000

  /// The maximum bytes of one text (default: 64 KiB).
  public var textBytes = 64 << 10

  /// The maximum bytes of all texts (default: 4 MiB, a quarter of a message's limit).
  public var allTextBytes = 4 << 20

  /// The default limits.
  public init() {}
}

extension Encodable {
  /// Encodes through a container, so that the encoder's strategies for dictionaries, dates, and so on
  /// apply.
  func encodeWhole(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}
