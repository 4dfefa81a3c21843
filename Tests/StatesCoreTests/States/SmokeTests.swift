import StatesCore
import Testing

@Test("smoke")
func smoke() {
  struct Counter: Reducible {
    var value = 0
    enum Event { case up, down }
    static func reduce(state: Counter, event: Event) -> Counter {
      Counter(value: state.value + (event == .up ? 1 : -1))
    }
    static var outputs: Outputs<Counter> {
      Output("value", \.value)
      Output("v") { $0.value > 3 ? () : nil }
    }
  }
  let m = Machine(Counter())
  m.send(.up)
  var seen: [Int] = []
  m.subscribe { c in
    seen.append(c.value)
  }
  m.send(.up)
  #expect(seen == [1, 2])
  let form = StateForm(state: 1)
  form.apply { $0 += 1 }
  #expect(form.undo())
  #expect(form.state == 1)
}
