internal import JSONCore
internal import Timelines
import Wire

extension JSON {
  /// The value with arrays and objects below some depth cut; the value itself has depth 1.
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

  /// The marker that replaces a cut value.
  private var cutMark: JSON { Self.cutMark(byteCount()) }

  private static func cutMark(_ bytes: Int) -> JSON { ["$cut": .number(JSON.Number(Int64(bytes)))] }
}

// Cutting to a size. Small parts stay whole; a part larger than its share is cut inside.
extension JSON {
  /// The bytes of a marker with some room: a share below it is a marker.
  private static let leastShare = 64

  /// The minimum number of children to visit, so that the few large parts of a state show.
  private static let fewChildren = 32

  /// The value cut below some depth and to about so many bytes.
  func cut(below depth: Int64, within bytes: Int) -> JSON {
    guard byteCount(upTo: bytes) > bytes else { return cut(below: depth) }
    return fitted(TreeSize(self), into: bytes, depth: depth)
  }

  /// The value, cut to fit a smaller share.
  private func fitted(_ measure: TreeSize, into share: Int, depth: Int64) -> JSON {
    let size = measure.bytes
    guard depth > 1, share >= Self.leastShare else { return Self.cutMark(size) }
    switch self {
    case .null, .bool, .number: return self
    case .string: return Self.cutMark(size)
    case .array(let elements):
      let few = elements.prefix(Self.childCount(elements.count, size: size, share: share))
      let (fitted, rest) = Self.fitted(
        few.map { (key: "", value: $0) }, of: measure, into: share, depth: depth)
      return .array(fitted + Self.tail(elements.count - few.count, bytes: rest))
    case .object(let object):
      let few = Array(object.prefix(Self.childCount(object.count, size: size, share: share)))
      let (fitted, rest) = Self.fitted(few, of: measure, into: share, depth: depth)
      var result = JSON.Object()
      for (member, value) in zip(few, fitted) { result[member.key] = value }
      for tail in Self.tail(object.count - few.count, bytes: rest) { result["$more"] = tail }
      return .object(result)
    }
  }

  /// The number of children to show: as many as fit whole at their average size, but some in any
  /// case.
  private static func childCount(_ count: Int, size: Int, share: Int) -> Int {
    let average = max(leastShare, size / max(1, count))
    return min(count, max(share / average, min(fewChildren, share / leastShare)))
  }

  /// The marker after the shown children, if there are more.
  private static func tail(_ count: Int, bytes: Int) -> [JSON] {
    guard count > 0 else { return [] }
    return [
      ["$cut": .number(JSON.Number(Int64(bytes))), "$more": .number(JSON.Number(Int64(count)))]
    ]
  }

  /// Children that fit a share together, the small ones whole; and the bytes of all others.
  private static func fitted(
    _ children: [(key: String, value: JSON)], of parent: TreeSize, into share: Int, depth: Int64
  ) -> (children: [JSON], rest: Int) {
    let sizes = children.indices.map { parent.bytes(of: children[$0].value, at: $0) }
    let keys = children.reduce(0) { $0 + $1.key.utf8.count + 4 }
    var left = share - keys
    var shares = sizes.count
    for size in sizes.sorted() {
      guard size <= left / shares else { break }
      left -= size
      shares -= 1
    }
    let maximum = shares > 0 ? left / shares : .max
    let fitted = zip(children.indices, children).map { place, child in
      sizes[place] <= maximum
        ? child.value.cut(below: depth - 1)
        : child.value.fitted(
          parent.large[place] ?? TreeSize(child.value), into: maximum, depth: depth - 1)
    }
    return (fitted, max(0, parent.bytes - sizes.reduce(keys, +)))
  }
}

/// The bytes of a value and of its large parts, found in one walk.
///
/// Without it, each level of deeply nested text would be measured again. Parts below the threshold are
/// measured when they are needed, which costs little.
private struct TreeSize {
  let bytes: Int
  /// The large children, by their place.
  let large: [Int: TreeSize]

  private static let leastBytes = 4_096

  init(_ value: JSON) {
    var bytes = 0
    var large: [Int: TreeSize] = [:]
    func add(_ child: JSON, at place: Int) {
      let measure = TreeSize(child)
      if measure.bytes >= Self.leastBytes { large[place] = measure }
      bytes += measure.bytes
    }
    switch value {
    case .null, .bool, .number, .string: bytes = value.byteCount()
    case .array(let elements):
      bytes = 1 + max(elements.count, 1)  // brackets and commas
      for (place, element) in elements.enumerated() { add(element, at: place) }
    case .object(let object):
      bytes = 1 + max(2 * object.count, 1)  // braces, colons, and commas
      for (place, member) in object.enumerated() {
        bytes += JSON.string(member.key).byteCount()
        add(member.value, at: place)
      }
    }
    self.bytes = bytes
    self.large = large
  }

  func bytes(of child: JSON, at place: Int) -> Int { large[place]?.bytes ?? child.byteCount() }
}
