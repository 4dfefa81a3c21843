#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

// The types of Foundation whose canonical form differs from what their own `encode(to:)` makes, and
// UUID, because it occurs in so many states.
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
      // All its digits, spelled like any other number.
      let text = decimal.description
      engine.out.writeText(of: JSON.Number(text: text)?.text ?? text)
    }
  }
}

extension UUID: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    // A UUID is its sixteen bytes and nothing else.
    engine.out.writeUUID(UnsafeRawBufferPointer(start: source, count: 16))
  }
}
