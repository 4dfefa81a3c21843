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

  @Test("shows what a value holds, as synthesised Codable would")
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

  @Test("objects that hold one another end, and the same value is always the same text")
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
}
