// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// Collects the positions at which the paths of one chunk changed.
///
/// An operation is recorded at its own path, and at every path that leads to it as a change inside,
/// so that one lookup covers a value with everything in it. Insertions and removals of elements are
/// recorded at the array, by the class of their index, because they affect every element after
/// them. At most ``pathLimit`` paths are distinguished; changes of further paths are recorded at
/// their deepest known ancestor.
struct PostingBuilder {
  /// The maximum number of paths in one chunk; its postings then take at most about as many bytes
  /// as the chunk.
  static let pathLimit = 256

  /// The start of every path.
  enum Root: Int {
    case state
    case outputs
  }

  private struct Node {
    let parent: Int
    let root: Root
    let text: Range<Int>
    let hash: PathHash
    var exact = PlaceSet()
    var below = PlaceSet()
    var shifts: [(indexClass: Int, places: PlaceSet)] = []
  }

  private var nodes: [Node]
  private var texts: [UInt8] = []

  /// Nodes by the hash of their path, with open addressing; -1 is a free slot.
  private var slots = [Int16](repeating: -1, count: slotCount)

  /// Four times as many slots as paths, so that a lookup rarely takes two steps.
  private static let slotCount = 1_024

  init() {
    nodes = ["/state", "/outputs"].enumerated().map { index, name in
      Node(
        parent: -1, root: index == 0 ? .state : .outputs, text: 0..<0, hash: PathHash(name.utf8))
    }
  }

  /// Records an operation.
  ///
  /// - Parameters:
  ///   - path: the text of the pointer from the root on.
  ///   - isShift: whether it can have inserted or removed an element.
  mutating func record(
    _ path: UnsafeBufferPointer<UInt8>, in root: Root, isShift: Bool, at place: UInt32
  ) {
    if isShift, let slash = path.lastIndex(of: UInt8(ascii: "/")),
      let index = Self.elementIndex(path[(slash + 1)...])
    {
      let (node, isWhole) = node(UnsafeBufferPointer(rebasing: path[..<slash]), in: root)
      guard isWhole else { return recordExact(at: node, place) }
      recordShift(at: node, PostingKey.shiftClass(of: index), place)
      // `-` may also be the key of a member, which only its own path covers.
      if path[slash + 1] != UInt8(ascii: "-") { return }
    }
    recordExact(at: node(path, in: root).index, place)
  }

  /// The index that a token can name in an array; the end counts as 0, because it can be anywhere.
  private static func elementIndex(_ token: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
    guard let first = token.first else { return nil }
    if token.count == 1, first == UInt8(ascii: "-") { return 0 }
    guard token.count <= 18, first != UInt8(ascii: "0") || token.count == 1 else { return nil }
    var index = 0
    for byte in token {
      let digit = byte &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      index = index * 10 + Int(digit)
    }
    return index
  }

  private mutating func recordExact(at node: Int, _ place: UInt32) {
    nodes[node].exact.add(place)
    recordBelow(from: nodes[node].parent, place)
  }

  private mutating func recordShift(at node: Int, _ indexClass: Int, _ place: UInt32) {
    if let known = nodes[node].shifts.firstIndex(where: { $0.indexClass == indexClass }) {
      nodes[node].shifts[known].places.add(place)
    } else {
      nodes[node].shifts.append((indexClass, PlaceSet([place])))
    }
    recordBelow(from: node, place)
  }

  private mutating func recordBelow(from node: Int, _ place: UInt32) {
    var node = node
    // If the position is already recorded here, it is in all ancestors, too.
    while node >= 0, nodes[node].below.places.last != place {
      nodes[node].below.add(place)
      node = nodes[node].parent
    }
  }

  /// The node of a path, or its deepest known ancestor if there is no room for more.
  private mutating func node(
    _ path: UnsafeBufferPointer<UInt8>, in root: Root
  ) -> (index: Int, isWhole: Bool) {
    guard !path.isEmpty else { return (root.rawValue, true) }
    var hash = nodes[root.rawValue].hash
    for byte in path { hash.feed(byte) }
    if let known = find(hash, path, in: root) { return (known, true) }
    var node = root.rawValue
    var prefix = nodes[root.rawValue].hash
    for end in 0...path.count {
      let isEnd = end == path.count
      if end > 0, isEnd || path[end] == UInt8(ascii: "/") {
        let text = UnsafeBufferPointer(rebasing: path[..<end])
        if let known = find(prefix, text, in: root) {
          node = known
        } else {
          guard nodes.count < Self.pathLimit else { return (node, false) }
          node = insert(prefix, text, in: root, below: node)
        }
      }
      if !isEnd { prefix.feed(path[end]) }
    }
    return (node, true)
  }

  private func find(
    _ hash: PathHash, _ path: UnsafeBufferPointer<UInt8>, in root: Root
  ) -> Int? {
    var slot = Int(hash.value % UInt64(Self.slotCount))
    while slots[slot] >= 0 {
      let index = Int(slots[slot])
      if nodes[index].hash == hash, nodes[index].root == root,
        path.elementsEqual(texts[nodes[index].text])
      {
        return index
      }
      slot = (slot + 1) % Self.slotCount
    }
    return nil
  }

  private mutating func insert(
    _ hash: PathHash, _ path: UnsafeBufferPointer<UInt8>, in root: Root, below parent: Int
  ) -> Int {
    var slot = Int(hash.value % UInt64(Self.slotCount))
    while slots[slot] >= 0 { slot = (slot + 1) % Self.slotCount }
    slots[slot] = Int16(nodes.count)
    let start = texts.count
    texts.append(contentsOf: path)
    nodes.append(Node(parent: parent, root: root, text: start..<texts.count, hash: hash))
    return nodes.count - 1
  }

  /// The positions by key; `hidden` means that stand-ins were recorded.
  func postings(hidden: Bool = false) -> [(key: PostingKey, places: PlaceSet)] {
    var rows: [(PostingKey, PlaceSet)] = []
    for node in nodes {
      if !node.exact.isEmpty {
        rows.append((PostingKey(node.hash, hidden ? .hidden : .exact), node.exact))
      }
      if !node.below.isEmpty {
        rows.append((PostingKey(node.hash, hidden ? .hiddenBelow : .below), node.below))
      }
      for (indexClass, places) in node.shifts {
        rows.append((PostingKey(node.hash, .shift(indexClass)), places))
      }
    }
    return rows
  }
}
