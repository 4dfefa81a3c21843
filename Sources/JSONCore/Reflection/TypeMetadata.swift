/// The runtime's metadata of a type: the names of an enum's cases or a struct's properties, and
/// their types. It needs no value of the type.
///
/// Programs built with `-disable-reflection-metadata` do not have it; then every result is `nil`.
///
/// All of this reads memory that the compiler laid out, by rules of Swift's stable ABI (metadata
/// kinds, nominal type descriptors, field descriptors, relative pointers). Safe because
/// - it only reads, and only from read-only tables that live as long as the program;
/// - a type is looked into only when its metadata's kind says that it has a descriptor;
/// - a relative pointer of 0 means absent and ends the reading;
/// - sizes in the tables are checked against what this file expects, and a known type is read
///   first: if the result for that one is wrong, no other is read. Pointers are signed on arm64e,
///   which these rules do not cover; there, every result is `nil`.
package enum TypeMetadata {
  /// A case or a property.
  package struct Member {
    /// The name in the source.
    package var name: String
    /// The type of the property, or of the case's payload, which is a tuple if it has labels or
    /// several parts. `nil` for a case without a payload, or if the type cannot be found.
    package var type: Any.Type?
    /// Whether it has a type at all.
    package var hasType: Bool
  }

  /// A part of a tuple.
  package struct Component {
    package var label: String?
    package var type: Any.Type

    /// A part with a label, if it has one.
    package init(label: String?, type: Any.Type) {
      self.label = label
      self.type = type
    }
  }

  /// The cases of an enum: those with a payload first, otherwise in source order. `nil` if the type
  /// is not an enum, or its cases are unavailable.
  package static func cases(of type: Any.Type) -> [Member]? {
    isTrusted ? members(of: type, kind: Kind.enumeration) : nil
  }

  /// The stored properties of a struct, in order; `nil` if the type is not a struct, or they are
  /// unavailable.
  package static func properties(of type: Any.Type) -> [Member]? {
    isTrusted ? members(of: type, kind: Kind.structure) : nil
  }

  /// The parts of a tuple; `nil` for every other type.
  package static func parts(of type: Any.Type) -> [Component]? {
    // Safe: a type is the address of its metadata.
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard isTrusted, metadata.load(as: UInt.self) == Kind.tuple else { return nil }
    let count = metadata.load(fromByteOffset: word, as: Int.self)
    guard (0...largestCount).contains(count) else { return nil }
    var labels: [Substring] = []
    if let text = metadata.load(fromByteOffset: 2 * word, as: UnsafePointer<CChar>?.self) {
      // Each label is followed by a space, an absent one by the space alone.
      labels = String(cString: text).split(separator: " ", omittingEmptySubsequences: false)
    }
    return (0..<count).map { index in
      let label = index < labels.count && !labels[index].isEmpty ? String(labels[index]) : nil
      // A part is its type and its offset, two words with the padding.
      let part = metadata.load(fromByteOffset: (3 + 2 * index) * word, as: UnsafeRawPointer.self)
      // Safe: a tuple's metadata holds those of its parts, and the index is below their count.
      return Component(label: label, type: unsafeBitCast(part, to: Any.Type.self))
    }
  }

  /// Kinds of metadata, from the ABI.
  private enum Kind {
    static let structure: UInt = 0x200
    static let enumeration: UInt = 0x201
    static let tuple: UInt = 0x301
  }

  private static let word = MemoryLayout<UInt>.size

  /// More members than any source has; a larger number means that the layout is not as expected.
  private static let largestCount = 100_000

  private static func members(of type: Any.Type, kind: UInt) -> [Member]? {
    // Safe: a type is the address of its metadata.
    let metadata = unsafeBitCast(type, to: UnsafeRawPointer.self)
    guard metadata.load(as: UInt.self) == kind,
      let descriptor = metadata.load(fromByteOffset: word, as: UnsafeRawPointer?.self),
      let fields = target(of: descriptor + 16)
    else { return nil }
    let isGeneric = descriptor.load(as: UInt32.self) & 0x80 != 0
    // A field record is three 32-bit values: flags, type, name.
    let count = Int(fields.load(fromByteOffset: 12, as: UInt32.self))
    guard fields.load(fromByteOffset: 10, as: UInt16.self) == 12, count <= largestCount else {
      return nil
    }
    var members: [Member] = []
    members.reserveCapacity(count)
    for index in 0..<count {
      let record = fields + 16 + 12 * index
      guard let name = target(of: record + 8) else { return nil }
      var member = Member(
        name: String(cString: name.assumingMemoryBound(to: CChar.self)), type: nil, hasType: false)
      if let mangled = target(of: record + 4) {
        member.hasType = true
        member.type = _getTypeByMangledNameInContext(
          mangled.assumingMemoryBound(to: UInt8.self), UInt(length(ofMangledName: mangled)),
          genericContext: isGeneric ? descriptor : nil,
          genericArguments: isGeneric ? metadata + 2 * word : nil)
      }
      members.append(member)
    }
    return members
  }

  /// The target of a relative pointer; `nil` if it is absent.
  private static func target(of pointer: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = pointer.load(as: Int32.self)
    return offset == 0 ? nil : pointer + Int(offset)
  }

  /// A mangled name ends with a zero, but it may contain references to other tables: a byte that
  /// determines their size, followed by bytes that may be zero.
  private static func length(ofMangledName name: UnsafeRawPointer) -> Int {
    var length = 0
    while true {
      switch name.load(fromByteOffset: length, as: UInt8.self) {
      case 0: return length
      case 0x01...0x17: length += 5
      case 0x18...0x1F: length += 1 + word
      default: length += 1
      }
    }
  }

  /// Whether reading a known type gives what its source says.
  private static let isTrusted: Bool = {
    #if _ptrauth(_arm64e)
      return false
    #else
      guard let cases = members(of: Known<String>.self, kind: Kind.enumeration) else {
        return false
      }
      return cases.map(\.name) == ["first", "second", "third"]
        && cases.map(\.hasType) == [true, true, false]
        && cases[0].type == [String].self && cases[1].type != nil
    #endif
  }()

  private enum Known<Value> {
    case third
    case first([Value])
    case second(Value, label: Int)
  }
}
