/// Decodes a list of strings and numbers that are written as strings: data as simple as it gets.
struct ListDecoder: Decoder {
  let codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]
  private let values: [String]

  init(_ values: [String]) { self.values = values }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { List(values: values) }

  func container<Key>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw Misfit.notAList
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    throw Misfit.notAList
  }

  private enum Misfit: Error { case notAList, atEnd, notOfType }

  private struct List: UnkeyedDecodingContainer {
    let values: [String]
    var codingPath: [any CodingKey] { [] }
    var count: Int? { values.count }
    var isAtEnd: Bool { currentIndex == values.count }
    var currentIndex = 0

    mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
      guard !isAtEnd else { throw Misfit.atEnd }
      defer { currentIndex += 1 }
      let value = values[currentIndex]
      if let text = value as? T { return text }
      if let number = Double(value) as? T { return number }
      throw Misfit.notOfType
    }

    mutating func decodeNil() throws -> Bool { false }
    mutating func nestedContainer<Key>(
      keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> { throw Misfit.notOfType }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      throw Misfit.notOfType
    }
    mutating func superDecoder() throws -> any Decoder { throw Misfit.notOfType }
  }
}
