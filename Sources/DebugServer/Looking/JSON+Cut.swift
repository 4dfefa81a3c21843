internal import JSONCore
internal import Timelines

extension JSON {
  /// The value with arrays and objects deeper than some levels cut; the value itself is level 1.
  func cut(below depth: Int64) -> JSON {
    switch self {
    case .array(let elements):
      if elements.isEmpty { return self }
      guard depth > 1 else { return cutMark }
      return .array(elements.map { $0.cut(below: depth - 1) })
    case .object(let object):
      if object.isEmpty { return self }
      guard depth > 1 else { return cutMark }
      var result = JSON.Object()
      for (key, value) in object { result[key] = value.cut(below: depth - 1) }
      return .object(result)
    case .null, .bool, .number, .string: return self
    }
  }

  /// What stands for a value that was cut.
  private var cutMark: JSON { Self.cutMark(byteCount()) }

  private static func cutMark(_ bytes: Int) -> JSON { ["$cut": .number(JSON.Number(Int64(bytes)))] }

  /// The value as text that is checked.
  var slice: JSONSlice {
    get throws(Refusal) {
      do {
        return try JSONSlice(validating: encoded())
      } catch {
        throw Refusal(.failed, "A value cannot be written: \(error).")
      }
    }
  }
}

// Cutting to a size. Small parts stay whole; what is too large for its share is cut inside.
extension JSON {
  /// The bytes of a mark with some room: a share below it is a mark.
  private static let leastShare = 64

  /// Children that are looked at whatever their size, so that the few large parts of a state show.
  private static let fewChildren = 32

  /// The value cut below some levels and to about so many bytes.
  ///
  /// The walk costs a measure of each value that is too large, a level at a time.
  func cut(below depth: Int64, within bytes: Int) -> JSON {
    guard byteCount(upTo: bytes) > bytes else { return cut(below: depth) }
    return fitted(size: byteCount(), into: bytes, depth: depth)
  }

  /// The value, which is larger than its share.
  private func fitted(size: Int, into share: Int, depth: Int64) -> JSON {
    guard depth > 1, share >= Self.leastShare else { return Self.cutMark(size) }
    switch self {
    case .null, .bool, .number: return self
    case .string: return Self.cutMark(size)
    case .array(let elements):
      let few = elements.prefix(Self.childCount(elements.count, size: size, share: share))
      let (fitted, rest) = Self.fitted(
        few.map { (key: "", value: $0) }, size: size, into: share, depth: depth)
      return .array(fitted + Self.tail(elements.count - few.count, bytes: rest))
    case .object(let object):
      let few = Array(object.prefix(Self.childCount(object.count, size: size, share: share)))
      let (fitted, rest) = Self.fitted(few, size: size, into: share, depth: depth)
      var result = JSON.Object()
      for (member, value) in zip(few, fitted) { result[member.key] = value }
      for tail in Self.tail(object.count - few.count, bytes: rest) { result["$more"] = tail }
      return .object(result)
    }
  }

  /// How many children are shown: as many as fit whole at their average size, but some in any case.
  private static func childCount(_ count: Int, size: Int, share: Int) -> Int {
    let average = max(leastShare, size / max(1, count))
    return min(count, max(share / average, min(fewChildren, share / leastShare)))
  }

  /// What stands behind the children that are shown, when there are more.
  private static func tail(_ count: Int, bytes: Int) -> [JSON] {
    guard count > 0 else { return [] }
    return [
      ["$cut": .number(JSON.Number(Int64(bytes))), "$more": .number(JSON.Number(Int64(count)))]
    ]
  }

  /// Children fitted into a share together, the small ones whole; and the bytes of all others.
  private static func fitted(
    _ children: [(key: String, value: JSON)], size: Int, into share: Int, depth: Int64
  ) -> (children: [JSON], rest: Int) {
    let sizes = children.map { $0.value.byteCount() }
    let keys = children.reduce(0) { $0 + $1.key.utf8.count + 4 }
    var left = share - keys
    var shares = sizes.count
    for size in sizes.sorted() {
      guard size <= left / shares else { break }
      left -= size
      shares -= 1
    }
    let most = shares > 0 ? left / shares : .max
    let fitted = zip(children, sizes).map { child, size in
      size <= most
        ? child.value.cut(below: depth - 1)
        : child.value.fitted(size: size, into: most, depth: depth - 1)
    }
    return (fitted, max(0, size - sizes.reduce(keys, +)))
  }
}
