/// Hashes values of a type by their contents in memory, which takes a fraction of the time of encoding
/// them.
///
/// ```
/// if let hash = ValueHash<[String]>() { assert(hash.of(["a"]) == hash.of(["a"])) }
/// ```
/// Values with the same hash are the same, as far as 64 bits tell. The opposite is not true: a value can
/// have several hashes, as an enum whose unused bytes differ. So a hash is a key under which something
/// that was computed for a value is found again, and nothing more. It holds for one process.
package struct ValueHash<Value>: Sendable {
  private let plan: ValuePlan

  /// `nil` for types of which `ByteEquality` is never certain, and for those with enums that have texts or
  /// collections as payloads, because only the type knows which case a value is.
  package init?() {
    guard ByteLayout.of(Value.self) != nil, let plan = ValuePlan(of: Value.self) else { return nil }
    self.plan = plan
  }

  package func of(_ value: Value) -> UInt64 {
    // Safe: the pointer is lent for the call, and is to a value of the type of the plan.
    withUnsafeBytes(of: value) { bytes in
      var hash: UInt64 = 0x2545_F491_4F6C_DD1D
      if let base = bytes.baseAddress { plan.add(base, to: &hash) }
      return hash
    }
  }
}

/// What to read of a value to hash it: its own bytes, and what its references refer to.
///
/// ```
/// struct Line { var id: Int; var name: String; var tags: [Int] }
/// bytes 0..<8      the id
/// text at 8        the bytes of its text
/// part at 24       an array: a plan of its elements, which is applied to each
/// ```
struct ValuePlan: Sendable {
  private enum Piece: Sendable {
    case bytes(Range<Int>)
    case text(Int)
    case part(Int, any HashedPart.Type, [ValuePlan])
  }

  private var pieces: [Piece] = []
  /// The bytes from one element of an array to the next.
  let stride: Int

  init?(of type: Any.Type) {
    let (size, alignment) = memoryLayout(of: type)
    stride = max(1, (size + alignment - 1) / alignment * alignment)
    // A type inside itself, as a tree's nodes, has no end.
    var open: Set<ObjectIdentifier> = []
    guard Self.collect(type, at: 0, into: &pieces, &open) else { return nil }
  }

  private init?(of type: Any.Type, inside open: inout Set<ObjectIdentifier>) {
    let (size, alignment) = memoryLayout(of: type)
    stride = max(1, (size + alignment - 1) / alignment * alignment)
    guard Self.collect(type, at: 0, into: &pieces, &open) else { return nil }
  }

  private static func collect(
    _ type: Any.Type, at offset: Int, into pieces: inout [Piece],
    _ open: inout Set<ObjectIdentifier>
  ) -> Bool {
    if type == String.self {
      pieces.append(.text(offset))
      return true
    }
    if ByteLayout.scalars.contains(ObjectIdentifier(type)) {
      // A character is a text inside, which only the standard library may rely on.
      guard type != Character.self else { return false }
      append(offset..<offset + memoryLayout(of: type).size, to: &pieces)
      return true
    }
    if let part = type as? any HashedPart.Type {
      guard open.insert(ObjectIdentifier(type)).inserted else { return false }
      defer { open.remove(ObjectIdentifier(type)) }
      var plans: [ValuePlan] = []
      for inner in part.hashedParts {
        guard let plan = ValuePlan(of: inner, inside: &open) else { return false }
        plans.append(plan)
      }
      pieces.append(.part(offset, part, plans))
      return true
    }
    guard let field = asStoredField(type) else { return false }
    if field.isAggregate {
      guard let fields = storedFields(of: type) else { return false }
      return fields.allSatisfy { collect($0.type, at: offset + $0.offset, into: &pieces, &open) }
    }
    guard field.isEnum, isTrivial(type) else { return false }
    append(offset..<offset + memoryLayout(of: type).size, to: &pieces)
    return true
  }

  private static func append(_ range: Range<Int>, to pieces: inout [Piece]) {
    if case .bytes(let last)? = pieces.last, last.upperBound == range.lowerBound {
      pieces[pieces.count - 1] = .bytes(last.lowerBound..<range.upperBound)
    } else if !range.isEmpty {
      pieces.append(.bytes(range))
    }
  }

  private static func isTrivial(_ type: Any.Type) -> Bool {
    func isTrivial<T>(_ type: T.Type) -> Bool { _isPOD(type) }
    return _openExistential(type, do: isTrivial)
  }

  // Safe: the caller lends memory of a value of the plan's type, and references in it are read as what
  // the type says they are.

  /// Adds the value at a place to a hash.
  func add(_ source: UnsafeRawPointer, to hash: inout UInt64) {
    for piece in pieces {
      switch piece {
      case .bytes(let range):
        ValueMix.add(
          UnsafeRawBufferPointer(start: source + range.lowerBound, count: range.count), to: &hash)
      case .text(let offset):
        ValueMix.add((source + offset).assumingMemoryBound(to: String.self).pointee, to: &hash)
      case .part(let offset, let part, let plans):
        part.hash(source + offset, plans, to: &hash)
      }
    }
  }
}

/// The steps of a hash of memory.
enum ValueMix {
  @inline(__always)
  static func add(_ word: UInt64, to hash: inout UInt64) {
    let (high, low) = (hash ^ word ^ 0x2D35_8DCC_AA6C_78A5)
      .multipliedFullWidth(by: 0x8BB8_4B93_962E_ACC9 ^ word.byteSwapped)
    hash = high ^ low ^ hash &* 0x9E37_79B9_7F4A_7C15
  }

  /// Adds bytes, with their number.
  static func add(_ bytes: UnsafeRawBufferPointer, to hash: inout UInt64) {
    var place = 0
    while place &+ 8 <= bytes.count {
      add(bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self), to: &hash)
      place &+= 8
    }
    var last = UInt64(truncatingIfNeeded: bytes.count) &<< 56
    while place < bytes.count {
      last ^= UInt64(bytes[place]) &<< UInt64(truncatingIfNeeded: (place & 7) &* 8)
      place &+= 1
    }
    add(last, to: &hash)
  }

  static func add(_ text: String, to hash: inout UInt64) {
    var text = text
    text.withUTF8 { add(UnsafeRawBufferPointer($0), to: &hash) }
  }
}

/// A type whose values are hashed by what is in them: a collection, or what may be absent.
protocol HashedPart: SendableMetatype {
  /// The types inside, in the order of the plans.
  static var hashedParts: [Any.Type] { get }

  /// Adds the value at a place to a hash.
  static func hash(_ source: UnsafeRawPointer, _ plans: [ValuePlan], to result: inout UInt64)
}

extension Array: HashedPart {
  static var hashedParts: [Any.Type] { [Element.self] }

  static func hash(_ source: UnsafeRawPointer, _ plans: [ValuePlan], to result: inout UInt64) {
    let array = source.assumingMemoryBound(to: Self.self).pointee
    ValueMix.add(UInt64(truncatingIfNeeded: array.count), to: &result)
    guard let plan = plans.first else { return }
    array.withUnsafeBufferPointer { elements in
      guard let base = elements.baseAddress.map({ UnsafeRawPointer($0) }) else { return }
      for index in elements.indices { plan.add(base + index &* plan.stride, to: &result) }
    }
  }
}

extension Optional: HashedPart {
  static var hashedParts: [Any.Type] { [Wrapped.self] }

  static func hash(_ source: UnsafeRawPointer, _ plans: [ValuePlan], to result: inout UInt64) {
    guard let wrapped = source.assumingMemoryBound(to: Self.self).pointee, let plan = plans.first
    else { return ValueMix.add(1, to: &result) }
    ValueMix.add(2, to: &result)
    withUnsafePointer(to: wrapped) { plan.add(UnsafeRawPointer($0), to: &result) }
  }
}

extension Set: HashedPart {
  static var hashedParts: [Any.Type] { [Element.self] }

  static func hash(_ source: UnsafeRawPointer, _ plans: [ValuePlan], to result: inout UInt64) {
    let set = source.assumingMemoryBound(to: Self.self).pointee
    // The order depends on how the set was made.
    var sum = UInt64(truncatingIfNeeded: set.count)
    for element in set {
      var part: UInt64 = 0
      withUnsafePointer(to: element) { plans.first?.add(UnsafeRawPointer($0), to: &part) }
      sum &+= part
    }
    ValueMix.add(sum, to: &result)
  }
}

extension Dictionary: HashedPart {
  static var hashedParts: [Any.Type] { [Key.self, Value.self] }

  static func hash(_ source: UnsafeRawPointer, _ plans: [ValuePlan], to result: inout UInt64) {
    let dictionary = source.assumingMemoryBound(to: Self.self).pointee
    var sum = UInt64(truncatingIfNeeded: dictionary.count)
    for (key, value) in dictionary {
      var part: UInt64 = 0
      withUnsafePointer(to: key) { plans.first?.add(UnsafeRawPointer($0), to: &part) }
      withUnsafePointer(to: value) { plans.last?.add(UnsafeRawPointer($0), to: &part) }
      sum &+= part
    }
    ValueMix.add(sum, to: &result)
  }
}
