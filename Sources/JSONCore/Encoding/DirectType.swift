/// A type whose values the engine writes itself instead of calling `encode(to:)`.
///
/// These are scalars, because the call costs more than writing; collections, to check the element's
/// type only once; and types whose canonical form differs from what their own `encode(to:)` writes.
protocol DirectType {
  /// Writes the value of this type at `source`, which is valid for the call.
  ///
  /// By address and not as a parameter, because a value of a type known only by its metatype cannot
  /// be passed without a dynamic cast, which costs more than writing most values. Safe: the engine
  /// gets the type from the same value whose address it lends.
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws
}

/// Which types are direct: a cache of dynamic casts.
struct DirectTypes {
  private var slots = [Slot](repeating: Slot(), count: Self.slotCount)

  /// A power of two, well above the number of types in one state. Two types that share a slot evict
  /// each other.
  private static let slotCount = 128

  private struct Slot {
    var type: ObjectIdentifier?
    var direct: (any DirectType.Type)?
  }

  /// The type, if it is direct.
  @inline(__always)
  mutating func find<Value>(_ type: Value.Type) -> (any DirectType.Type)? {
    let id = ObjectIdentifier(type)
    // Type metadata is at least 16 bytes long and aligned, so the lowest bits are always equal.
    let bits = UInt(bitPattern: id)
    let index = Int((bits &>> 4 ^ bits &>> 11) & UInt(Self.slotCount - 1))
    return slots.withUnsafeMutableBufferPointer { slots in
      if slots[index].type == id { return slots[index].direct }
      let direct = type as? any DirectType.Type
      slots[index] = Slot(type: id, direct: direct)
      return direct
    }
  }
}

extension DirectType {
  @inline(__always)
  static func value(at source: UnsafeRawPointer) -> Self {
    source.assumingMemoryBound(to: Self.self).pointee
  }
}

extension DirectType where Self: FixedWidthInteger {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.write(value(at: source))
  }
}

extension Int: DirectType {}
extension Int8: DirectType {}
extension Int16: DirectType {}
extension Int32: DirectType {}
extension Int64: DirectType {}
extension Int128: DirectType {}
extension UInt: DirectType {}
extension UInt8: DirectType {}
extension UInt16: DirectType {}
extension UInt32: DirectType {}
extension UInt64: DirectType {}
extension UInt128: DirectType {}

extension Bool: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.write(value(at: source))
  }
}

extension Double: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.write(value(at: source))
  }
}

extension Float: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.out.write(value(at: source))
  }
}

extension String: DirectType {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    engine.writeOrOmit(value(at: source))
  }
}

extension Optional: DirectType where Wrapped: Encodable {
  static func encode(at source: UnsafeRawPointer, to engine: EncodingEngine) throws {
    if let wrapped = value(at: source) {
      try engine.encode(wrapped)
    } else {
      engine.out.writeNull()
    }
  }
}
