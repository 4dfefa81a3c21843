/// Which bytes of a type's values are its own, so that equal bytes mean the same value.
///
/// There is a layout only for types whose bytes prove it: scalars, `String`, `Array`, `Dictionary`,
/// `Set` and `Optional` of such types, structs and tuples of them, and enums whose payloads are
/// such types. While an old value is retained, the storage it refers to cannot change (a write
/// copies it first), so equal references mean equal contents. A class instance can change behind
/// its reference: a type that holds one anywhere has no layout.
///
/// Bytes between fields are not compared; they are whatever was there before.
///
///     struct Row { var isOn: Bool; var count: Int32; var name: String }
///
///     offset   0    1          4             8                24
///     field    isOn            count         name
///     mask     FF   00 00 00   FF FF FF FF   FF ... FF           one stride
final class ByteLayout: Sendable {
  /// The bytes from one element of an array to the next.
  let stride: Int

  /// 0xFF for the type's own bytes, over one stride.
  private let mask: [UInt8]

  /// The mask in words, when a stride is a whole number of them.
  private let words: [UInt64]

  /// Whether all bytes count, so that elements can be compared many at a time.
  private let isSolid: Bool

  private init(_ own: [Range<Int>], stride: Int) {
    var mask = [UInt8](repeating: 0, count: stride)
    for range in own { for index in range { mask[index] = 0xFF } }
    self.stride = stride
    self.mask = mask
    isSolid = mask.allSatisfy { $0 == 0xFF }
    words =
      stride % 8 == 0
      ? mask.withUnsafeBytes { mask in
        (0..<stride / 8).map { mask.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self) }
      } : []
  }

  /// The layout of a type, when its values can be compared by their bytes.
  static func of<T>(_ type: T.Type) -> ByteLayout? {
    guard isTrustworthy, let own = ByteLayoutReader.ownBytes(of: type) else { return nil }
    return ByteLayout(own, stride: MemoryLayout<T>.stride)
  }

  // MARK: Comparing

  // Safe: the callers lend memory of at least `count` strides of the type, and only the bytes of
  // values are read, raw, without making references of them.

  /// Whether the values at two places are the same.
  @inline(__always)
  func isSame(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    if words.isEmpty { return isSameByBytes(left, right) }
    return words.withUnsafeBufferPointer { words in
      var difference: UInt64 = 0
      var offset = 0
      for word in words {
        difference |=
          (left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            ^ right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)) & word
        offset &+= 8
      }
      return difference == 0
    }
  }

  /// The same, reading nothing between the fields and after the last one.
  func isSameByBytes(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer) -> Bool {
    for offset in 0..<stride where mask[offset] != 0 {
      if left.load(fromByteOffset: offset, as: UInt8.self)
        != right.load(fromByteOffset: offset, as: UInt8.self)
      {
        return false
      }
    }
    return true
  }

  /// How many of the first `count` values are the same.
  func commonPrefix(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ count: Int) -> Int {
    var index = isSolid ? solidPrefix(left, right, count * stride) / max(stride, 1) : 0
    while index < count, isSame(left + index &* stride, right + index &* stride) { index &+= 1 }
    return index
  }

  /// How many of the last values, at most `limit`, are the same; the pointers are to the ends.
  func commonSuffix(_ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ limit: Int) -> Int {
    var count = 0
    while count < limit {
      let offset = -(count &+ 1) &* stride
      guard isSame(left + offset, right + offset) else { break }
      count &+= 1
    }
    return count
  }

  /// How many leading bytes are equal, in whole words.
  private func solidPrefix(
    _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ length: Int
  ) -> Int {
    var position = 0
    while position &+ 8 <= length,
      left.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        == right.loadUnaligned(fromByteOffset: position, as: UInt64.self)
    {
      position &+= 8
    }
    return position
  }

  /// The value's own bytes, as a key for finding the same value again.
  func key(_ value: UnsafeRawPointer) -> [UInt8] {
    (0..<stride).map { mask[$0] & value.load(fromByteOffset: $0, as: UInt8.self) }
  }
}

extension ByteLayout {
  /// Types that are all their own bytes.
  static let scalars: Set<ObjectIdentifier> = [
    ObjectIdentifier(Bool.self), ObjectIdentifier(String.self), ObjectIdentifier(Character.self),
    ObjectIdentifier(Unicode.Scalar.self), ObjectIdentifier(Float.self),
    ObjectIdentifier(Double.self),
    ObjectIdentifier(Int.self), ObjectIdentifier(Int8.self), ObjectIdentifier(Int16.self),
    ObjectIdentifier(Int32.self), ObjectIdentifier(Int64.self), ObjectIdentifier(Int128.self),
    ObjectIdentifier(UInt.self), ObjectIdentifier(UInt8.self), ObjectIdentifier(UInt16.self),
    ObjectIdentifier(UInt32.self), ObjectIdentifier(UInt64.self), ObjectIdentifier(UInt128.self),
  ]

  // MARK: Self-test

  /// Whether reading a known type matches what the compiler says about it. If not, nothing is
  /// reused.
  private static let isTrustworthy: Bool = {
    guard let own = ByteLayoutReader.ownBytes(of: KnownType.self) else { return false }
    var expected: [Range<Int>] = []
    func expect<T>(_ path: PartialKeyPath<KnownType>, _ type: T.Type) {
      let offset = MemoryLayout<KnownType>.offset(of: path) ?? -1
      expected.append(offset..<offset + MemoryLayout<T>.size)
    }
    expect(\.flag, Bool.self)
    expect(\.number, Int64.self)
    expect(\.letter, UInt8.self)
    expect(\.text, String.self)
    expect(\.list, [Int].self)
    // The optional's own byte follows its value.
    expect(\.maybe, Int32?.self)
    let bytes = Set(own.flatMap(Array.init))
    guard bytes == Set(expected.flatMap(Array.init)) else { return false }
    guard ByteLayoutReader.ownBytes(of: KnownEnum.self) == [0..<MemoryLayout<KnownEnum>.size]
    else { return false }
    // And what must not be trusted is not.
    return ByteLayoutReader.ownBytes(of: KnownClassHolder.self) == nil
      && ByteLayoutReader.ownBytes(of: KnownPayload.self) == nil
      && ByteLayoutReader.ownBytes(of: UnsafeRawPointer.self) == nil
  }()

  private struct KnownType {
    var flag: Bool
    var number: Int64
    var letter: UInt8
    var text: String
    var list: [Int]
    var maybe: Int32?
  }

  private final class KnownClass {}

  private struct KnownClassHolder {
    var number: Int
    var list: [KnownClass?]
  }

  private indirect enum KnownEnum {
    case none
    case text(String)
    case several([KnownEnum], number: Int)
  }

  private enum KnownPayload {
    case none
    case instance(KnownClass)
  }
}

/// Reads which bytes of a type are its own, from the type's metadata.
private struct ByteLayoutReader {
  /// Types that are being read further out. Such a type can come again only behind a reference, as
  /// a tree's nodes do; whether it can be compared is then decided further out.
  private var open: Set<ObjectIdentifier> = []

  /// The ranges of a type's own bytes, or `nil` when its bytes prove nothing.
  static func ownBytes(of type: Any.Type) -> [Range<Int>]? {
    var reader = ByteLayoutReader()
    return reader.ownBytes(of: type)
  }

  private mutating func ownBytes(of type: Any.Type) -> [Range<Int>]? {
    let size = memoryLayout(of: type).size
    if ByteLayout.scalars.contains(ObjectIdentifier(type)) { return [0..<size] }
    guard open.insert(ObjectIdentifier(type)).inserted else { return [0..<size] }
    defer { open.remove(ObjectIdentifier(type)) }
    if let collection = type as? any StorageReference.Type {
      for part in collection.parts { guard ownBytes(of: part) != nil else { return nil } }
      return [0..<size]
    }
    if let optional = type as? any OptionalByteLayout.Type {
      guard let wrapped = ownBytes(of: optional.wrapped) else { return nil }
      // "None" is either a pattern of the wrapped value's own bytes or a byte after them.
      return wrapped + [memoryLayout(of: optional.wrapped).size..<size]
    }
    guard let field = asStoredField(type) else { return nil }
    if field.isEnum { return hasComparablePayloads(type) ? [0..<size] : nil }
    return field.isAggregate ? ownBytesOfFields(of: type, size: size) : nil
  }

  private mutating func ownBytesOfFields(of type: Any.Type, size: Int) -> [Range<Int>]? {
    guard let fields = storedFields(of: type) else { return nil }
    var own: [Range<Int>] = []
    var end = 0
    for field in fields {
      let (size, alignment) = memoryLayout(of: field.type)
      // Swift puts a field at the next place that suits it. If one is elsewhere, something lies
      // between that reflection does not show, as in structs imported from C.
      guard field.offset == (end + alignment - 1) / alignment * alignment,
        let bytes = ownBytes(of: field.type)
      else { return nil }
      own += bytes.map { $0.lowerBound + field.offset..<$0.upperBound + field.offset }
      end = field.offset + size
    }
    return end == size ? own : nil
  }

  /// Whether equal bytes of an enum mean equal values.
  ///
  /// All its bytes are compared, also those that a case does not use: what is found equal is equal,
  /// and what is found different by chance is only looked at again.
  private mutating func hasComparablePayloads(_ type: Any.Type) -> Bool {
    if Self.isSmallEnum(type) { return true }
    guard let cases = TypeMetadata.cases(of: type), !cases.isEmpty else { return false }
    for member in cases where member.hasType {
      guard let payload = member.type, ownBytes(of: payload) != nil else { return false }
    }
    return true
  }

  /// Whether an enum holds no reference: trivial, and smaller than any pointer.
  private static func isSmallEnum(_ type: Any.Type) -> Bool {
    func isTrivial<T>(_ type: T.Type) -> Bool { _isPOD(type) }
    return memoryLayout(of: type).size < MemoryLayout<UnsafeRawPointer>.size
      && _openExistential(type, do: isTrivial)
  }
}

/// A collection of the standard library: one reference to storage that is copied before a write.
private protocol StorageReference {
  /// What must be comparable by its bytes for the storage to be.
  static var parts: [Any.Type] { get }
}

extension Array: StorageReference {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

extension ContiguousArray: StorageReference {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

extension Dictionary: StorageReference {
  fileprivate static var parts: [Any.Type] { [Key.self, Value.self] }
}

extension Set: StorageReference {
  fileprivate static var parts: [Any.Type] { [Element.self] }
}

private protocol OptionalByteLayout {
  static var wrapped: Any.Type { get }
}

extension Optional: OptionalByteLayout {
  fileprivate static var wrapped: Any.Type { Wrapped.self }
}
