/// A walk over two values' texts that records where they differ.
///
/// Where both have a gap, it compares the omitted values; where only one has a gap, or anything
/// else differs, it writes texts.
final class SkeletonWalk {
  private let old: Skeleton
  private let difference: ValueDifference

  // Safe: free of exclusivity checks, for no closure touches these while they are being changed.
  @exclusivity(unchecked) private(set) var new: Skeleton
  /// By how much the values of gaps that stand for one another have grown, by the old gap's place.
  @exclusivity(unchecked) private var growthOfGaps: [Int?]
  @exclusivity(unchecked) private var isNewGapPaired: [Bool]

  init(old: Skeleton, new: Skeleton, difference: ValueDifference) {
    self.old = old
    self.new = new
    self.difference = difference
    growthOfGaps = Array(repeating: nil, count: old.gaps.count)
    isNewGapPaired = Array(repeating: false, count: new.gaps.count)
  }

  /// Records the difference of the whole values.
  func visitRoot() throws {
    let (oldValue, newValue) = (0..<old.bytes.count, 0..<new.bytes.count)
    if !isIdentical(oldValue, newValue) { try visit(oldValue, newValue) }
  }

  /// By how many bytes the complete new text is longer.
  func growth() throws -> Int {
    var growth = new.bytes.count - old.bytes.count
    for value in growthOfGaps { growth += value ?? 0 }
    // A gap is a byte already.
    for index in new.gaps.indices where !isNewGapPaired[index] {
      growth += try byteCount(ofNewGap: index) - 1
    }
    for (index, gap) in old.gaps.enumerated() where growthOfGaps[index] == nil {
      growth -= try (gap.byteCount ?? text(of: gap).count) - 1
    }
    return growth
  }

  // MARK: Values

  private func visit(_ oldValue: Range<Int>, _ newValue: Range<Int>) throws {
    switch (old.bytes[oldValue.lowerBound], new.bytes[newValue.lowerBound]) {
    case (UInt8(ascii: "{"), UInt8(ascii: "{")): return try visitObjects(oldValue, newValue)
    case (UInt8(ascii: "["), UInt8(ascii: "[")): return try visitArrays(oldValue, newValue)
    case (Skeleton.mark, Skeleton.mark):
      return try visitGaps(oldValue.lowerBound, newValue.lowerBound)
    case (Skeleton.mark, UInt8(ascii: "{")), (Skeleton.mark, UInt8(ascii: "[")):
      let gap = old.gaps[old.gaps(in: oldValue).lowerBound]
      return try visitAcrossLimit(oldValue, newValue, gap) { try text(of: newValue, in: new) }
    case (UInt8(ascii: "{"), Skeleton.mark), (UInt8(ascii: "["), Skeleton.mark):
      let gap = new.gaps[new.gaps(in: newValue).lowerBound]
      return try visitAcrossLimit(oldValue, newValue, gap) { try text(of: oldValue, in: old) }
    default: break
    }
    // Scalars that differ, or values of different kinds.
    try difference.recordReplacement { try write(newValue, to: &$0) }
  }

  private func visitObjects(_ oldObject: Range<Int>, _ newObject: Range<Int>) throws {
    let mark = difference.mark()
    var (oldPlace, newPlace) = (oldObject.lowerBound + 1, newObject.lowerBound + 1)
    // What both begin with is looked through once, for whatever ends before it does ends in both.
    let shared = oldObject.lowerBound + sharedBytes(oldObject, newObject)
    let shift = newObject.lowerBound - oldObject.lowerBound
    // Members mostly come in the same order; what follows the first other key is paired by key.
    while old.bytes[oldPlace] == UInt8(ascii: "\""), new.bytes[newPlace] == UInt8(ascii: "\"") {
      let oldKeyEnd = old.end(ofStringAt: oldPlace)
      let isShared = oldKeyEnd < shared
      let newKeyEnd = isShared ? oldKeyEnd + shift : new.end(ofStringAt: newPlace)
      let (oldKey, newKey) = (oldPlace + 1..<oldKeyEnd - 1, newPlace + 1..<newKeyEnd - 1)
      guard isShared || hasSameBytes(oldKey, newKey) else { break }
      let oldValue = oldKeyEnd + 1..<old.end(ofValueAt: oldKeyEnd + 1)
      let newValueEnd =
        oldValue.upperBound < shared
        ? oldValue.upperBound + shift : new.end(ofValueAt: newKeyEnd + 1)
      let newValue = newKeyEnd + 1..<newValueEnd
      try visitMember(newKey, oldValue, newValue)
      (oldPlace, newPlace) = (oldValue.upperBound, newValue.upperBound)
      if old.bytes[oldPlace] == UInt8(ascii: ",") { oldPlace += 1 }
      if new.bytes[newPlace] == UInt8(ascii: ",") { newPlace += 1 }
    }
    try visitMembers(old.members(from: oldPlace), new.members(from: newPlace))
    try replaceIfShorter(mark, newObject)
  }

  private func visitMember(
    _ key: Range<Int>, _ oldValue: Range<Int>, _ newValue: Range<Int>
  ) throws {
    if isIdentical(oldValue, newValue) { return }
    try difference.at(key: new.bytes[key]) { try visit(oldValue, newValue) }
  }

  /// Members in any order.
  private func visitMembers(_ oldRest: [Skeleton.Member], _ newRest: [Skeleton.Member]) throws {
    if oldRest.isEmpty, newRest.isEmpty { return }
    var places: [ArraySlice<UInt8>: Int] = [:]
    for (place, member) in newRest.enumerated() { places[new.bytes[member.key]] = place }
    var isPaired = [Bool](repeating: false, count: newRest.count)
    for member in oldRest {
      if let place = places[old.bytes[member.key]] {
        isPaired[place] = true
        try visitMember(newRest[place].key, member.value, newRest[place].value)
      } else {
        difference.at(key: old.bytes[member.key]) { difference.recordRemoval() }
      }
    }
    for (place, member) in newRest.enumerated() where !isPaired[place] {
      try difference.at(key: new.bytes[member.key]) {
        try difference.recordAddition { try write(member.value, to: &$0) }
      }
    }
  }

  private func visitArrays(_ oldArray: Range<Int>, _ newArray: Range<Int>) throws {
    let mark = difference.mark()
    try visitElements(
      old.elements(ofArrayAt: oldArray.lowerBound), new.elements(ofArrayAt: newArray.lowerBound),
      firstIndex: 0, following: 0)
    try replaceIfShorter(mark, newArray)
  }

  private func replaceIfShorter(_ mark: ValueDifference.Mark, _ value: Range<Int>) throws {
    try difference.replaceIfShorter(
      mark, leastByteCount: leastByteCount(of: value), byteCount: try byteCount(of: value)
    ) {
      try write(value, to: &$0)
    }
  }

  // MARK: Elements

  /// Records how a range of an array changed.
  ///
  /// Elements are matched by their common beginning and end, then by the member `id` of objects
  /// that have one, otherwise by equality; the elements between matches are paired in order.
  ///
  /// - Parameters:
  ///   - firstIndex: The position of the range in the whole array.
  ///   - following: The number of elements after the range.
  func visitElements(
    _ oldElements: [Range<Int>], _ newElements: [Range<Int>], firstIndex: Int, following: Int
  ) throws {
    let shorter = min(oldElements.count, newElements.count)
    var first = 0
    while first < shorter, isIdentical(oldElements[first], newElements[first]) { first += 1 }
    var last = 0
    while last < shorter - first,
      isIdentical(
        oldElements[oldElements.count - 1 - last], newElements[newElements.count - 1 - last])
    {
      last += 1
    }
    let (oldEnd, newEnd) = (oldElements.count - last, newElements.count - last)
    var (oldPlace, newPlace) = (first, first)
    for match in matches(oldElements[first..<oldEnd], newElements[first..<newEnd]) {
      while oldPlace < match.old, newPlace < match.new {
        try visitElement(oldElements[oldPlace], newElements[newPlace], firstIndex + newPlace)
        (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1)
      }
      while oldPlace < match.old {
        difference.at(index: firstIndex + newPlace) { difference.recordRemoval() }
        oldPlace += 1
        difference.recordShift(of: oldElements.count - oldPlace + following)
      }
      while newPlace < match.new {
        try difference.at(index: firstIndex + newPlace) {
          try difference.recordAddition { try write(newElements[newPlace], to: &$0) }
        }
        difference.recordShift(of: oldElements.count - oldPlace + following)
        newPlace += 1
      }
      guard match.old < oldEnd else { break }
      try visitElement(oldElements[oldPlace], newElements[newPlace], firstIndex + newPlace)
      (oldPlace, newPlace) = (oldPlace + 1, newPlace + 1)
    }
  }

  private func visitElement(_ oldValue: Range<Int>, _ newValue: Range<Int>, _ index: Int) throws {
    if isIdentical(oldValue, newValue) { return }
    try difference.at(index: index) { try visit(oldValue, newValue) }
  }

  /// The places of elements that stand for one another, ascending, and the two ends.
  private func matches(
    _ oldElements: ArraySlice<Range<Int>>, _ newElements: ArraySlice<Range<Int>>
  ) -> [SequenceMatch] {
    let end = SequenceMatch(old: oldElements.endIndex, new: newElements.endIndex)
    guard !oldElements.isEmpty, !newElements.isEmpty,
      max(oldElements.count, newElements.count) > 1
    else { return [end] }
    var symbols: [[UInt8]: Int] = [:]
    func number(_ elements: ArraySlice<Range<Int>>, _ skeleton: Skeleton) -> [Int] {
      elements.map { element in
        let key = skeleton.elementKey(element)
        if let symbol = symbols[key] { return symbol }
        symbols[key] = symbols.count
        return symbols.count - 1
      }
    }
    let oldSymbols = number(oldElements, old)
    let matches = SequenceAlignment.matches(oldSymbols, number(newElements, new)).map {
      SequenceMatch(old: $0.old + oldElements.startIndex, new: $0.new + newElements.startIndex)
    }
    return matches + [end]
  }

  // MARK: Gaps

  private func visitGaps(_ oldStart: Int, _ newStart: Int) throws {
    let oldIndex = old.gaps(in: oldStart..<oldStart + 1).lowerBound
    let newIndex = new.gaps(in: newStart..<newStart + 1).lowerBound
    let (oldGap, newGap) = (old.gaps[oldIndex], new.gaps[newIndex])
    if newGap.value.isIdentical(to: oldGap.value) { return pair(oldIndex, newIndex, growth: 0) }
    let mark = difference.mark()
    let growth = try newGap.value.recordDifference(
      from: oldGap.value, nesting: newGap.nesting, in: difference)
    if let growth {
      pair(oldIndex, newIndex, growth: growth)
      try replaceIfShorter(mark, newStart..<newStart + 1)
    } else {
      try difference.recordReplacement { try write(newStart..<newStart + 1, to: &$0) }
    }
  }

  /// Notes how a collection changed that is left out on one side only, because it grew or shrank
  /// past the limit.
  ///
  /// Both sides are compared as text, so the patch is the one that a step below the limit gets. The
  /// limit depends on the types in memory, and a replay may hold the same state in other types.
  private func visitAcrossLimit(
    _ oldValue: Range<Int>, _ newValue: Range<Int>, _ gap: Skeleton.Gap,
    otherText: () throws -> [UInt8]
  ) throws {
    guard let count = gap.value.partCount,
      !isReplacementShorter(partCount: count, otherByteCount: try otherText().count)
    else {
      return try difference.recordReplacement { try write(newValue, to: &$0) }
    }
    let walk = SkeletonWalk(
      old: Skeleton(bytes: try text(of: oldValue, in: old), gaps: []),
      new: Skeleton(bytes: try text(of: newValue, in: new), gaps: []), difference: difference)
    try walk.visitRoot()
  }

  /// Whether the numbers of parts alone prove that replacing is shorter than the operations that
  /// would be found, as when a large list is cleared.
  ///
  /// Each operation adds at least 25 bytes besides keys and values, and a replacement adds at most
  /// 36.
  private func isReplacementShorter(partCount: Int, otherByteCount: Int) -> Bool {
    // A part takes at least two bytes with its comma.
    let leastOperations = partCount - otherByteCount / 2
    return leastOperations * 25 > otherByteCount + 36
  }

  private func text(of range: Range<Int>, in skeleton: Skeleton) throws -> [UInt8] {
    var writer = JSONWriter(capacity: range.count)
    _ = try skeleton.write(range, to: &writer, engine: difference.engine)
    return writer.bytes()
  }

  private func pair(_ oldIndex: Int, _ newIndex: Int, growth: Int) {
    growthOfGaps[oldIndex] = growth
    isNewGapPaired[newIndex] = true
    if let known = old.gaps[oldIndex].byteCount { new.gaps[newIndex].byteCount = known + growth }
  }

  /// Whether both texts are the same and what was left out of them is the same storage.
  private func isIdentical(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> Bool {
    guard hasSameBytes(oldRange, newRange) else { return false }
    let (oldGaps, newGaps) = (old.gaps(in: oldRange), new.gaps(in: newRange))
    for (oldIndex, newIndex) in zip(oldGaps, newGaps) {
      guard new.gaps[newIndex].value.isIdentical(to: old.gaps[oldIndex].value) else {
        return false
      }
    }
    for (oldIndex, newIndex) in zip(oldGaps, newGaps) { pair(oldIndex, newIndex, growth: 0) }
    return true
  }

  // Safe: the ranges are slices of the buffers that are lent, which checks them.
  private func hasSameBytes(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> Bool {
    guard oldRange.count == newRange.count else { return false }
    return old.bytes.withUnsafeBytes { old in
      new.bytes.withUnsafeBytes { new in
        UnsafeRawBufferPointer(rebasing: old[oldRange])
          .hasSameBytes(as: UnsafeRawBufferPointer(rebasing: new[newRange]))
      }
    }
  }

  /// How many bytes both begin with.
  private func sharedBytes(_ oldRange: Range<Int>, _ newRange: Range<Int>) -> Int {
    old.bytes.withUnsafeBytes { old in
      new.bytes.withUnsafeBytes { new in
        UnsafeRawBufferPointer(rebasing: old[oldRange])
          .sharedPrefix(with: UnsafeRawBufferPointer(rebasing: new[newRange]))
      }
    }
  }

  // MARK: Whole texts of new values

  private func write(_ range: Range<Int>, to writer: inout JSONWriter) throws {
    new.gaps = try new.write(range, to: &writer, engine: difference.engine)
  }

  private func text(of gap: Skeleton.Gap) throws -> [UInt8] {
    try difference.engine.wholeText(of: gap.value, nesting: gap.nesting)
  }

  private func byteCount(ofNewGap index: Int) throws -> Int {
    if let known = new.gaps[index].byteCount { return known }
    let count = try text(of: new.gaps[index]).count
    new.gaps[index].byteCount = count
    return count
  }

  private func byteCount(of range: Range<Int>) throws -> Int {
    try new.gaps(in: range).reduce(range.count) { try $0 + byteCount(ofNewGap: $1) - 1 }
  }

  private func leastByteCount(of range: Range<Int>) -> Int {
    new.gaps(in: range).reduce(range.count) { $0 + new.gaps[$1].value.leastByteCount - 1 }
  }
}
