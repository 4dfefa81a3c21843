internal import JSONCore
internal import Timelines

/// The bytes of a value as JSON, and of the named parts inside it.
///
/// Elements of arrays, and members of objects with many keys, are data, not parts of a structure: they
/// count for the array or object.
struct SizeTree: Equatable {
  let bytes: Int
  /// How many elements or members; `nil` for a scalar.
  let elements: Int?
  let members: [String: SizeTree]
  /// Whether it is a string, an array, or an object. A number with one more digit does not grow.
  let canGrow: Bool

  /// An object with more members is a collection.
  static let maximumMembers = 128

  /// Deeper parts count for what contains them.
  static let maximumDepth = 16

  /// So many parts are measured; the others count for what contains them.
  static let maximumParts = 10_000

  init(_ value: JSON) {
    var left = Self.maximumParts
    self.init(value, depth: Self.maximumDepth, left: &left)
  }

  private init(_ value: JSON, depth: Int, left: inout Int) {
    canGrow = value.canGrow
    guard case .object(let object) = value, object.count <= Self.maximumMembers, depth > 0,
      object.count <= left
    else {
      (bytes, elements, members) = (value.byteCount(), value.elementCount, [:])
      return
    }
    left -= object.count
    var bytes = 1 + max(2 * object.count, 1)  // braces, colons, and commas
    var members: [String: SizeTree] = [:]
    for (key, member) in object {
      let size = SizeTree(member, depth: depth - 1, left: &left)
      members[key] = size
      bytes += JSON.string(key).byteCount() + size.bytes
    }
    (self.bytes, elements, self.members) = (bytes, object.count, members)
  }
}

extension JSON {
  fileprivate var elementCount: Int? {
    switch self {
    case .null, .bool, .number, .string: nil
    case .array(let list): list.count
    case .object(let object): object.count
    }
  }

  fileprivate var canGrow: Bool {
    switch self {
    case .null, .bool, .number: false
    case .string, .array, .object: true
    }
  }
}

/// Finds which parts of a state grow from sample to sample.
struct GrowthReport {
  /// A part that is larger at the end than at the start.
  struct Part: Equatable {
    var path: [String]
    var bytes: [Int]
    var elements: [Int]?

    var growth: Int { (bytes.last ?? 0) - (bytes.first ?? 0) }
  }

  /// An object with so many keys at the end that it did not have at the start is a collection.
  static let newKeysOfCollection = 8

  private(set) var parts: [Part] = []

  /// - Parameter samples: the sizes of the whole state, in order.
  init(_ samples: [SizeTree], at path: [String]) {
    collect(samples, at: path)
    parts.sort { left, right in
      left.growth != right.growth
        ? left.growth > right.growth : left.path.lexicographicallyPrecedes(right.path)
    }
  }

  /// Adds the innermost parts that explain the growth. An absent part has a size of 0.
  private mutating func collect(_ samples: [SizeTree?], at path: [String]) {
    let keys = Set(samples.flatMap { sample in sample.map { Array($0.members.keys) } ?? [] })
    guard !keys.isEmpty, !Self.isCollection(samples) else {
      return add(samples, at: path)
    }
    for key in keys {
      collect(samples.map { $0?.members[key] }, at: path + [key])
    }
  }

  private static func isCollection(_ samples: [SizeTree?]) -> Bool {
    // A part that is measured by its members must be so in all samples.
    let hasOther = samples.contains { sample in
      guard let sample, let elements = sample.elements else { return false }
      return elements > 0 && sample.members.isEmpty
    }
    let known = samples.compactMap(\.self)
    guard !hasOther, let first = known.first, let last = known.last else { return true }
    let new = last.members.keys.count { first.members[$0] == nil }
    return new >= newKeysOfCollection
  }

  private mutating func add(_ samples: [SizeTree?], at path: [String]) {
    guard let last = samples.last ?? nil, last.canGrow else { return }
    let part = Part(
      path: path, bytes: samples.map { $0?.bytes ?? 0 },
      elements: samples.contains { $0?.elements != nil }
        ? samples.map { $0?.elements ?? 0 } : nil)
    if part.growth > 0 { parts.append(part) }
  }
}
