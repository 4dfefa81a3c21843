import JSONCore
import Replaying
import StatesCore
import Testing
import Timelines

@Suite("Replaying: reflection")
struct ReflectedTests {
  private struct Point { var x = 1; var y: Int? }
  private enum Shape {
    case none
    case circle(Point, radius: Double)
    case named(String)
  }
  private struct Key: Hashable {
    var id: Int
    init(_ id: Int) { self.id = id }
  }
  private class Base { var id = 7 }
  private final class Node: Base {
    var next: Node?
    var label = "n"
  }
  private struct Everything {
    var points = [Point(x: 2, y: 3)]
    var table = ["b": 2, "a": 1]
    var pair = (1, name: "p")
    var shapes: [Shape] = [.none, .circle(Point(), radius: 0.5), .named("é")]
    var closure: () -> Void = {}
    let node = Node()
  }

  private func text<Value>(_ value: Value) throws -> String {
    String(decoding: try CanonicalEncoder().encode(Reflected(value)), as: UTF8.self)
  }

  @Test("shows a value like synthesized Codable")
  func shapes() throws {
    let everything = try text(Everything())
    #expect(
      everything == """
        {"points":[{"x":2,"y":3}],"table":{"a":1,"b":2},"pair":{"0":1,"name":"p"},\
        "shapes":[{"none":{}},{"circle":{"_0":{"x":1},"radius":0.5}},{"named":{"_0":"é"}}],\
        "closure":"() -> ()","node":{"label":"n","id":7}}
        """)
    #expect(try text(Optional<Point>.none) == "null")
    #expect(try text(Optional(Point())) == #"{"x":1}"#)
    #expect(try text(Shape.none) == #"{"none":{}}"#)
    #expect(try text([Point]()) == "[]")
    #expect(try text(Set([Key(3), Key(1), Key(2)])) == #"[{"id":1},{"id":2},{"id":3}]"#)
    #expect(try text([Key(2): 1, Key(1): 2]).hasPrefix("{"))
  }

  @Test("reference cycles end, and the same value always has the same text")
  func cycle() throws {
    let node = Node()
    node.next = node
    defer { node.next = nil }
    let first = try text(node)
    #expect(first.count < 10_000)
    #expect(try text(node) == first)
    #expect(!first.contains("0x"))
  }

  @Test("a machine of such types can be recorded")
  func appearance() throws {
    struct Lamp: Reducible {
      var isOn = false
      enum Event { case flipped(times: Int), stayed }
      static func reduce(state: Lamp, event: Event) -> Lamp { Lamp(isOn: !state.isOn) }
      static var outputs: Outputs<Lamp> { Output("glow") { $0.isOn ? 1 : 0 } }
    }
    let machine = Machine(Lamp())
    let run = try RecordedRun(
      ReflectedAppearance<Lamp, Lamp.Event>(outputs: Lamp.outputs), of: machine.kernel)
    machine.send(.flipped(times: 2))
    machine.send(.stayed)
    #expect(
      run.drafts.compactMap(\.eventText) == [#"{"flipped":{"times":2}}"#, #"{"stayed":{}}"#])
    let timeline = try run.timeline()
    #expect(timeline.state(at: 1) == ["isOn": true])
    #expect(timeline.outputs(at: 2) == ["glow": 0])
  }

  private struct Failing: Encodable {
    var inside = 3
    func encode(to encoder: any Encoder) throws {
      throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: "no"))
    }
  }
  private struct Silent: Encodable {
    var inside = 4
    func encode(to encoder: any Encoder) throws {}
  }
  private final class Endless: Encodable {
    var next: Endless?
    var name = "e"
  }
  private final class Lazy {
    var calls = 0
    lazy var list: [Int] = {
      calls += 1
      return [1]
    }()
    var computed: Int {
      calls += 1
      return 2
    }
  }
  private class Parent { private let id = 1 }
  private final class Child: Parent {
    private let id = 2
    let own = 3
  }
  private enum Word: Hashable { case one, two }

  @Test("a part whose encoding fails or never ends is reflected")
  func misbehaving() throws {
    struct All {
      var failing = Failing()
      var silent = Silent()
      let endless: Endless
      var date = [1.5: "x"]
    }
    let endless = Endless()
    endless.next = endless
    defer { endless.next = nil }
    let shown = try text(All(endless: endless))
    #expect(
      shown == """
        {"failing":{"inside":3},"silent":{},\
        "endless":{"next":{"$cycle":"Endless"},"name":"e"},"date":[1.5,"x"]}
        """)
  }

  @Test("lazy and computed properties are not evaluated, and equal names are made unique")
  func untouched() throws {
    let lazy = Lazy()
    #expect(try text(lazy) == #"{"calls":0}"#)
    #expect(lazy.calls == 0)
    _ = lazy.list
    #expect(try text(lazy) == #"{"calls":1,"list":[1]}"#)
    #expect(try text(Child()) == #"{"id":2,"own":3,"id (2)":1}"#)
    #expect(try text([Word.two: Endless?.none, .one: nil]) == #"{"one":null,"two":null}"#)
  }

  @Test("the text of a value of any size is limited, and says what is missing")
  func bounded() throws {
    struct Big {
      var numbers: [Key] = (0..<100_000).map { Key($0) }
      var text = String(repeating: "é", count: 100_000)
      var set = Set((0..<50_000).map { Key($0) })
    }
    let big = try JSON(parsing: text(Big()))
    let numbers = try #require(big["numbers"]?.array)
    #expect(numbers.count < 20_001)
    #expect(numbers.last?.string?.hasSuffix("more") == true)
    struct Long { var text = String(repeating: "é", count: 100_000), last = Key(1) }
    let long = try JSON(parsing: text(Long()))
    #expect(long["text"]?.string?.hasSuffix("… 200000 bytes") == true)
    #expect(long["text"]?.string?.utf8.count ?? .max < 66_000)
    #expect(long["last"] == ["id": 1])
    struct Many {
      var texts = (0..<100).map { _ in [Key(1): String(repeating: "x", count: 60_000)] }
    }
    #expect(try text(Many()).utf8.count < 6 << 20)
  }

  @Test("shared objects are shown at each place, and only cycles are cut")
  func shared() throws {
    let node = Node()
    #expect(try text([node, node]) == #"[{"label":"n","id":7},{"label":"n","id":7}]"#)
    let (one, two) = (Node(), Node())
    (one.next, two.next) = (two, one)
    defer { one.next = nil }
    #expect(
      try text(one) == #"{"next":{"next":{"$cycle":"Node"},"label":"n","id":7},"label":"n","id":7}"#
    )
  }
}
