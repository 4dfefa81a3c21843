internal import JSONCore

// Safe: the buffers are lent for the length of a call by the text or the patch that holds them.

/// The children of an array or object.
///
/// A reference, so that a patch deep inside changes it in place. Only the thread that writes has one.
final class ShapeContainer {
  private let isArray: Bool
  private var children: [Shape] = []

  /// The hashes of an object's keys, in the order of the children.
  private var keys: [UInt64] = []

  /// Where a key stands, in an object of many members.
  private var places: [UInt64: Int] = [:]

  /// Fewer members are searched one by one.
  private static let searchedCount = 16

  /// What a child costs, in bytes.
  static let childBytes = 40

  /// Takes text apart, one level of it.
  init(_ text: ShapeText) {
    isArray = text.isArray
    text.bytes.withUnsafeBufferPointer { bytes in
      if isArray {
        var elements = LineElements(bytes, array: text.range)
        while let element = elements.next() {
          children.append(Shape(text.bytes, at: element))
        }
      } else {
        var members = LineMembers(bytes, object: text.range)
        while let member = members.next() {
          append(Shape(text.bytes, at: member.value), key: bytes.hash(key: member.key))
        }
      }
    }
  }

  var count: Int { children.count }

  subscript(place: Int) -> Shape { children[place] }

  /// Where the child is that a token names.
  func place(
    of token: Range<Int>, in path: UnsafeBufferPointer<UInt8>
  ) throws(PatchError.Reason) -> Int {
    if isArray { return try index(token, path, below: children.count) }
    guard let place = place(ofKey: path.hash(token: token)) else { throw .nothingThere }
    return place
  }

  /// Inserts an element or sets a member; answers how many elements were moved aside.
  func insert(
    _ child: Shape, at token: Range<Int>, in path: UnsafeBufferPointer<UInt8>
  ) throws(PatchError.Reason) -> Int {
    guard isArray else {
      let key = path.hash(token: token)
      if let place = place(ofKey: key) { children[place] = child } else { append(child, key: key) }
      return 0
    }
    let count = children.count
    let index =
      path.has("-", at: token) ? count : try index(token, path, below: count + 1)
    children.insert(child, at: index)
    return count - index
  }

  /// Replaces a child that is there.
  func replace(_ place: Int, with child: Shape) { children[place] = child }

  /// Removes a child that is there; answers how many elements were moved aside.
  func remove(_ place: Int) -> Int {
    guard !isArray else {
      children.remove(at: place)
      return children.count - place
    }
    // The order of members carries no meaning: the last one takes the place.
    let last = children.count - 1
    if !places.isEmpty {
      places[keys[place]] = nil
      if place < last { places[keys[last]] = place }
    }
    children.swapAt(place, last)
    children.removeLast()
    keys.swapAt(place, last)
    keys.removeLast()
    return 0
  }

  private func append(_ child: Shape, key: UInt64) {
    children.append(child)
    keys.append(key)
    if !places.isEmpty {
      places[key] = keys.count - 1
    } else if keys.count > Self.searchedCount {
      for (place, key) in keys.enumerated() { places[key] = place }
    }
  }

  private func place(ofKey key: UInt64) -> Int? {
    places.isEmpty ? keys.firstIndex(of: key) : places[key]
  }

  private func index(
    _ token: Range<Int>, _ path: UnsafeBufferPointer<UInt8>, below end: Int
  ) throws(PatchError.Reason) -> Int {
    guard let index = path.index(token: token) else {
      throw .notAnIndex(path.text(token: token))
    }
    guard index < end else { throw .indexOutOfRange(index, count: children.count) }
    return index
  }
}
