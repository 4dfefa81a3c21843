/// A decoder that finds out how a type decodes itself, and stops it at its first request for a value.
///
/// It never returns made-up values, because a type's code might trap on them. The first request and
/// the type's metadata are enough to know the rest.
final class SchemaProbe: Decoder {
  enum Finding {
    /// The type decodes a single value of another type.
    case single(any Decodable.Type)
    /// The type decodes an array.
    case unkeyed
    /// The type decodes an object.
    case keyed(Keyed)
  }

  /// How an object is decoded.
  struct Keyed {
    /// The declared keys, with their names in source; `nil` for arbitrary keys.
    var keys: [(name: String, key: String)]?
    /// The first requested member.
    var first: (key: String, type: any Decodable.Type)?
    /// The keys of the nested object in the first member, if it was requested.
    var nested: [(name: String, key: String)]?
    /// Whether a nested object in the first member was requested.
    var hasNested = false
  }

  /// Thrown to stop the type.
  struct Stop: Error {}

  var finding: Finding?

  /// The only key of the simulated object.
  let only: String?

  private init(only: String?) {
    self.only = only
  }

  /// Lets the type decode an object with this key, or an empty one.
  static func finding(_ type: any Decodable.Type, only key: String? = nil) -> Finding? {
    let probe = SchemaProbe(only: key)
    _ = try? type.init(from: probe)
    return probe.finding
  }

  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    // If a type decodes the same object in two ways, the first one counts.
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

  /// The declared keys, with their names in source.
  static func names<Key: CodingKey>(
    _ type: Key.Type
  ) -> [(name: String, key: String)]? {
    SchemaKeys(type)?.entries.map { ($0.name, $0.key.stringValue) }
  }

  /// Records the first request to the object.
  func record(_ change: (inout Keyed) -> Void) {
    guard case .keyed(var keyed) = finding, keyed.first == nil, !keyed.hasNested else { return }
    change(&keyed)
    finding = .keyed(keyed)
  }
}
