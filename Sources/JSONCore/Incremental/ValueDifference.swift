/// The operations that turn one value into the next.
///
/// It tracks the current path, and writes each operation as JSON immediately, followed by a comma.
final class ValueDifference {
  let engine: EncodingEngine

  // Safe: free of exclusivity checks, for no closure touches these while they are being changed.
  /// The operations so far, each with a comma.
  @exclusivity(unchecked) private(set) var operations = JSONWriter()
  /// The pointer to the current place as it appears in JSON text, without quotes.
  @exclusivity(unchecked) private var path: [UInt8] = []

  /// The number of array elements that the operations may still shift: initially a quarter of what
  /// applying a patch allows. Beyond that, a whole array is replaced.
  private var shifts = 1 << 26

  init(engine: EncodingEngine) {
    self.engine = engine
  }

  func patch() -> [UInt8] {
    var patch = JSONWriter(capacity: operations.count + 2)
    patch.append(UInt8(ascii: "["))
    operations.withBytes { patch.append($0) }
    patch.close(UInt8(ascii: "]"))
    return patch.bytes()
  }

  // MARK: Places

  /// Runs `body` at a member, given its key as JSON text without quotes.
  func at<R>(key: some Sequence<UInt8>, _ body: () throws -> R) rethrows -> R {
    let before = path.count
    path.append(UInt8(ascii: "/"))
    // JSON's escapes contain neither of the two characters that pointers escape.
    for byte in key {
      switch byte {
      case UInt8(ascii: "~"): path += [UInt8(ascii: "~"), UInt8(ascii: "0")]
      case UInt8(ascii: "/"): path += [UInt8(ascii: "~"), UInt8(ascii: "1")]
      default: path.append(byte)
      }
    }
    defer { path.removeLast(path.count - before) }
    return try body()
  }

  /// Runs `body` at an element.
  func at<R>(index: Int, _ body: () throws -> R) rethrows -> R {
    try at(key: String(index).utf8, body)
  }

  // MARK: Operations

  func recordRemoval() {
    begin(#"{"op":"remove","path":""#)
    operations.append(literal: #""},"#)
  }

  func recordAddition(_ writeValue: (inout JSONWriter) throws -> Void) rethrows {
    begin(#"{"op":"add","path":""#)
    try finish(writeValue)
  }

  func recordReplacement(_ writeValue: (inout JSONWriter) throws -> Void) rethrows {
    begin(Self.replacement)
    try finish(writeValue)
  }

  private static let replacement: StaticString = #"{"op":"replace","path":""#

  private func begin(_ head: StaticString) {
    operations.append(literal: head)
    operations.append(path)
  }

  private func finish(_ writeValue: (inout JSONWriter) throws -> Void) rethrows {
    operations.append(literal: #"","value":"#)
    try writeValue(&operations)
    operations.append(literal: "},")
  }

  /// The bytes of an operation that replaces the current value, without the value's own.
  private var replacementCost: Int {
    Self.replacement.utf8CodeUnitCount + path.count + #"","value":},"#.utf8.count
  }

  /// The operations at one point in time.
  struct Mark {
    fileprivate var operations: Int
    fileprivate var shifts: Int
  }

  /// Call before visiting a value's parts, and pass the result to `replaceIfShorter` afterwards.
  func mark() -> Mark {
    Mark(operations: operations.count, shifts: shifts)
  }

  /// Replaces the operations since `mark` by one replacement of the whole current value, if that
  /// has fewer bytes.
  ///
  /// - Parameters:
  ///   - leastByteCount: A lower bound of the value's bytes, which is cheap to compute.
  ///   - byteCount: The exact number of bytes.
  func replaceIfShorter(
    _ mark: Mark, leastByteCount: @autoclosure () -> Int, byteCount: @autoclosure () throws -> Int,
    replacement: (inout JSONWriter) throws -> Void
  ) throws {
    let cost = operations.count - mark.operations - replacementCost
    if shifts >= 0 {
      if cost <= 0 || cost <= leastByteCount() { return }
      if try cost <= byteCount() { return }
    }
    operations.truncate(to: mark.operations)
    shifts = mark.shifts
    try recordReplacement(replacement)
  }

  /// Records that an operation shifts this many elements.
  func recordShift(of count: Int) {
    shifts -= count
  }

  // MARK: Parts of large values

  /// Records how a range of an array changed, given as two arrays' texts. Returns the growth.
  ///
  /// - Parameters:
  ///   - firstIndex: The position of the range in the whole array.
  ///   - following: The number of elements after the range, which insertions shift.
  func recordElements(
    _ old: Skeleton, _ new: Skeleton, firstIndex: Int, following: Int
  ) throws -> Int {
    let walk = SkeletonWalk(old: old, new: new, difference: self)
    try walk.visitElements(
      old.elements(ofArrayAt: 0), new.elements(ofArrayAt: 0), firstIndex: firstIndex,
      following: following)
    return try walk.growth()
  }

  /// Records how a member was changed, added, or removed. Returns the growth of the object's text
  /// without commas.
  func recordMember<Value: Encodable>(
    _ name: [UInt8], _ old: Value?, _ new: Value?, nesting: Int
  ) throws -> Int {
    // Quotes and a colon.
    let keyCount = name.count + 3
    return try at(key: name) {
      switch (old, new) {
      case (let old?, let new?):
        return try recordChange(
          engine.skeleton(nesting: nesting + 1) { try $0.encode(old) },
          engine.skeleton(nesting: nesting + 1) { try $0.encode(new) })
      case (let old?, nil):
        recordRemoval()
        return try -keyCount - text(of: old, nesting: nesting + 1).count
      case (nil, let new?):
        let text = try text(of: new, nesting: nesting + 1)
        recordAddition { $0.append(text) }
        return keyCount + text.count
      case (nil, nil):
        return 0
      }
    }
  }

  private func recordChange(_ old: Skeleton, _ new: Skeleton) throws -> Int {
    let walk = SkeletonWalk(old: old, new: new, difference: self)
    try walk.visitRoot()
    return try walk.growth()
  }

  private func text(of value: some Encodable, nesting: Int) throws -> [UInt8] {
    engine.reset()
    engine.nesting = nesting
    try engine.encode(value)
    return engine.out.bytes()
  }
}
