import Foundation
import JSONCore
import TestSupport
import Testing

@Suite("Decoder: types")
struct DecoderTypesTests {
  @Test("reads what Foundation's encoder wrote", arguments: AwkwardType.all)
  func readsFoundation(type: AwkwardType) throws {
    try type.visit(FromFoundation())
  }

  @Test("reads what the canonical encoder wrote", arguments: AwkwardType.all)
  func readsCanonical(type: AwkwardType) throws {
    try type.visit(FromCanonical())
  }

  @Test("Foundation's decoder reads what the canonical encoder wrote", arguments: AwkwardType.all)
  func foundationReadsCanonical(type: AwkwardType) throws {
    try type.visit(CanonicalToFoundation())
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

  /// Foundation's decoder, set the same way.
  static var foundationDecoder: JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .secondsSince1970
    decoder.dataDecodingStrategy = .base64
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  private struct FromCanonical: AwkwardTrial {
    func run<T: Codable & Sendable>(_ value: T, _ isSame: (T, T) -> Bool) throws {
      let bytes = try CanonicalEncoder().encode(value)
      let read = try CanonicalDecoder().decode(T.self, from: bytes)
      #expect(isSame(read, value), "\(read) from \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  private struct CanonicalToFoundation: AwkwardTrial {
    func run<T: Codable & Sendable>(_ value: T, _ isSame: (T, T) -> Bool) throws {
      let bytes = try CanonicalEncoder().encode(value)
      let read = try DecoderTypesTests.foundationDecoder.decode(T.self, from: Data(bytes))
      #expect(isSame(read, value), "\(read) from \(String(decoding: bytes, as: UTF8.self))")
    }
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
