package import JSONCore

/// Reads the keys of one object.
package struct MessageReader: MessageFields {
  /// The members, found in one pass, because skipping long entries takes time.
  private enum Members {
    case list([JSONSlice.Member])
    case outline(JSONOutline)
  }

  private let members: Members

  init(_ slice: JSONSlice) throws(MessageError) {
    guard slice.kind == .object else { throw .wrongType("an object", slice) }
    members = .list(Array(slice.members))
  }

  init(_ outline: JSONOutline) throws(MessageError) {
    guard outline.whole.kind == .object else { throw .wrongType("an object", outline.whole) }
    members = .outline(outline)
  }

  subscript(key: String) -> JSONSlice? {
    switch members {
    case .list(let members): members.first { $0.hasKey(key) }?.value
    case .outline(let outline): outline[key]
    }
  }

  /// Reads a list of the user's values; uses known places instead of skipping over the values.
  package mutating func list(_ key: String, _ value: inout [JSONSlice]) throws(MessageError) {
    if case .outline(let outline) = members, let elements = outline.elements(of: key) {
      value = elements
    } else {
      try field(key, &value)
    }
  }

  /// Reads a required key.
  package mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value
  ) throws(MessageError) {
    guard let slice = self[key] else { throw MessageError(.missing, path: key) }
    do { value = try Value(reading: slice) } catch { throw error.inside(key) }
  }

  /// Reads an optional key.
  package mutating func field<Value: MessageValue>(
    _ key: String, _ value: inout Value?
  ) throws(MessageError) {
    guard let slice = self[key], !slice.isNull || Value.takesNull else {
      value = nil
      return
    }
    do { value = try Value(reading: slice) } catch { throw error.inside(key) }
  }

  /// Reads a key that is `true` or absent.
  package mutating func flag(_ key: String, _ value: inout Bool) throws(MessageError) {
    var read: Bool?
    try field(key, &read)
    value = read ?? false
  }
}
