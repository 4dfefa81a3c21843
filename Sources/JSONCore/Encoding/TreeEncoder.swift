/// The encoder that values receive when they are encoded as a tree: one place in it.
struct TreeEncoder: Encoder {
  let place: EncodingTree

  var codingPath: [any CodingKey] { place.codingPath }
  var userInfo: [CodingUserInfoKey: Any] { place.run.engine.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    place.becomeObject()
    return KeyedEncodingContainer(TreeKeyedContainer<Key>(place: place))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    place.becomeArray()
    return TreeUnkeyedContainer(place: place)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    TreeSingleValueContainer(place: place)
  }
}

/// Members of a place. The requirements for scalars are met by the general function.
struct TreeKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: EncodingTree

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil(forKey key: Key) throws {
    try encode(Int?.none, forKey: key)
  }

  func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try put(value, key) }

  // The standard library's default implementations of these throw.
  func encode(_ value: Int128, forKey key: Key) throws { try put(value, key) }
  func encode(_ value: UInt128, forKey key: Key) throws { try put(value, key) }

  private func put(_ value: some Encodable, _ key: Key) throws {
    place.setMember(key.stringValue, try place.encoded(value, key))
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    TreeEncoder(place: place.member(key)).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    TreeEncoder(place: place.member(key)).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    TreeEncoder(place: place.replaceMember(NameKey.parent))
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    TreeEncoder(place: place.replaceMember(key))
  }
}

/// Elements of a place. The requirements for scalars are met by the general function.
struct TreeUnkeyedContainer: UnkeyedEncodingContainer {
  let place: EncodingTree

  var codingPath: [any CodingKey] { place.codingPath }
  var count: Int { place.count }

  func encodeNil() throws {
    try encode(Int?.none)
  }

  func encode<Value: Encodable>(_ value: Value) throws { try put(value) }
  func encode(_ value: Int128) throws { try put(value) }
  func encode(_ value: UInt128) throws { try put(value) }

  private func put(_ value: some Encodable) throws {
    let encoded = try place.encoded(value, IndexKey(place.count))
    place.element().content = encoded.content
  }

  func nestedContainer<NestedKey: CodingKey>(
    keyedBy keyType: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    TreeEncoder(place: place.element()).container(keyedBy: keyType)
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    TreeEncoder(place: place.element()).unkeyedContainer()
  }

  func superEncoder() -> any Encoder {
    TreeEncoder(place: place.element())
  }
}

/// The one value of a place. The requirements for scalars are met by the general function.
struct TreeSingleValueContainer: SingleValueEncodingContainer {
  let place: EncodingTree

  var codingPath: [any CodingKey] { place.codingPath }

  func encodeNil() throws {
    try encode(Int?.none)
  }

  func encode<Value: Encodable>(_ value: Value) throws { try put(value) }
  func encode(_ value: Int128) throws { try put(value) }
  func encode(_ value: UInt128) throws { try put(value) }

  private func put(_ value: some Encodable) throws {
    guard case .empty = place.content else {
      throw place.error("The value encodes more than one value in one place.")
    }
    _ = try place.encoded(value, nil)
  }
}
