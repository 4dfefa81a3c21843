/// The input of one call of `decode`: a text and the positions of its values.
///
/// The decoders that types receive share it and keep it alive, even if a type stores its decoder
/// for later.
///
/// Safe: both blocks are copies that this object owns and frees, and neither ever grows. Nodes are
/// reached only from one another and from the root, and a node's range is inside the text. Only the
/// cached searches change; like every `Decoder`, this one belongs to one thread at a time.
final class DecodingDocument {
  typealias Node = DecodingIndex.Node

  /// The text, followed by `null`.
  let bytes: UnsafePointer<UInt8>

  /// The values, followed by the `null`.
  let nodes: UnsafeMutablePointer<Node>

  let userInfo: [CodingUserInfoKey: Any]

  /// A null in place of a missing value.
  let null: Int

  let root = 0

  /// The members of large objects that were not requested in order.
  private var members: [Int: [Key: Int]] = [:]

  /// The number of keys that are compared one by one before the object's members are hashed.
  private static let comparedCount = 24

  /// A key that hashes and compares by its bytes.
  private struct Key: Hashable {
    let text: String
    static func == (left: Key, right: Key) -> Bool { left.text.hasSameBytes(as: right.text) }
    func hash(into hasher: inout Hasher) { text.hashBytes(into: &hasher) }
  }

  init(_ index: borrowing DecodingIndex, userInfo: [CodingUserInfoKey: Any]) {
    let length = index.bytes.count
    let text = UnsafeMutablePointer<UInt8>.allocate(capacity: length + 4)
    index.bytes.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { text.initialize(from: base, count: length) }
    }
    for (offset, byte) in "null".utf8.enumerated() { text[length + offset] = byte }
    bytes = UnsafePointer(text)

    null = index.nodes.count
    let nodes = UnsafeMutablePointer<Node>.allocate(capacity: index.nodes.count + 1)
    self.nodes = nodes
    index.nodes.withUnsafeBufferPointer { source in
      if let base = source.baseAddress { nodes.initialize(from: base, count: source.count) }
    }
    (nodes + null).initialize(
      to: Node(
        start: UInt32(truncatingIfNeeded: length), end: UInt32(truncatingIfNeeded: length + 4),
        next: UInt32(truncatingIfNeeded: null + 1)))
    self.userInfo = userInfo
  }

  deinit {
    bytes.deallocate()
    nodes.deallocate()
  }
}

extension DecodingDocument {
  /// The value's first byte, which determines its kind.
  @inline(__always)
  func first(_ node: Int) -> UInt8 { bytes[Int(nodes[node].start)] }

  @inline(__always)
  func isNull(_ node: Int) -> Bool { first(node) == UInt8(ascii: "n") }

  /// Whether the value is an object.
  @inline(__always)
  func isObject(_ node: Int) -> Bool { first(node) == UInt8(ascii: "{") }

  /// Whether the value is an array.
  @inline(__always)
  func isArray(_ node: Int) -> Bool { first(node) == UInt8(ascii: "[") }

  /// The node after the value and its children.
  @inline(__always)
  func next(_ node: Int) -> Int { Int(nodes[node].next) }

  /// The number of elements of an array.
  func count(_ array: Int) -> Int {
    if nodes[array].note > 0 { return Int(nodes[array].note) - 1 }
    var count = 0
    var node = array + 1
    while node < next(array) {
      count += 1
      node = next(node)
    }
    nodes[array].note = UInt32(truncatingIfNeeded: count + 1)
    return count
  }

  /// The value of a member, or `nil` if the object has no member with that name.
  ///
  /// Types usually request their members in the order in which they were written, so the search
  /// begins after the last member found.
  func member(_ name: String, of object: Int) -> Int? {
    var name = name
    if let found = name.withUTF8({ find($0, in: object) }) { return found }
    // To Swift, and so to types, the composed and decomposed forms of a name are equal.
    guard !name.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
    var node = object + 1
    while node < next(object) {
      if string(node) == name { return node + 1 }
      node = next(node + 1)
    }
    return nil
  }

  private func find(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    let end = next(object)
    let first = object + 1
    if first == end { return nil }
    let start = Int(nodes[object].note) < end ? Int(nodes[object].note) : first
    var node = start
    var compared = 0
    repeat {
      if matches(node, name) {
        nodes[object].note = UInt32(truncatingIfNeeded: next(node + 1))
        return node + 1
      }
      compared += 1
      if compared > Self.comparedCount { return hashed(name, in: object) }
      node = next(node + 1)
      if node == end { node = first }
    } while node != start
    return nil
  }

  @inline(__always)
  private func matches(_ key: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    let node = nodes[key]
    if node.note != 0 { return matchesEscaped(key, name) }
    guard Int(node.end &- node.start) == name.count + 2 else { return false }
    let key = bytes + Int(node.start) + 1
    for offset in 0..<name.count where key[offset] != name[offset] { return false }
    return true
  }

  @inline(never)
  private func matchesEscaped(_ key: Int, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    string(key).utf8.elementsEqual(name)
  }

  private func hashed(_ name: UnsafeBufferPointer<UInt8>, in object: Int) -> Int? {
    if members[object] == nil {
      var table: [Key: Int] = [:]
      var node = object + 1
      while node < next(object) {
        table[Key(text: string(node))] = node
        node = next(node + 1)
      }
      members[object] = table
    }
    guard let key = members[object]?[Key(text: String(decoding: name, as: UTF8.self))] else {
      return nil
    }
    nodes[object].note = UInt32(truncatingIfNeeded: next(key + 1))
    return key + 1
  }

  /// The string that a string's node stands for.
  func string(_ node: Int) -> String {
    let text = nodes[node]
    let inner = Int(text.start) + 1..<Int(text.end) - 1
    let whole = UnsafeBufferPointer(start: bytes, count: inner.upperBound)
    guard text.note != 0 else {
      return String(decoding: UnsafeBufferPointer(rebasing: whole[inner]), as: UTF8.self)
    }
    return String(decoding: JSONEscapes.resolve(whole, inner), as: UTF8.self)
  }

  func text(_ node: Int) -> UnsafeBufferPointer<UInt8> {
    let node = nodes[node]
    return UnsafeBufferPointer(
      start: bytes + Int(node.start), count: Int(node.end &- node.start))
  }
}
