import JSONCore

/// Reads the keys of one object.
package struct MessageReader: MessageFields {
  /// The members, noted in one walk: entries may follow that are long to step over.
  private let members: [JSONSlice.Member]

  init(_ slice: JSONSlice) throws(MessageError) {
    guard slice.kind == .object else { throw .wrongType("an object", slice) }
    members = Array(slice.members)
  }

  subscript(key: String) -> JSONSlice? {
    members.first { $0.hasKey(key) }?.value
  }

  /// Reads a key that must be there.
  package mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value
  ) throws(MessageError) {
    guard let slice = self[key] else { throw MessageError(.missing, path: key) }
    do { value = try Value(reading: slice) } catch { throw error.inside(key) }
  }

  /// Reads a key that may be absent.
  package mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value?
  ) throws(MessageError) {
    guard let slice = self[key], !slice.isNull || Value.takesNull else {
      value = nil
      return
    }
    do { value = try Value(reading: slice) } catch { throw error.inside(key) }
  }

  /// Reads a key that is only there to be `true`.
  package mutating func flag(_ key: String, _ value: inout Bool) throws(MessageError) {
    var read: Bool?
    try field(key, &read)
    value = read ?? false
  }
}
