import JSONCore

/// What a script put between the homes of entries: new events, and entries that left their own home.
///
/// Each slot is a linked list, so that every change costs the same however much one place holds, and
/// closing a stretch of slots only moves a bound: a script takes time in proportion to its length.
struct EditedSlots {
  /// A thing in a slot.
  enum Item {
    case new(JSONSlice, edit: Int)
    case moved(Int64, edit: Int)

    /// The entry's seq, when it has one.
    var seq: Int64? {
      if case .moved(let seq, _) = self { seq } else { nil }
    }
  }

  /// A slot: before a home, or at the end.
  enum Slot: Hashable {
    case before(Int64)
    case end
  }

  /// An item among its neighbours, which are told by their places in `nodes`.
  private struct Node {
    var item: Item
    var slot: Slot
    var previous: Int?
    var next: Int?
  }

  /// All items that there ever were; what was taken away is just not linked any more.
  private var nodes: [Node] = []
  private var ends: [Slot: (first: Int, last: Int)] = [:]
  /// Where the entries are that left their home.
  private var nodeOf: [Int64: Int] = [:]
  /// The slots before homes behind this one are open.
  private(set) var openBehind: Int64 = -1
  /// The slots before homes up to this one are open; that at the end always is.
  private(set) var openThrough: Int64 = .max

  /// The open slots that may hold something.
  var filled: some Sequence<Slot> { ends.keys.lazy.filter { isOpen($0) } }

  /// The slot of an entry that left its home; `nil` for all others.
  func slot(of seq: Int64) -> Slot? {
    nodeOf[seq].map { nodes[$0].slot }.flatMap { isOpen($0) ? $0 : nil }
  }

  /// What is in a slot, in order.
  func items(in slot: Slot) -> [Item] {
    guard isOpen(slot) else { return [] }
    var items: [Item] = []
    var place = ends[slot]?.first
    while let here = place {
      items.append(nodes[here].item)
      place = nodes[here].next
    }
    return items
  }

  private func isOpen(_ slot: Slot) -> Bool {
    if case .before(let home) = slot { home > openBehind && home <= openThrough } else { true }
  }
}

extension EditedSlots {
  /// Puts an item at the end of a slot.
  mutating func append(_ item: Item, to slot: Slot) {
    link(Node(item: item, slot: slot, previous: ends[slot]?.last, next: nil))
  }

  /// Puts an item before an entry that is in a slot.
  mutating func insert(_ item: Item, before seq: Int64) {
    guard let next = nodeOf[seq] else { return }
    let slot = nodes[next].slot
    link(Node(item: item, slot: slot, previous: nodes[next].previous, next: next))
  }

  /// Takes an entry away; answers whether it was in a slot.
  mutating func remove(_ seq: Int64) -> Bool {
    guard slot(of: seq) != nil, let place = nodeOf[seq] else { return false }
    unlink(place)
    return true
  }

  /// Takes away what follows an entry in its slot.
  mutating func removeAll(behind seq: Int64) {
    while let next = nodeOf[seq].flatMap({ nodes[$0].next }) { unlink(next) }
  }

  /// Takes away an entry and what is before it in its slot.
  mutating func removeAll(through seq: Int64) {
    while let previous = nodeOf[seq].flatMap({ nodes[$0].previous }) { unlink(previous) }
    if let place = nodeOf[seq] { unlink(place) }
  }

  /// Takes away what is in the slot at the end.
  mutating func emptyEnd() {
    while let last = ends[.end]?.last { unlink(last) }
  }

  /// Closes the slots before homes behind this one, with what is in them.
  mutating func close(behind home: Int64) { openThrough = min(openThrough, home) }

  /// Closes the slots before homes up to this one, with what is in them.
  mutating func close(through home: Int64) { openBehind = max(openBehind, home) }

  private mutating func link(_ node: Node) {
    let place = nodes.count
    nodes.append(node)
    if let seq = node.item.seq { nodeOf[seq] = place }
    if let previous = node.previous { nodes[previous].next = place }
    if let next = node.next { nodes[next].previous = place }
    let old = ends[node.slot] ?? (place, place)
    ends[node.slot] = (
      node.previous == nil ? place : old.first, node.next == nil ? place : old.last
    )
  }

  private mutating func unlink(_ place: Int) {
    let node = nodes[place]
    if let seq = node.item.seq { nodeOf[seq] = nil }
    if let previous = node.previous { nodes[previous].next = node.next }
    if let next = node.next { nodes[next].previous = node.previous }
    guard let old = ends[node.slot] else { return }
    let first = node.previous == nil ? node.next : old.first
    let last = node.next == nil ? node.previous : old.last
    if let first, let last { ends[node.slot] = (first, last) } else { ends[node.slot] = nil }
  }
}
