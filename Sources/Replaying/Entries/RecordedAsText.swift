/// A value in an event or a state that cannot be encoded: a closure, an error, a reference.
///
/// It lets the rest of the type be Codable. The recording shows the value by reflection. An event
/// with such a value can be viewed, but a replay stops there and names the case.
///
/// ```swift
/// enum Action: Codable, Sendable {
///   case increased(by: Int)
///   case failed(RecordedAsText<any Error>)
/// }
/// struct Offline: Error {}
/// let action = Action.failed(RecordedAsText(Offline()))
/// ```
public struct RecordedAsText<Value> {
  /// The value.
  public var value: Value

  /// Wraps a value.
  public init(_ value: Value) {
    self.value = value
  }
}

extension RecordedAsText: Sendable where Value: Sendable {}
extension RecordedAsText: Equatable where Value: Equatable {}
extension RecordedAsText: Hashable where Value: Hashable {}

extension RecordedAsText: Codable {
  /// Always throws, because a value cannot be restored from its reflection.
  public init(from decoder: any Decoder) throws {
    throw DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: """
          \(Value.self) was recorded as text and cannot be read back. To fix, leave this event out \
          of the branch, or carry a Codable value in it
          """))
  }

  /// Writes the value by reflection.
  public func encode(to encoder: any Encoder) throws {
    try Reflected(value).encode(to: encoder)
  }
}
