/// The operations that lead from one value to the next, as they are found.
///
/// Goes along a path, and writes each operation as JSON straight away, with a comma after it.
final class ValueDifference {
  let engine: EncodingEngine

  // Safe: free of exclusivity checks, for no closure touches these while they are being changed.
  /// The operations so far, each with a comma.
  @exclusivity(unchecked) private(set) var operations = JSONWriter()
  /// The pointer to the current place as it stands in JSON text, without quotes.
  @exclusivity(unchecked) private var path: [UInt8] = []

  /// Elements of arrays that the operations may still move aside: a quarter of what applying a
  /// patch allows. Then a whole array is replaced.
  private var shifts = 1 << 26

  init(engine: EncodingEngine) {
    self.engine = engine
  }

  /// The patch, and nothing is left here.
  func patch() -> [UInt8] {
    var patch = JSONWriter(capacity: operations.count + 2)
    patch.append(UInt8(ascii: "["))
    operations.withBytes { patch.append($0) }
    patch.close(UInt8(ascii: "]"))
    return patch.bytes()
  }

  // MARK: Places

  /// Goes to a member, by its key as JSON text without quotes, and back.
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

  /// Goes to an element and back.
  func at<R>(index: Int, _ body: () throws -> R) rethrows -> R {
    try at(key: String(index).utf8, body)
  }

  // MARK: Operations

  func noteRemoval() {
    begin(#"{"op":"remove","path":""#)
    operations.append(literal: #""},"#)
  }

  func noteAddition(_ writeValue: (inout JSONWriter) throws -> Void) rethrows {
    begin(#"{"op":"add","path":""#)
    try finish(writeValue)
  }

  func noteReplacement(_ writeValue: (inout JSONWriter) throws -> Void) rethrows {
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

  /// The bytes that replacing the value here takes, without the value's own.
  private var replacementCost: Int {
    Self.replacement.utf8CodeUnitCount + path.count + #"","value":},"#.utf8.count
  }

  /// How far the operations had come at one time.
  struct Mark {
    fileprivate var operations: Int
    fileprivate var shifts: Int
  }

  /// To be taken before a value's parts are visited, and settled after.
  func mark() -> Mark {
    Mark(operations: operations.count, shifts: shifts)
  }

  /// Replaces what was noted since `mark` by one replacement of the whole value here, if that has
  /// fewer bytes.
  ///
  /// - Parameters:
  ///   - leastByteCount: The value has no fewer bytes than this, which is quickly told.
  ///   - byteCount: How many it has.
  func settle(
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
    try noteReplacement(replacement)
  }

  /// Notes that an operation moves so many elements aside.
  func noteShift(of count: Int) {
    shifts -= count
  }

  // MARK: Parts of large values

  /// Notes how a stretch of an array changed, given as two arrays' texts. Returns the growth.
  ///
  /// - Parameters:
  ///   - firstIndex: Where the stretch begins in the whole array.
  ///   - following: The elements after the stretch, which insertions move.
  func noteElements(
    _ old: Skeleton, _ new: Skeleton, firstIndex: Int, following: Int
  ) throws -> Int {
    let walk = SkeletonWalk(old: old, new: new, difference: self)
    try walk.visitElements(
      old.elements(ofArrayAt: 0), new.elements(ofArrayAt: 0), firstIndex: firstIndex,
      following: following)
    return try walk.growth()
  }

  /// Notes how a member changed, came or went. Returns the growth of the object's text, commas
  /// left out.
  func noteMember<Value: Encodable>(
    _ name: [UInt8], _ old: Value?, _ new: Value?, nesting: Int
  ) throws -> Int {
    // Quotes and a colon.
    let keyCount = name.count + 3
    return try at(key: name) {
      switch (old, new) {
      case (let old?, let new?):
        return try noteChange(
          engine.skeleton(nesting: nesting + 1) { try $0.encode(old) },
          engine.skeleton(nesting: nesting + 1) { try $0.encode(new) })
      case (let old?, nil):
        noteRemoval()
        return try -keyCount - text(of: old, nesting: nesting + 1).count
      case (nil, let new?):
        let text = try text(of: new, nesting: nesting + 1)
        noteAddition { $0.append(text) }
        return keyCount + text.count
      case (nil, nil):
        return 0
      }
    }
  }

  private func noteChange(_ old: Skeleton, _ new: Skeleton) throws -> Int {
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
