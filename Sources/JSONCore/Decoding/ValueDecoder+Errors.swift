extension ValueDecoder {
  /// The error for a value of another type.
  @inline(never)
  func failure(_ type: any Any.Type) -> DecodingError {
    if document.isNull(node) {
      return .valueNotFound(
        type, context("Expected a value of type \(type), but found null instead."))
    }
    if let reason = misfit(type) { return .dataCorrupted(context(reason)) }
    return .typeMismatch(
      type, context("Expected to decode \(type) but found \(kind) instead."))
  }

  /// Why a value of the right kind cannot be converted to that type.
  private func misfit(_ type: any Any.Type) -> String? {
    let text = document.text(node)
    switch text[0] {
    case UInt8(ascii: "\""):
      return DecodingDocument.foundationMisfit(type)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
      guard type is any Numeric.Type || DecodingDocument.isWrittenAsNumber(type) else { return nil }
      let number = String(decoding: text, as: UTF8.self)
      return "The number \(number) does not fit in \(type)."
    default:
      return nil
    }
  }

  private var kind: String {
    switch document.first(node) {
    case UInt8(ascii: "n"): "null"
    case UInt8(ascii: "t"), UInt8(ascii: "f"): "a bool"
    case UInt8(ascii: "\""): "a string"
    case UInt8(ascii: "["): "an array"
    case UInt8(ascii: "{"): "an object"
    default: "a number"
    }
  }

  /// The coding path of an error, and its description.
  func context(_ text: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: text)
  }
}
