extension DecodingError {
  /// An error with the same place and no values. The texts of decoding errors contain the value, and
  /// so may any other error.
  package static func withoutValues(_ error: any Error, at path: [any CodingKey]) -> DecodingError {
    func context(_ former: Context, _ text: String) -> Context {
      Context(codingPath: former.codingPath, debugDescription: text)
    }
    switch error as? DecodingError {
    case .typeMismatch(let type, let former):
      return .typeMismatch(type, context(former, "the value does not have the type \(type)"))
    case .valueNotFound(let type, let former):
      return .valueNotFound(type, context(former, "a value of type \(type) is missing"))
    case .keyNotFound(let key, let former):
      return .keyNotFound(key, context(former, "the key is missing"))
    case .dataCorrupted(let former):
      return .dataCorrupted(context(former, invalid))
    default:
      let text = "\(invalid) (\(Swift.type(of: error)))"
      return .dataCorrupted(Context(codingPath: path, debugDescription: text))
    }
  }

  private static let invalid = "the value is invalid, and not shown because of redaction"
}
