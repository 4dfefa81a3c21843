public import ComposableArchitecture
import Replaying

/// A binding is recorded as text, so that an action type with a case `binding` can be `Codable`.
/// Its key path cannot be decoded: a replay stops there and names the case.
extension ComposableArchitecture.BindingAction: Swift.Encodable {
  /// Writes the binding as reflection shows it.
  public func encode(to encoder: any Encoder) throws {
    try RecordedAsText(self).encode(to: encoder)
  }
}

extension ComposableArchitecture.BindingAction: Swift.Decodable {
  /// Always throws.
  public init(from decoder: any Decoder) throws {
    _ = try RecordedAsText<Self>(from: decoder)
    throw DecodingError.dataCorrupted(
      DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "not a binding"))
  }
}
