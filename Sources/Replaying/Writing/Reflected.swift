import JSONCore

/// A value that is not Codable, written as what reflection shows of it.
///
/// It can be looked at, searched and compared; nobody can make the value of it again.
///
/// ```swift
/// struct Point { var x = 1; var y = 2 }
/// let bytes = try CanonicalEncoder().encode(Reflected(Point()))
/// assert(String(decoding: bytes, as: UTF8.self) == #"{"x":1,"y":2}"#)
/// ```
///
/// Parts that are Encodable are written as they encode themselves, or reflected when that fails.
/// Computed properties are not asked, lazy ones not made. An object that holds itself is
/// `{"$cycle":"Node"}` where it comes again; what exceeds ``ReflectionLimits`` is cut, and says so.
public struct Reflected<Value>: Encodable {
  /// The value.
  public let value: Value
  private let limits: ReflectionLimits

  /// Wraps a value.
  public init(_ value: Value, limits: ReflectionLimits = ReflectionLimits()) {
    self.value = value
    self.limits = limits
  }

  /// Encodes what reflection shows.
  public func encode(to encoder: any Encoder) throws {
    var walk = ReflectionWalk(limits)
    try RecordedJSON(walk.root(value)).encode(to: encoder)
  }
}

/// How much of a value reflection shows.
///
/// ```swift
/// var limits = ReflectionLimits()
/// limits.values = 3
/// let bytes = try CanonicalEncoder().encode(Reflected([1, 2, 3, 4], limits: limits))
/// assert(String(decoding: bytes, as: UTF8.self) == #"[1,2,"… 2 more"]"#)
/// ```
public struct ReflectionLimits: Hashable, Sendable {
  /// How deep parts of parts are followed: deeper than any state one looks at. Default: 24.
  public var depth = 24

  /// How many values are shown: more than anyone reads; reflecting one takes about a microsecond.
  /// Default: 20,000.
  public var values = 20_000

  /// The bytes of one text. Default: 64 KiB.
  public var textBytes = 64 << 10

  /// The bytes of all texts. Default: 4 MiB, a quarter of what a message may have.
  public var allTextBytes = 4 << 20

  /// The default limits.
  public init() {}
}

extension Encodable {
  /// Encodes through a container, so that the encoder's own form of dictionaries, dates and the like
  /// holds.
  func encodeWhole(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(self)
  }
}
