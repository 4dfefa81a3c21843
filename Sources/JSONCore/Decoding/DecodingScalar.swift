/// A type that is one JSON string, number, or Boolean, and is read without a decoder.
protocol DecodingScalar {
  /// The value at the node, or `nil` if the node has another kind.
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
