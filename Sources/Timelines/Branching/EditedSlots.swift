import JSONCore

/// The new and moved entries between the homes of entries.
///
/// Each slot is a linked list, so every change has constant cost. Closing a range of slots only moves
/// a bound. So a script takes linear time.
struct EditedSlots {
  enum Item {
    case new(JSONSlice, edit: Int)
    case moved(Int64, edit: Int)

    /// The entry's seq, if it has one.
    var seq: Int64? {
      if case .moved(let seq, _) = self { seq } else { nil }
    }
  }

  /// A slot: before a home, or at the end.
  enum Slot: Hashable {
    case before(Int64)
    case end
  }

  /// An item in a linked list. Neighbors are indexes into `nodes`.
  private struct Node {
    var item: Item
    var slot: Slot
    var previous: Int?
    var next: Int?
  }

  /// All items, including removed ones, which are no longer linked.
  private var nodes: [Node] = []
  private var ends: [Slot: (first: Int, last: Int)] = [:]
  /// The slots of the entries that left their home.
  private var nodeOf: [Int64: Int] = [:]
  /// The slots before homes after this one are open.
  private(set) var openBehind: Int64 = -1
  /// The slots before homes up to this one are open. The slot at the end is always open.
  private(set) var openThrough: Int64 = .max

  /// The open slots that may have items.
  var filled: some Sequence<Slot> { ends.keys.lazy.filter { isOpen($0) } }

  /// The slot of an entry that left its home; `nil` for other entries.
  func slot(of seq: Int64) -> Slot? {
    nodeOf[seq].map { nodes[$0].slot }.flatMap { isOpen($0) ? $0 : nil }
  }

  /// The items in a slot, in order.
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
  /// Appends an item to a slot.
  mutating func append(_ item: Item, to slot: Slot) {
    link(Node(item: item, slot: slot, previous: ends[slot]?.last, next: nil))
  }

  /// Inserts an item before an entry in a slot.
  mutating func insert(_ item: Item, before seq: Int64) {
    guard let next = nodeOf[seq] else { return }
    let slot = nodes[next].slot
    link(Node(item: item, slot: slot, previous: nodes[next].previous, next: next))
  }

  /// Removes an entry; returns whether it was in a slot.
  mutating func remove(_ seq: Int64) -> Bool {
    guard slot(of: seq) != nil, let place = nodeOf[seq] else { return false }
    unlink(place)
    return true
  }

  /// Removes the items after an entry in its slot.
  mutating func removeAll(behind seq: Int64) {
    while let next = nodeOf[seq].flatMap({ nodes[$0].next }) { unlink(next) }
  }

  /// Removes an entry and the items before it in its slot.
  mutating func removeAll(through seq: Int64) {
    while let previous = nodeOf[seq].flatMap({ nodes[$0].previous }) { unlink(previous) }
    if let place = nodeOf[seq] { unlink(place) }
  }

  /// Removes the items in the slot at the end.
  mutating func emptyEnd() {
    while let last = ends[.end]?.last { unlink(last) }
  }

  /// Closes the slots before homes after this one, with their items.
  mutating func close(behind home: Int64) { openThrough = min(openThrough, home) }

  /// Closes the slots before homes up to this one, with their items.
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
