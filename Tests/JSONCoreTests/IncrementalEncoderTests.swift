import Foundation
import JSONCore
import Synchronization
import Testing

/// Steps of values, each checked against a full encoding and by applying the patch.
@Suite("Incremental encoder")
struct IncrementalEncoderTests {
  @Test("equals a full encoding after any change, and its patches lead there", arguments: 0..<12)
  func randomMutations(_ seed: UInt64) throws {
    var random = StepGenerator(seed: seed)
    var value = World(random: &random)
    var stepper = try Stepper(value)
    for step in 0..<20 {
      for _ in 0..<random.pick(0..<4) { value.mutate(random: &random) }
      try stepper.advance(to: value, "seed \(seed), step \(step)")
    }
  }

  @Test("agrees without reuse", arguments: 100..<102)
  func withoutReuse(_ seed: UInt64) throws {
    var random = StepGenerator(seed: seed)
    var value = World(random: &random)
    var stepper = try Stepper(value, reuse: false)
    for step in 0..<15 {
      for _ in 0..<random.pick(0..<4) { value.mutate(random: &random) }
      try stepper.advance(to: value, "seed \(seed), step \(step)")
    }
  }

  @Test("patches any value into any other", arguments: 200..<206)
  func unrelatedValues(_ seed: UInt64) throws {
    var random = StepGenerator(seed: seed)
    var stepper = try Stepper(World(random: &random))
    for step in 0..<6 {
      try stepper.advance(to: World(random: &random), "seed \(seed), step \(step)")
    }
  }

  @Test("names the place inside the element that changed")
  func smallestPlace() throws {
    let items = (0..<100).map { Item(id: $0) }
    var changed = items
    changed[40].count = 7
    try expectPatch(
      items, changed, #"[{"op":"replace","path":"/40/count","value":7}]"#)
  }

  @Test("finds an insertion and a removal instead of a hundred replacements")
  func insertionAndRemoval() throws {
    let items = (0..<100).map { Item(id: $0) }
    var inserted = items
    inserted.insert(Item(id: 1_000), at: 50)
    let text = String(decoding: try CanonicalEncoder().encode(Item(id: 1_000)), as: UTF8.self)
    try expectPatch(items, inserted, #"[{"op":"add","path":"/50","value":"# + text + "}]")
    var removed = items
    removed.remove(at: 3)
    try expectPatch(items, removed, #"[{"op":"remove","path":"/3"}]"#)
    var both = inserted
    both.remove(at: 3)
    both[97].isOn.toggle()
    try expectPatch(
      inserted, both,
      #"[{"op":"remove","path":"/3"},{"op":"replace","path":"/97/isOn","value":true}]"#)
  }

  @Test("moves an element by removing and adding it")
  func movesElementByRemovingAndAddingIt() throws {
    let items = (0..<200).map { Item(id: $0) }
    var moved = items
    moved.insert(moved.remove(at: 20), at: 150)
    let text = String(decoding: try CanonicalEncoder().encode(items[20]), as: UTF8.self)
    try expectPatch(
      items, moved,
      #"[{"op":"remove","path":"/20"},{"op":"add","path":"/150","value":"# + text + "}]")
  }

  @Test("replaces the smallest value that encloses the change when that is shorter")
  func replacesSmallestValueThatEnclosesChange() throws {
    let before = ["numbers": Array(0..<100), "other": [1]]
    let after = ["numbers": Array((0..<100).map { $0 + 1_000 }), "other": [1]]
    let numbers = after["numbers", default: []].map(String.init).joined(separator: ",")
    try expectPatch(
      before, after, #"[{"op":"replace","path":"/numbers","value":["# + numbers + "]}]")
  }

  @Test("escapes what a pointer and a string must escape")
  func escapesWhatPointerAndStringMustEscape() throws {
    let key = "a/b~c\"\\\n"
    let text = #"a~1b~0c\"\\\n"#
    try expectPatch(
      [key: [1, 2]], [key: [1, 3]], #"[{"op":"replace","path":"/"# + text + #"/1","value":3}]"#)
    var large = Dictionary(uniqueKeysWithValues: (0..<50).map { ("\(key)\($0)", $0) })
    let before = large
    large["\(key)7"] = 70
    try expectPatch(before, large, #"[{"op":"replace","path":"/"# + text + #"7","value":70}]"#)
  }

  @Test("finds a change that == ignores")
  func blindEquality() throws {
    let items = (0..<100).map { Item(id: $0) }
    var changed = items
    changed[5].name = "another"
    #expect(items == changed)
    try expectPatch(items, changed, #"[{"op":"replace","path":"/5/name","value":"another"}]"#)
    let zeros = [Double](repeating: 0, count: 100)
    var signed = zeros
    signed[9] = -0.0
    #expect(zeros == signed)
    try expectPatch(zeros, signed, #"[{"op":"replace","path":"/9","value":-0}]"#)
    let words = [String](repeating: "caf\u{E9} with a long enough name", count: 100)
    var decomposed = words
    decomposed[3] = "cafe\u{301} with a long enough name"
    #expect(words == decomposed)
    try expectPatch(
      words, decomposed,
      "[{\"op\":\"replace\",\"path\":\"/3\",\"value\":\"cafe\u{301} with a long enough name\"}]")
    let keyed = Dictionary(uniqueKeysWithValues: (0..<40).map { ("k\($0)", 1) } + [("\u{E9}", 1)])
    var other = keyed
    other["\u{E9}"] = nil
    other["e\u{301}"] = 1
    #expect(keyed == other)
    try expectPatch(
      keyed, other,
      "[{\"op\":\"remove\",\"path\":\"/\u{E9}\"},"
        + "{\"op\":\"add\",\"path\":\"/e\u{301}\",\"value\":1}]"
    )
  }

  @Test("detects a change of a class instance behind the same reference")
  func classInstances() throws {
    let counters = (0..<100).map { Counter($0) }
    var encoder = IncrementalEncoder<[Holder]>()
    let holders = counters.map { Holder(name: "holder", counter: $0) }
    let first = try encoder.start(holders)
    counters[60].value = -1
    let change = try encoder.advance(to: holders)
    #expect(
      String(decoding: change.patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/60/counter/value","value":-1}]"#)
    #expect(try encoder.fullBytes() == CanonicalEncoder().encode(holders))
    #expect(first != (try encoder.fullBytes()))
    // What was encoded stays, though the instance goes on.
    let kept = try encoder.fullBytes()
    counters[60].value = -2
    #expect(try encoder.fullBytes() == kept)
  }

  @Test("detects a change of a class instance inside an enum's payload")
  func classInstancesInEnums() throws {
    enum Slot: Encodable {
      case empty
      case full(Counter)
    }
    let counters = (0..<100).map { Counter($0) }
    let slots = counters.map { $0.value % 2 == 0 ? Slot.empty : .full($0) }
    var encoder = IncrementalEncoder<[Slot]>()
    try encoder.start(slots)
    counters[61].value = -1
    #expect(
      String(decoding: try encoder.advance(to: slots).patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/61/full/_0/value","value":-1}]"#)
  }

  @Test("ignores the bytes between fields")
  func ignoresBytesBetweenFields() throws {
    // Bytes between fields are whatever was there: here, filled on purpose. Safe: the buffer is of
    // trivial values and is filled before `count` is set.
    func make(_ filler: UInt8) -> [Padded] {
      [Padded](unsafeUninitializedCapacity: 200) { buffer, count in
        UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: filler)
        for index in buffer.indices { buffer.initializeElement(at: index, to: .init(index: index)) }
        count = buffer.count
      }
    }
    var encoder = IncrementalEncoder<[Padded]>()
    try encoder.start(make(0))
    #expect(try encoder.advance(to: make(0xFF)).isEmpty)
    var changed = make(0x55)
    changed[7].isOn.toggle()
    #expect(
      String(decoding: try encoder.advance(to: changed).patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/7/isOn","value":true}]"#)
  }

  @Test("encodes only the elements that differ")
  func countsEncodings() throws {
    // Elements with bytes between their fields, in storage with something else there each time.
    // Safe: the buffer is of trivial values and is filled before `count` is set.
    func make(_ filler: UInt8) -> [CountedPadded] {
      [CountedPadded](unsafeUninitializedCapacity: 200) { buffer, count in
        UnsafeMutableRawBufferPointer(buffer).initializeMemory(as: UInt8.self, repeating: filler)
        for index in buffer.indices { buffer.initializeElement(at: index, to: .init(index: index)) }
        count = buffer.count
      }
    }
    var encoder = IncrementalEncoder<[CountedPadded]>()
    try encoder.start(make(0))
    CountedPadded.encodings.withLock { $0 = 0 }
    #expect(try encoder.advance(to: make(0xFF)).isEmpty)
    #expect(CountedPadded.encodings.withLock(\.self) == 0)
    var changed = make(0x55)
    changed[7].isOn.toggle()
    changed[107].wide += 1
    _ = try encoder.advance(to: changed)
    // Each of the two as it was and as it is.
    #expect(CountedPadded.encodings.withLock(\.self) == 4)
  }

  private struct CountedPadded: Encodable {
    var isOn = false
    var index: Int
    var maybe: Int32?
    var wide = 2.5
    var last = true

    static let encodings = Mutex(0)
    enum CodingKeys: CodingKey { case isOn, index, maybe, wide, last }

    init(index: Int) { self.index = index }

    func encode(to encoder: any Encoder) throws {
      Self.encodings.withLock { $0 += 1 }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(isOn, forKey: .isOn)
      try container.encode(index, forKey: .index)
      try container.encodeIfPresent(maybe, forKey: .maybe)
      try container.encode(wide, forKey: .wide)
      try container.encode(last, forKey: .last)
    }
  }

  @Test("keeps the previous value when a value throws, and reports the whole path")
  func keepsPreviousValueWhenValueThrows() throws {
    let calm = (0..<100).map { Fussy(value: $0) }
    var encoder = IncrementalEncoder<[String: [Fussy]]>()
    let bytes = try encoder.start(["list": calm])
    var wild = calm
    wild[30].value = -1
    do {
      _ = try encoder.advance(to: ["list": wild])
      Issue.record("nothing was thrown")
    } catch EncodingError.invalidValue(_, let context) {
      #expect(context.codingPath.map(\.stringValue) == ["list", "Index 30"])
    }
    #expect(try encoder.fullBytes() == bytes)
    wild[30].value = 5
    let change = try encoder.advance(to: ["list": wild])
    #expect(
      String(decoding: change.patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/list/30","value":5}]"#)
  }

  @Test("leaves no trace of a member whose error was caught")
  func caughtErrors() throws {
    var value = Forgiving(list: Array(0..<100), isBad: true)
    var stepper = try Stepper(value)
    value.list[50] = -1
    try stepper.advance(to: value, "still bad")
    value.isBad = false
    try stepper.advance(to: value, "good again")
    value.isBad = true
    value.list.append(7)
    try stepper.advance(to: value, "bad again")
  }

  /// Tries to encode a list in a member that may fail afterwards.
  private struct Forgiving: Encodable {
    var list: [Int]
    var isBad: Bool

    enum CodingKeys: CodingKey { case perhaps, list }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try? container.encode(Member(list: list, isBad: isBad), forKey: .perhaps)
      try container.encode(list, forKey: .list)
    }

    struct Member: Encodable {
      var list: [Int]
      var isBad: Bool

      func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        try container.encode(list)
        try container.encode(Fussy(value: isBad ? -1 : 1))
      }
    }
  }

  @Test("refuses a step that nests too deep inside a part that changed")
  func refusesStepThatNestsTooDeepInsidePart() throws {
    func nest(_ depth: Int) -> Nest { Nest(children: depth > 0 ? [nest(depth - 1)] : []) }
    let encoder = CanonicalEncoder(limits: JSONLimits(depth: 20))
    var incremental = IncrementalEncoder<[[Nest]]>(encoder: encoder)
    let flat = (0..<40).map { _ in [nest(1)] }
    try incremental.start(flat)
    var deep = flat
    deep[20] = [nest(8)]
    _ = try incremental.advance(to: deep)
    deep[20] = [nest(9)]
    #expect(throws: EncodingError.self) { _ = try encoder.encode(deep) }
    #expect(throws: EncodingError.self) { _ = try incremental.advance(to: deep) }
  }

  @Test("encodes every kind of awkward value correctly", arguments: EncodableExample.all)
  func awkwardValues(_ value: EncodableExample) throws {
    func check(_ value: some Encodable & Sendable) throws {
      let encoder = CanonicalEncoder(userInfo: EncodableExample.userInfo)
      var incremental = IncrementalEncoder<[AnyValue]>(encoder: encoder)
      let before = [AnyValue(value: 1), AnyValue(value: value)]
      #expect(try incremental.start(before) == encoder.encode(before))
      #expect(try incremental.advance(to: before).isEmpty)
      let after = [AnyValue(value: value), AnyValue(value: "x")]
      _ = try incremental.advance(to: after)
      #expect(try incremental.fullBytes() == encoder.encode(after))
      #expect(try incremental.byteCount == encoder.encode(after).count)
    }
    try check(value.value)
  }

  private func expectPatch<Value: Encodable>(
    _ before: Value, _ after: Value, _ text: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    var stepper = try Stepper(before)
    let change = try stepper.advance(to: after, text)
    #expect(
      String(decoding: change.patch, as: UTF8.self) == text, sourceLocation: sourceLocation)
  }
}

/// Checks each step of an encoder against everything that is promised of it.
struct Stepper<Value: Encodable> {
  private var encoder: IncrementalEncoder<Value>
  private var json: JSON
  private let full = CanonicalEncoder()

  init(_ value: Value, reuse: Bool = true) throws {
    encoder = IncrementalEncoder(reusesUnchangedParts: reuse)
    let bytes = try encoder.start(value)
    #expect(try bytes == full.encode(value))
    #expect(encoder.byteCount == bytes.count)
    json = try JSON(parsing: bytes)
  }

  @discardableResult
  mutating func advance(
    to value: Value, _ comment: String
  ) throws -> IncrementalEncoder<Value>.Change {
    let change = try encoder.advance(to: value)
    let bytes = try full.encode(value)
    let next = try JSON(parsing: bytes)
    #expect(try encoder.fullBytes() == bytes, "\(comment)")
    #expect(encoder.byteCount == bytes.count, "\(comment)")
    let patch = try Patch(JSON(parsing: change.patch))
    #expect(change.isEmpty == (json == next), "\(comment)")
    #expect(change.isEmpty == patch.operations.isEmpty, "\(comment)")
    for operation in patch.operations {
      #expect(["add", "remove", "replace"].contains(operation.name), "\(comment)")
    }
    let replacing = #"[{"op":"replace","path":"","value":}]"#.utf8.count + bytes.count
    #expect(change.patch.count <= replacing, "\(comment)")
    #expect(try json.applying(patch) == next, "\(comment)")
    json = next
    return change
  }
}
