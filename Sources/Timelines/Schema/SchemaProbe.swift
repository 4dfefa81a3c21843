/// A decoder that finds out how a type reads itself, and stops it at its first request for a value.
///
/// It never gives out a value that it made up: code that was written for real values might trap on
/// them. What a type asks for first tells enough, with the type's metadata, to know the rest.
final class SchemaProbe: Decoder {
  /// What was found out.
  enum Finding {
    /// It reads one value of that type, as if it stood in its place.
    case single(any Decodable.Type)
    /// It reads an array.
    case unkeyed
    /// It reads an object.
    case keyed(Keyed)
  }

  /// How an object is read.
  struct Keyed {
    /// The declared keys, with the names in the source; `nil` where any key may come.
    var keys: [(name: String, key: String)]?
    /// The first member asked for.
    var first: (key: String, type: any Decodable.Type)?
    /// The keys of the object inside the first member, when it asked for one.
    var nested: [(name: String, key: String)]?
    /// Whether it asked for an object inside the first member.
    var hasNested = false
  }

  /// Thrown to stop the type.
  struct Stop: Error {}

  /// What was found out so far.
  var finding: Finding?

  /// The key that the object is said to have, and no other.
  let only: String?

  private init(only: String?) {
    self.only = only
  }

  /// Lets the type read from an object with that one key, or from an empty one.
  static func finding(_ type: any Decodable.Type, only key: String? = nil) -> Finding? {
    let probe = SchemaProbe(only: key)
    _ = try? type.init(from: probe)
    return probe.finding
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    // A type that reads the same object in two ways is known by the first.
    if finding == nil {
      finding = .keyed(Keyed(keys: Self.names(type)))
    }
    return KeyedDecodingContainer(SchemaProbeObject<Key>(probe: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    if finding == nil { finding = .unkeyed }
    throw Stop()
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    SchemaProbeValue(probe: self)
  }

  /// The declared keys, with the names in the source.
  static func names<Key: CodingKey>(
    _ type: Key.Type
  ) -> [(name: String, key: String)]? {
    SchemaKeys(type)?.entries.map { ($0.name, $0.key.stringValue) }
  }

  /// Notes the first request that is made of the object.
  func note(_ change: (inout Keyed) -> Void) {
    guard case .keyed(var keyed) = finding, keyed.first == nil, !keyed.hasNested else { return }
    change(&keyed)
    finding = .keyed(keyed)
  }
}
