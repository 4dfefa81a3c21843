#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DecodingDocument {
  /// A value of one of Foundation's types that the canonical form writes in its own way; `nil` for
  /// every other type.
  func foundationValue<T>(
    _ type: T.Type, at node: Int, _ decoder: () -> ValueDecoder
  ) throws -> T? {
    if type == Date.self {
      // This includes dates that are not finite: a recording may contain them.
      guard let seconds = Double.read(self, node) else {
        throw decoder().failure(type)
      }
      return Self.same(Date(timeIntervalSince1970: seconds)) as T
    }
    if type == Data.self {
      guard let text = String.read(self, node), let data = Data(base64Encoded: text) else {
        throw decoder().failure(type)
      }
      return Self.same(data) as T
    }
    if type == URL.self {
      guard let text = String.read(self, node), let url = URL(string: text) else {
        throw decoder().failure(type)
      }
      return Self.same(url) as T
    }
    if type == Decimal.self {
      guard let decimal = decimal(node) else { throw decoder().failure(type) }
      return Self.same(decimal) as T
    }
    return nil
  }

  /// The decimal value of a number, which does not depend on its spelling: `1.50` and `15e-1` are
  /// the same number, and a text and a tree give the same result.
  private func decimal(_ node: Int) -> Decimal? {
    if let other: Double = DecodingNumbers.notFinite(text(node)) {
      // A decimal may be not a number, but never infinite.
      return other.isNaN ? .nan : nil
    }
    guard DecodingNumbers.isNumber(text(node)),
      let parts = JSON.Number.Decimal(validated: text(node))
    else { return nil }
    if parts.digits.isEmpty { return 0 }
    let sign = parts.isNegative ? "-" : ""
    // A Decimal's exponent is at most 127; a larger one continues in its integer of up to 39
    // digits.
    let excess = max(0, parts.exponent - 127)
    guard excess < 39 else { return nil }
    let zeros = String(repeating: "0", count: excess)
    return Decimal(string: "\(sign)\(parts.digits)\(zeros)e\(parts.exponent - excess)")
  }

  /// Why a string cannot be converted to that type, for types that are written as strings.
  static func foundationMisfit(_ type: any Any.Type) -> String? {
    if type == Data.self { return "The string is not valid base64." }
    if type == URL.self { return "The string is not a valid URL." }
    return nil
  }

  /// Whether the type is written as a number without being one.
  static func isWrittenAsNumber(_ type: any Any.Type) -> Bool {
    type == Date.self
  }
}
