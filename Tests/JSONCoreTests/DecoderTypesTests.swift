import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Decoder: types")
struct DecoderTypesTests {
  @Test("reads what Foundation's encoder wrote", arguments: AwkwardValue.all)
  func readsFoundation(value: AwkwardValue) throws {
    try value.visit(FromFoundation())
  }

  /// Foundation's encoder, set to the canonical form's choices.
  static var foundation: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .secondsSince1970
    encoder.dataEncodingStrategy = .base64
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private struct FromFoundation: AwkwardTrial {
    func run<T: Codable & Sendable>(_ value: T, _ isSame: (T, T) -> Bool) throws {
      let bytes = [UInt8](try DecoderTypesTests.foundation.encode(value))
      let decoder = CanonicalDecoder()
      let fromBytes = try decoder.decode(T.self, from: bytes)
      #expect(isSame(fromBytes, value), "from bytes: \(fromBytes)")
      let fromSlice = try decoder.decode(T.self, from: JSONSlice(validating: [0x20] + bytes))
      #expect(isSame(fromSlice, value), "from a slice: \(fromSlice)")
      let fromTree = try decoder.decode(T.self, from: JSON(parsing: bytes))
      #expect(isSame(fromTree, value), "from a tree: \(fromTree)")
    }
  }
}
