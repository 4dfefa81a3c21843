import JSONCore
import Synchronization
import Testing

/// Small parts of a value, whose texts are copied while their bytes stay the same.
@Suite("Small parts of an incremental encoding")
struct IncrementalPartsTests {
  private struct Screen: Encodable {
    var user = CountedUser(name: "Zoë", email: nil)
    var page = 0
    var users = ["first": CountedUser(name: "Ada", email: "ada@example.org")]
  }

  private struct CountedUser: Encodable {
    var name: String
    var email: String?

    static let encodings = Mutex(0)
    enum CodingKeys: CodingKey { case name, email }

    func encode(to encoder: any Encoder) throws {
      Self.encodings.withLock { $0 += 1 }
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(name, forKey: .name)
      try container.encodeIfPresent(email, forKey: .email)
    }
  }

  @Test("are encoded only after a change, and in the step after it")
  func countsEncodings() throws {
    var screen = Screen()
    var encoder = IncrementalEncoder<Screen>()
    try encoder.start(screen)
    func expect(_ count: Int, _ change: (inout Screen) -> Void) throws {
      change(&screen)
      CountedUser.encodings.withLock { $0 = 0 }
      _ = try encoder.advance(to: screen)
      #expect(CountedUser.encodings.withLock(\.self) == count)
      #expect(try encoder.fullBytes() == CanonicalEncoder().encode(screen))
    }
    try expect(0) { $0.page += 1 }
    try expect(1) { $0.user.email = "zoe@example.org" }
    // What changes in each step is not worth a copy, so the first step without a change makes it.
    try expect(1) { $0.page += 1 }
    try expect(0) { $0.page += 1 }
    try expect(1) { $0.users["first"]?.name = "Eve" }
    try expect(1) { $0.page += 1 }
    try expect(0) { $0.page += 1 }
  }

  private struct Point: Encodable, Hashable {
    var x: Int
    var label: String?
  }

  private struct Places: Encodable {
    var first: Point?
    var list: [Point] = []
    var second: Point?
    var named: [String: Point] = [:]
    var last = Point(x: 9)
  }

  @Test("are the right ones when others come, go, and change places")
  func partsThatMove() throws {
    var stepper = try Stepper(Places())
    var random = StepGenerator(seed: 77)
    for step in 0..<400 {
      // Few different points, so that parts often equal others that had their number.
      func point() -> Point {
        Point(
          x: random.pick(0..<3), label: [nil, "a", "longer than the others"][random.pick(0..<3)])
      }
      let places = Places(
        first: random.pick(0..<2) == 0 ? nil : point(),
        list: (0..<random.pick(0..<4)).map { _ in point() },
        second: random.pick(0..<2) == 0 ? nil : point(),
        named: random.pick(0..<2) == 0 ? [:] : ["a": point(), "b": point()],
        last: point())
      try stepper.advance(to: places, "step \(step)")
      try stepper.advance(to: places, "step \(step), again")
    }
  }

  @Test("are encoded when they are deeper than before, where a limit may apply")
  func partsThatMoveDeeper() throws {
    struct Nested: Encodable {
      var flat: Point?
      var deep: [[Point]] = []
    }
    var limits = JSONLimits.standard
    limits.depth = 3
    let canonical = CanonicalEncoder(limits: limits)
    var encoder = IncrementalEncoder<Nested>(encoder: canonical)
    let point = Point(x: 1)
    try encoder.start(Nested(flat: point))
    let deeper = Nested(deep: [[point]])
    #expect(throws: EncodingError.self) { try canonical.encode(deeper) }
    #expect(throws: EncodingError.self) { try encoder.advance(to: deeper) }
  }

  private struct Lenient: Encodable {
    var first = Point(x: 1)
    var broken = Broken(point: Point(x: 2), isWritten: false)
    var last = Point(x: 3)

    enum CodingKeys: CodingKey { case first, broken, last }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(first, forKey: .first)
      try? container.encode(broken, forKey: .broken)
      try container.encode(last, forKey: .last)
    }
  }

  /// Writes a part, and then throws. Larger than a part, because of its unused numbers.
  private struct Broken: Encodable {
    var point: Point
    var isWritten: Bool
    var padding = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)

    enum CodingKeys: CodingKey { case point }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(point, forKey: .point)
      guard isWritten else {
        throw EncodingError.invalidValue(
          self, .init(codingPath: encoder.codingPath, debugDescription: "broken"))
      }
    }
  }

  @Test("of a value that throws are forgotten with its text")
  func partsOfValueThatThrows() throws {
    var state = Lenient()
    var stepper = try Stepper(state)
    for step in 0..<12 {
      state.broken.isWritten = step % 3 == 2
      state.last.x = step / 4
      try stepper.advance(to: state, "step \(step)")
    }
  }

  @Test("that hold a class instance are encoded in each step")
  func partsWithInstances() throws {
    struct Root: Encodable {
      var holder: Holder
      var page = 0
    }
    let counter = Counter(1)
    let root = Root(holder: Holder(name: "holder", counter: counter))
    var encoder = IncrementalEncoder<Root>()
    try encoder.start(root)
    _ = try encoder.advance(to: root)
    counter.value = 2
    #expect(
      String(decoding: try encoder.advance(to: root).patch, as: UTF8.self)
        == #"[{"op":"replace","path":"/holder/counter/value","value":2}]"#)
  }

  @Test("are limited in number, and every part after that is encoded")
  func manyParts() throws {
    // Not omitted as one large array, because of the class instances.
    struct Row: Encodable {
      var counter: Counter
      var point: Point
      var other: Point
      var padding = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
      enum CodingKeys: CodingKey { case point, other }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(point, forKey: .point)
        try container.encode(other, forKey: .other)
      }
    }
    let counter = Counter(0)
    var rows = (0..<300).map { Row(counter: counter, point: Point(x: $0), other: Point(x: -$0)) }
    var stepper = try Stepper(rows)
    for step in [0, 1, 127, 128, 129, 299] {
      rows[step].point.label = "changed"
      try stepper.advance(to: rows, "row \(step)")
      try stepper.advance(to: rows, "row \(step), again")
    }
  }
}
