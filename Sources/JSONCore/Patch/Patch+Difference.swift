extension Patch {
  /// The patch that turns one value into the other, with only `add`, `remove`, and `replace`.
  ///
  /// - Parts that share their storage are skipped, so that the work depends on the change if `new`
  ///   was made from `old`.
  /// - Elements of arrays are matched by their common beginning and end, then by the member `id` of
  ///   objects that have one, a string or a number, otherwise by equality. An element that moved is
  ///   removed and added.
  /// - At every level the patch is no longer, in bytes, than replacing the whole value there.
  /// - Equal values have an empty patch. The order of members is ignored.
  ///
  /// The work is bounded for any values: beyond the bound, parts count as changed without being
  /// compared. The patch is then longer than necessary, but still correct.
  ///
  /// `path` is the path of the values in the whole; the paths of the patch begin with it.
  public static func difference(
    from old: JSON, to new: JSON, at path: Pointer = .root
  ) -> Patch {
    var difference = PatchBuilder(path: path.tokens)
    difference.visit(old, new)
    return Patch(difference.operations)
  }
}

/// A walk over two values that records where they differ.
private struct PatchBuilder {
  private(set) var operations: [Patch.Operation] = []
  private var path: [String]

  /// The bytes of the operations with a comma each.
  private var cost = 0

  /// The number of values that may still be compared, measured, or hashed: about a second's work.
  private var work = 1 << 25

  /// The number of array elements that the operations may still shift; a quarter of what `apply`
  /// allows.
  private var shifts = 1 << 26

  /// Deeper values are replaced without comparing them; reading does not allow deeper ones.
  private let depth: Int

  init(path: [String]) {
    self.path = path
    depth = path.count + JSONLimits.standard.depth
  }

  mutating func visit(_ old: JSON, _ new: JSON) {
    switch (old, new) {
    case (.object(let old), .object(let object)) where path.count < depth:
      if old.sharesStorage(with: object) { return }
      unlessReplacingIsShorter(new) { $0.visitMembers(old, object) }
    case (.array(let old), .array(let array)) where path.count < depth:
      if old.sharesStorage(with: array) { return }
      unlessReplacingIsShorter(new) { $0.visitElements(old, array) }
    case (.object, .object), (.array, .array):
      replace(with: new)
    default:
      if !isSame(old, new) { replace(with: new) }
    }
  }

  private mutating func visit(_ old: JSON, _ new: JSON, at token: @autoclosure () -> String) {
    // Most children are equal: those need no path.
    if case .some(true) = isSameScalar(old, new) { return }
    path.append(token())
    visit(old, new)
    path.removeLast()
  }

  /// Keeps the operations of `body`, unless it returns `false` or one `replace` has fewer bytes.
  private mutating func unlessReplacingIsShorter(
    _ new: JSON, _ body: (inout PatchBuilder) -> Bool
  ) {
    let (firstOperation, costBefore, shiftsBefore) = (operations.count, cost, shifts)
    let isAllowed = body(&self)
    guard operations.count > firstOperation else { return }
    let nested = cost - costBefore
    let fixed = OperationCost.replace + OperationCost.path(path)
    // Measured only until it is no longer shorter.
    if isAllowed, fixed + measure(new, upTo: nested - fixed) >= nested { return }
    operations.removeSubrange(firstOperation...)
    (cost, shifts) = (costBefore, shiftsBefore)
    replace(with: new)
  }

  private mutating func visitMembers(_ old: JSON.Object, _ new: JSON.Object) -> Bool {
    var shared = 0
    var pairs = MemberPairs(old, new)
    while let (key, value, other) = pairs.next() {
      if let other {
        shared += 1
        visit(value, other, at: key)
      } else {
        remove(at: key)
      }
    }
    guard shared < new.count else { return true }
    pairs = MemberPairs(new, old)
    while let (key, value, other) = pairs.next() {
      if other == nil { add(value, at: key) }
    }
    return true
  }

  private mutating func visitElements(_ old: [JSON], _ new: [JSON]) -> Bool {
    let shorter = min(old.count, new.count)
    var first = 0
    while first < shorter, isSame(old[first], new[first]) { first += 1 }
    var last = 0
    // A single remaining element differs, or it would be part of the common beginning.
    while last < shorter - first, !(last == shorter - first - 1 && old.count == new.count),
      isSame(old[old.count - 1 - last], new[new.count - 1 - last])
    {
      last += 1
    }
    let (oldMiddle, newMiddle) = (old[first..<old.count - last], new[first..<new.count - last])
    var position = first
    var (oldIndex, newIndex) = (first, first)
    var count = old.count
    for match in matches(oldMiddle, newMiddle) {
      while oldIndex < match.old, newIndex < match.new {
        visit(old[oldIndex], new[newIndex], at: String(position))
        position += 1
        oldIndex += 1
        newIndex += 1
      }
      while oldIndex < match.old {
        remove(at: String(position))
        count -= 1
        shifts -= count - position
        oldIndex += 1
      }
      while newIndex < match.new {
        add(new[newIndex], at: String(position))
        shifts -= count - position
        count += 1
        position += 1
        newIndex += 1
      }
      guard shifts >= 0 else { return false }
      guard match.old < oldMiddle.endIndex else { break }
      visit(old[oldIndex], new[newIndex], at: String(position))
      position += 1
      oldIndex += 1
      newIndex += 1
    }
    return true
  }

  /// The positions of matching elements, ascending, and the two ends.
  private mutating func matches(
    _ old: ArraySlice<JSON>, _ new: ArraySlice<JSON>
  ) -> [SequenceMatch] {
    let end = SequenceMatch(old: old.endIndex, new: new.endIndex)
    guard !old.isEmpty, !new.isEmpty, max(old.count, new.count) > 1 else { return [end] }
    var symbols: [ElementKey: Int] = [:]
    guard let oldSymbols = number(old, &symbols), let newSymbols = number(new, &symbols) else {
      return [end]
    }
    let matches = SequenceAlignment.matches(oldSymbols, newSymbols).map {
      SequenceMatch(old: $0.old + old.startIndex, new: $0.new + new.startIndex)
    }
    return matches + [end]
  }

  /// Assigns matching elements the same number; `nil` if that is too much work.
  private mutating func number(
    _ elements: ArraySlice<JSON>, _ symbols: inout [ElementKey: Int]
  ) -> [Int]? {
    var numbers: [Int] = []
    numbers.reserveCapacity(elements.count)
    for element in elements {
      let key = ElementKey(element)
      _ = measure(key.value, upTo: work)
      guard work > 0 else { return nil }
      let next = symbols.count
      numbers.append(symbols[key] ?? next)
      if numbers.last == next { symbols[key] = next }
    }
    return numbers
  }

  // MARK: Comparing within bounds

  /// Whether both are equal; beyond the bound they count as different.
  private mutating func isSame(_ old: JSON, _ new: JSON) -> Bool {
    if let answer = isSameScalar(old, new) { return answer }
    work -= 1
    guard work > 0 else { return false }
    switch (old, new) {
    case (.array(let old), .array(let new)):
      guard old.count == new.count else { return false }
      if old.sharesStorage(with: new) { return true }
      for index in old.indices {
        guard isSame(old[index], new[index]) else { return false }
      }
      return true
    case (.object(let old), .object(let new)):
      guard old.count == new.count else { return false }
      if old.sharesStorage(with: new) { return true }
      var pairs = MemberPairs(old, new)
      while let pair = pairs.next() {
        guard let other = pair.other, isSame(pair.value, other) else { return false }
      }
      return true
    default:
      return false
    }
  }

  /// Whether both are equal, or `nil` when both are arrays or both are objects.
  private mutating func isSameScalar(_ old: JSON, _ new: JSON) -> Bool? {
    work -= 1
    switch (old, new) {
    case (.array, .array), (.object, .object): return nil
    case (.string(let old), .string(let new)):
      let (count, other) = (old.utf8.count, new.utf8.count)
      guard count == other, work > 0 else { return false }
      work -= count / 64
      return old.hasSameBytes(as: new)
    default: return old == new
    }
  }

  /// The bytes of a value, or any number above `limit` if there are more.
  private mutating func measure(_ value: JSON, upTo limit: Int) -> Int {
    // A value takes at least two bytes, including the separator.
    let size = value.byteCount(upTo: min(limit, max(work, 0) * 2))
    work -= size / 2
    return work > 0 ? size : .max / 2
  }

  // MARK: Recording operations

  private mutating func replace(with value: JSON) {
    append(.replace(Pointer(tokens: path), value), OperationCost.replace, value)
  }

  private mutating func add(_ value: JSON, at token: String) {
    path.append(token)
    append(.add(Pointer(tokens: path), value), OperationCost.add, value)
    path.removeLast()
  }

  private mutating func remove(at token: String) {
    path.append(token)
    append(.remove(Pointer(tokens: path)), OperationCost.remove, nil)
    path.removeLast()
  }

  private mutating func append(_ operation: Patch.Operation, _ fixed: Int, _ value: JSON?) {
    operations.append(operation)
    cost += fixed + OperationCost.path(path)
    if let value { cost += value.byteCount() }
  }
}

/// The identity of an element, by which it is matched even if it has changed.
private enum ElementKey: Hashable {
  case id(JSON)
  case whole(JSON)

  init(_ element: JSON) {
    switch element["id"] {
    case .string(let id)?: self = .id(.string(id))
    case .number(let id)?: self = .id(.number(id))
    default: self = .whole(element)
    }
  }

  var value: JSON {
    switch self {
    case .id(let value), .whole(let value): value
    }
  }
}

/// The bytes of written operations, with a comma and without path and value.
private enum OperationCost {
  static let add = #"{"op":"add","path":"","value":},"#.utf8.count
  static let remove = #"{"op":"remove","path":""},"#.utf8.count
  static let replace = #"{"op":"replace","path":"","value":},"#.utf8.count

  /// The bytes of a path between its quotes.
  static func path(_ tokens: [String]) -> Int {
    var count = tokens.count
    for token in tokens {
      for byte in token.utf8 {
        let isEscaped = byte == UInt8(ascii: "~") || byte == UInt8(ascii: "/")
        count += 1 + (isEscaped ? 1 : String.escapeLength(byte))
      }
    }
    return count
  }
}
