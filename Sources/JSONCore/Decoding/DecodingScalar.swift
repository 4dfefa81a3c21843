/// A type that is one JSON string, number or Boolean, and is read without a decoder of its own.
protocol DecodingScalar {
  /// The value at the node, or `nil` when what stands there is none.
  static func read(_ document: DecodingDocument, _ node: Int) -> Self?
}

extension String: DecodingScalar {
  static func read(_ document: DecodingDocument, _ node: Int) -> String? {
    document.first(node) == UInt8(ascii: "\"") ? document.string(node) : nil
  }
}

extension Bool: DecodingScalar {
  static func read(_ document: DecodingDocument, _ node: Int) -> Bool? {
    switch document.first(node) {
    case UInt8(ascii: "t"): true
    case UInt8(ascii: "f"): false
    default: nil
    }
  }
}

extension FixedWidthInteger {
  static func read(_ document: DecodingDocument, _ node: Int) -> Self? {
    DecodingNumbers.integer(document.text(node))
  }
}

extension Int: DecodingScalar {}
extension Int8: DecodingScalar {}
extension Int16: DecodingScalar {}
extension Int32: DecodingScalar {}
extension Int64: DecodingScalar {}
extension Int128: DecodingScalar {}
extension UInt: DecodingScalar {}
extension UInt8: DecodingScalar {}
extension UInt16: DecodingScalar {}
extension UInt32: DecodingScalar {}
extension UInt64: DecodingScalar {}
extension UInt128: DecodingScalar {}

extension Double: DecodingScalar {
  static func read(_ document: DecodingDocument, _ node: Int) -> Double? {
    document.first(node) == UInt8(ascii: "\"")
      ? DecodingNumbers.notFinite(document.text(node))
      : DecodingNumbers.double(document.text(node))
  }
}

extension Float: DecodingScalar {
  static func read(_ document: DecodingDocument, _ node: Int) -> Float? {
    document.first(node) == UInt8(ascii: "\"")
      ? DecodingNumbers.notFinite(document.text(node))
      : DecodingNumbers.float(document.text(node))
  }
}

extension DecodingDocument {
  /// A value of a type that is known to be the scalar type, or the error that says why there is
  /// none.
  @inline(__always)
  func scalar<S: DecodingScalar>(
    _ type: S.Type, at node: Int, _ path: () -> DecodingPath?
  ) throws -> S {
    guard let value = S.read(self, node) else { throw failure(type, at: node, path()) }
    return value
  }

  /// The elements of an array of scalars.
  func scalars<S: DecodingScalar>(
    _ type: S.Type, at array: Int, _ path: () -> DecodingPath?
  ) throws -> [S] {
    guard isArray(array) else { throw failure([S].self, at: array, path()) }
    var values: [S] = []
    let end = next(array)
    var node = array + 1
    // Not by the number of bytes: every element has a node, so that this many are there.
    values.reserveCapacity(end - node)
    while node < end {
      guard let value = S.read(self, node) else {
        throw failure(type, at: node, DecodingPath(path(), .index(values.count)))
      }
      values.append(value)
      node = next(node)
    }
    return values
  }
}
