extension Dictionary: LargeValue where Key: Encodable, Value: Encodable {
  // Braces, and two quotes, a colon, a byte and a comma for each; one key may be empty.
  var leastByteCount: Int { 5 * count + 1 }
  var partCount: Int? { count }

  func recordDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int? {
    guard let old = old as? Self, let layout = difference.engine.layout(of: Value.self)
    else { return nil }
    var growth = count - old.count
    for change in changes(from: old, layout) {
      growth += try difference.recordMember(change.name, change.old, change.new, nesting: nesting)
    }
    // One comma fewer than members, but not for an empty object.
    if old.isEmpty { growth -= 1 }
    if isEmpty { growth += 1 }
    return growth
  }

  private struct Change {
    /// The key as its text without quotes.
    var name: [UInt8]
    var old: Value?
    var new: Value?
  }

  /// The members that differ: changed and removed ones in the order of their keys, then new ones,
  /// which is also the order in which texts are compared.
  private func changes(from old: Self, _ layout: ByteLayout) -> [Change] {
    var changes: [Change] = []
    var unchanged = 0
    let comparison = PairComparison<Value>(layout: layout)
    defer { comparison.end() }
    for (key, value) in self {
      guard let place = old.index(forKey: key) else {
        changes.append(Change(name: Self.name(key), new: value))
        continue
      }
      let before = old[place]
      // Keys can be equal and have different texts, as strings that are composed differently.
      guard Self.hasSameText(before.key, key) else {
        changes.append(Change(name: Self.name(before.key), old: before.value))
        changes.append(Change(name: Self.name(key), new: value))
        unchanged += 1
        continue
      }
      unchanged += 1
      if !comparison.isSame(before.value, value) {
        changes.append(Change(name: Self.name(key), old: before.value, new: value))
      }
    }
    if unchanged < old.count {
      for (key, value) in old where self[key] == nil {
        changes.append(Change(name: Self.name(key), old: value))
      }
    }
    return changes.sorted { left, right in
      let (isNew, isOtherNew) = (left.old == nil, right.old == nil)
      if isNew != isOtherNew { return isOtherNew }
      return left.name.lexicographicallyPrecedes(right.name)
    }
  }

  private static func hasSameText(_ left: Key, _ right: Key) -> Bool {
    guard let left = left as? String, let right = right as? String else { return true }
    return left.hasSameBytes(as: right)
  }

  private static func name(_ key: Key) -> [UInt8] {
    var writer = JSONWriter(capacity: 64)
    // Only dictionaries with keys of these two types are omitted (see `omitIfLarge`).
    if let key = key as? String { writer.writeEscaped(key) }
    if let key = key as? Int { writer.write(key) }
    return writer.bytes()
  }
}

/// Compares values by their bytes, in memory of the layout's full stride: a value on the stack may
/// lack the padding after its last field.
private struct PairComparison<Value> {
  let layout: ByteLayout
  // Safe: allocated here for two values, initialized and deinitialized in one call, freed by `end`.
  private let pair = UnsafeMutablePointer<Value>.allocate(capacity: 2)

  init(layout: ByteLayout) {
    self.layout = layout
  }

  func isSame(_ left: Value, _ right: Value) -> Bool {
    pair.initialize(to: left)
    (pair + 1).initialize(to: right)
    defer { pair.deinitialize(count: 2) }
    return layout.isSame(UnsafeRawPointer(pair), UnsafeRawPointer(pair + 1))
  }

  func end() {
    pair.deallocate()
  }
}

extension Set: LargeValue where Element: Encodable {
  var leastByteCount: Int { 2 * count + 1 }
  var partCount: Int? { count }

  func recordDifference(
    from old: any LargeValue, nesting: Int, in difference: ValueDifference
  ) throws -> Int? {
    guard old is Self else { return nil }
    // The order of the elements is that of their texts, so both are needed.
    let before = try difference.engine.wholeText(of: old, nesting: nesting)
    let after = try difference.engine.wholeText(of: self, nesting: nesting)
    return try difference.recordElements(
      Skeleton(bytes: before, gaps: []), Skeleton(bytes: after, gaps: []), firstIndex: 0,
      following: 0)
  }
}
