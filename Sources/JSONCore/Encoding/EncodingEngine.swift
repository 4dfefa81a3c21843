import Synchronization

/// The state shared by all containers of one encoding: the bytes, and which value is open.
///
/// Containers write directly to the bytes. That works as long as they are used like a stack: a
/// nested container is finished before its parent is used again. A value that breaks this rule is
/// encoded a second time, as a tree (`EncodingTree`).
///
/// Engines are never released. Containers hold unretained references to them, because reference
/// counting took a quarter of the time; and a container that is used after its `encode(to:)` must
/// still find a valid engine. It finds that its serial is not open, and throws. Engines are
/// recycled, so there are never more of them than concurrent encodings.
///
/// Safe: `lend` gives an engine to one encoding at a time; stray containers of an earlier one only
/// read `current` and `firstSerial`.
final class EncodingEngine: @unchecked Sendable {
  // The fields are free of exclusivity checks, a fifth of the time: no closure runs while one of
  // them is being changed.
  @exclusivity(unchecked) var out = JSONWriter(capacity: 4096)
  @exclusivity(unchecked) var frames: UnsafeMutablePointer<EncodingFrame>
  @exclusivity(unchecked) private var frameCapacity = 32

  /// The index of the innermost open frame. Frame 0 contains the root value.
  @exclusivity(unchecked) var top = 0

  /// The serial of the innermost open frame.
  @exclusivity(unchecked) var current = 0

  /// The last serial that was assigned.
  @exclusivity(unchecked) private(set) var lastSerial = 0

  /// The first serial of this encoding: a container with a lower one belongs to one that is over.
  @exclusivity(unchecked) private var firstSerial = 1

  /// The number of arrays and objects that are open.
  @exclusivity(unchecked) var nesting = 0

  /// The lowest serial of the containers that were used out of turn: the value that it belongs to,
  /// and no other, must be encoded as a tree.
  @exclusivity(unchecked) var outOfTurn = EncodingEngine.inTurn

  /// Types that had to be encoded as a tree: from then on they start as a tree. Otherwise nested
  /// values of these types would be encoded twice at each level.
  @exclusivity(unchecked) var treeTypes: Set<ObjectIdentifier> = []

  /// An error from a container that cannot throw; the next call that can throws it.
  @exclusivity(unchecked) var failure: (any Error)?

  @exclusivity(unchecked) var memberKeys = MemberKeys()

  /// Keys of the frames that containers opened themselves, which outlive the call.
  @exclusivity(unchecked) var ownedKeys: [any CodingKey] = []

  /// Complete paths of values that a tree encodes separately.
  @exclusivity(unchecked) var ownedPaths: [[any CodingKey]] = []

  @exclusivity(unchecked) var userInfo: [CodingUserInfoKey: any Sendable] = [:]
  @exclusivity(unchecked) var limits = JSONLimits.standard
  @exclusivity(unchecked) var directTypes = DirectTypes()

  /// Whether large values are left out of the text, to be compared instead (see `Skeleton`).
  @exclusivity(unchecked) var leavesGaps = false

  /// What was left out.
  @exclusivity(unchecked) var gaps: [Skeleton.Gap] = []

  /// How types can be compared, as a cache.
  @exclusivity(unchecked) var layouts: [ObjectIdentifier: ByteLayout?] = [:]

  /// No container was used out of turn.
  static let inTurn = Int.max

  /// A container was used out of turn whose value returned long ago: no tree helps.
  static let lost = 0

  /// Whether a container was used out of turn.
  @inline(__always)
  var isOutOfTurn: Bool { outOfTurn != Self.inTurn }

  /// Whether an encoding has it, or had it when this process was forked from that encoding's.
  private let isLent = Atomic(true)

  /// The engine that was made before this one. Set once, before this one is shared.
  private var previous: EncodingEngine?

  private init() {
    frames = .allocate(capacity: frameCapacity)
    frames.initialize(to: EncodingFrame(serial: 0, start: 0, keyBase: 0))
  }

  // No `deinit`: engines are not released.

  // MARK: One encoding

  /// The address of the engine that was made last, which is never released; 0 without one.
  ///
  /// No lock: after a fork, a thread that held it would not exist in the child.
  private static let last = Atomic<UInt>(0)

  /// Claims an idle engine, or makes a new one.
  private static func claimIdle() -> EncodingEngine {
    var head = last.load(ordering: .acquiring)
    var next = engine(at: head)
    // As many as there were encodings at one time, so they are few.
    while let engine = next {
      if !engine.isLent.load(ordering: .relaxed),
        !engine.isLent.exchange(true, ordering: .acquiringAndReleasing)
      {
        return engine
      }
      next = engine.previous
    }
    let new = EncodingEngine()
    // Safe: retained once and for good, as all of them are.
    let address = UInt(bitPattern: Unmanaged.passRetained(new).toOpaque())
    while true {
      new.previous = engine(at: head)
      let (isAdded, found) = last.compareExchange(
        expected: head, desired: address, ordering: .acquiringAndReleasing)
      if isAdded { return new }
      head = found
    }
  }

  private static func engine(at address: UInt) -> EncodingEngine? {
    guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
    // Safe: what has its address in `last` was retained for good.
    return Unmanaged<EncodingEngine>.fromOpaque(pointer).takeUnretainedValue()
  }

  /// An engine that is kept waiting gives back what it holds beyond this. Most states fit.
  private static let keptCapacity = 1 << 20

  /// Lends an engine that is set up as `encoder` says.
  static func lend<R>(
    to encoder: CanonicalEncoder, _ body: (EncodingEngine) throws -> R
  ) rethrows -> R {
    let engine = claimIdle()
    engine.begin(encoder)
    defer {
      engine.end()
      engine.isLent.store(false, ordering: .releasing)
    }
    return try body(engine)
  }

  private func begin(_ encoder: CanonicalEncoder) {
    // Again, for a stray container may have asked for something meanwhile.
    reset()
    firstSerial = lastSerial &+ 1
    userInfo = encoder.userInfo
    limits = encoder.limits
  }

  private func end() {
    reset()
    out.reset(keeping: Self.keptCapacity)
    userInfo = [:]
    treeTypes = []
  }

  /// Closes everything and forgets what was written, ready for another root value.
  func reset() {
    out.truncate(to: 0)
    top = 0
    current = 0
    frames[0].kind = .empty
    frames[0].edge = .none
    nesting = 0
    outOfTurn = Self.inTurn
    failure = nil
    memberKeys.removeAll()
    ownedKeys.removeAll(keepingCapacity: true)
    ownedPaths.removeAll(keepingCapacity: true)
    leavesGaps = false
    gaps = []
  }

  func encodeRoot<Value: Encodable>(_ value: Value) throws {
    do {
      try encode(value)
    } catch is OutOfTurn {
      throw misuse(of: value)
    }
    if isOutOfTurn { throw misuse(of: value) }
    if frames[0].kind == .nothing {
      throw EncodingError.invalidValue(
        value, .init(codingPath: [], debugDescription: "\(Value.self) did not encode any values."))
    }
  }

  private func misuse<Value>(of value: Value) -> EncodingError {
    EncodingError.invalidValue(
      value,
      .init(
        codingPath: [],
        debugDescription: "A container was used after the encode(to:) that it belongs to returned.")
    )
  }

  // MARK: Frames

  /// Opens a frame inside the innermost one.
  @inline(__always)
  func push() throws {
    // Every frame is a recursion through a value's `encode(to:)`; a frame need not open a
    // container, so there may be twice as many of them.
    if top > 2 * limits.depth { throw tooDeep() }
    pushUnchecked()
  }

  @inline(__always)
  func pushUnchecked() {
    top &+= 1
    if top == frameCapacity { growFrames() }
    lastSerial &+= 1
    current = lastSerial
    (frames + top).initialize(
      to: EncodingFrame(serial: lastSerial, start: out.count, keyBase: memberKeys.count))
  }

  @inline(never)
  private func growFrames() {
    let larger = UnsafeMutablePointer<EncodingFrame>.allocate(capacity: frameCapacity * 2)
    larger.update(from: frames, count: top)
    frames.deallocate()
    frames = larger
    frameCapacity *= 2
  }

  /// Finishes what the innermost frame has written, and leaves it.
  @inline(__always)
  func closeTop() {
    let frame = frames + top
    switch frame.pointee.kind {
    case .keyed:
      out.close(UInt8(ascii: "}"))
      nesting &-= 1
    case .unkeyed:
      out.close(UInt8(ascii: "]"))
      nesting &-= 1
    case .empty:
      // Like JSONEncoder: a value that encodes nothing is an empty object.
      out.append(literal: "{}")
      if top == 1 { frames[0].kind = .nothing }
    case .single, .nothing: break
    }
    // The caller that encodes a value writes its comma; a nested container has no such caller.
    if frame.pointee.isNested { out.append(UInt8(ascii: ",")) }
    leaveTop()
  }

  @inline(__always)
  func leaveTop() {
    memberKeys.truncate(to: frames[top].keyBase)
    if frames[top].isNested { ownedKeys.removeLast() }
    top &-= 1
    current = frames[top].serial
  }

  /// Closes frames that containers opened, down to the frame at `level`.
  @inline(__always)
  func close(downTo level: Int) {
    while top > level { closeTop() }
  }

  /// Makes the innermost frame an array or object. False, with the failure noted, when too deep.
  func open(_ kind: EncodingFrame.Kind) -> Bool {
    guard nesting < limits.depth else {
      failure = tooDeep()
      return false
    }
    nesting &+= 1
    frames[top].kind = kind
    out.append(kind == .keyed ? UInt8(ascii: "{") : UInt8(ascii: "["))
    return true
  }

  /// The serial of a container that refuses everything.
  static let refused = -1

  /// Whether a container with that serial may write now. Closes what was opened inside it.
  @inline(__always)
  func enter(_ serial: Int) -> Bool {
    current == serial && failure == nil || reach(serial)
  }

  @inline(never)
  private func reach(_ serial: Int) -> Bool {
    guard !isOver(serial), failure == nil else { return false }
    var level = top
    while level > 0, frames[level].serial != serial, frames[level].isNested { level -= 1 }
    guard level > 0, frames[level].serial == serial else {
      recordOutOfTurn(serial == Self.refused ? current : serial)
      return false
    }
    close(downTo: level)
    return true
  }

  /// Whether a container with that serial belongs to an encoding that is over. It may not write,
  /// but that is not an error of the encoding that uses the engine now.
  private func isOver(_ serial: Int) -> Bool {
    serial != Self.refused && serial < firstSerial
  }

  /// Records that the container with that serial was used out of turn.
  func recordOutOfTurn(_ serial: Int) {
    outOfTurn = min(outOfTurn, serial)
  }

  /// The error to throw after `enter` refused a container with that serial.
  func refusal(of serial: Int) -> any Error {
    isOver(serial) ? OutOfTurn() : failure ?? OutOfTurn()
  }

  /// Thrown to leave a value's `encode(to:)` early; never reaches a caller.
  struct OutOfTurn: Error {}

  private func tooDeep() -> EncodingError {
    EncodingError.invalidValue(
      limits.depth,
      .init(
        codingPath: codingPath(),
        debugDescription: "The value nests deeper than \(limits.depth) arrays and objects."))
  }

  // MARK: Going back

  /// A place to go back to when a value throws.
  struct Mark {
    var level: Int
    var length: Int
    var nesting: Int
    var memberKeys: Int
    var ownedKeys: Int
    var ownedPaths: Int
    var gaps: Int
  }

  @inline(__always)
  func mark() -> Mark {
    Mark(
      level: top, length: out.count, nesting: nesting, memberKeys: memberKeys.count,
      ownedKeys: ownedKeys.count, ownedPaths: ownedPaths.count,
      gaps: gaps.count)
  }

  /// Forgets everything since `mark`: someone may catch the error and go on without the member.
  @inline(never)
  func goBack(to mark: Mark) {
    top = mark.level
    current = frames[top].serial
    out.truncate(to: mark.length)
    nesting = mark.nesting
    memberKeys.truncate(to: mark.memberKeys)
    ownedKeys.removeSubrange(mark.ownedKeys...)
    ownedPaths.removeSubrange(mark.ownedPaths...)
    gaps.removeSubrange(mark.gaps...)
    failure = nil
  }
}
