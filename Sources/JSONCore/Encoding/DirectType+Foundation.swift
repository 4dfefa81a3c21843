#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The types of Foundation whose canonical form differs from what their own `encode(to:)` makes, and
// UUID, because it stands in every other state.
//
// Safe: an address is read only inside the call that lends it (see DirectType).

extension Date: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.write(value(at: source).timeIntervalSince1970)
  }
}

extension Data: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    value(at: source).withUnsafeBytes { engine.out.writeBase64($0) }
  }
}

extension URL: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.write(value(at: source).absoluteString)
  }
}

extension Decimal: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    let decimal = value(at: source)
    if decimal.isNaN {
      engine.out.write(Double.nan)
    } else {
      // All its digits, spelled as every other number.
      let text = decimal.description
      engine.out.writeText(of: JSON.Number(text: text)?.text ?? text)
    }
  }
}

extension UUID: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.append(UInt8(ascii: "\""))
    for index in 0..<16 {
      if index == 4 || index == 6 || index == 8 || index == 10 {
        engine.out.append(UInt8(ascii: "-"))
      }
      // A UUID is its sixteen bytes and nothing else.
      let byte = source.load(fromByteOffset: index, as: UInt8.self)
      engine.out.append(JSONWriter.hexDigit(byte >> 4, isUppercase: true))
      engine.out.append(JSONWriter.hexDigit(byte & 0xF, isUppercase: true))
    }
    engine.out.append(UInt8(ascii: "\""))
  }
}
