import JSONCore

/// The keys that a Codable type declares.
struct SchemaKeys<Key: CodingKey> {
  /// A key, and the name of its case in source.
  struct Entry {
    var name: String
    var key: Key
  }

  /// The keys in the order of the source.
  let entries: [Entry]

  /// Finds the keys of an enum, the usual type of keys; `nil` for other types.
  init?(_ type: Key.Type) {
    guard let cases = TypeMetadata.cases(of: type), !cases.isEmpty,
      let values = EnumValues.all(type, count: cases.count),
      cases.allSatisfy({ !$0.hasType })
    else { return nil }
    entries = zip(cases, values).map { Entry(name: $0.name, key: $1) }
  }
}

/// The values of enums without payloads.
enum EnumValues {
  /// All values of an enum whose `count` cases have no payload, in the order of the source; `nil` if it
  /// does not have Swift's layout of such enums.
  ///
  /// Safe: Swift stores an enum without payloads as the number of its case in the fewest bytes that
  /// fit, or in no bytes if it has one case. The size is checked, and every number is less than
  /// `count`. Enums imported from C have the size of their raw type, which is larger. The caller has
  /// checked that no case has a payload.
  static func all<Value>(_ type: Value.Type, count: Int) -> [Value]? {
    // Safe: the size matches, and every number is less than `count`.
    switch (MemoryLayout<Value>.size, count) {
    case (0, 1):
      return [unsafeBitCast((), to: Value.self)]
    case (1, 2...256):
      return (0..<count).map { unsafeBitCast(UInt8($0), to: Value.self) }
    case (2, 257...65_536):
      return (0..<count).map { unsafeBitCast(UInt16($0), to: Value.self) }
    default:
      return nil
    }
  }
}
