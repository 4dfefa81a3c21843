import Replaying
import StatesCore
import Synchronization
import Testing

@Suite("Reducers whose results say whether an effect started")
struct AnsweringReducerTests {
  @Test("are run without a look at a result, unless a test asks for it")
  func looks() throws {
    let machine = RecordedReducer<[Int], Int>(
      first: [],
      inPlace: { (state: inout [Int], event: Int) -> Answer in
        state.append(event)
        return Answer(effects: event > 1 ? [event] : [])
      })
    var model = try machine.makeModel()
    for event in 0..<3 { _ = model.handle(event) }
    #expect(model.state == [0, 1, 2])
    #expect(looksAtAnswers.load(ordering: .relaxed) == 0)
    #expect(model.startedEffect == true)
    #expect(looksAtAnswers.load(ordering: .relaxed) > 0)
    _ = model.handle(1)
    #expect(model.startedEffect == false)
    try model.start()
    #expect(model.startedEffect == nil)
  }
}

private let looksAtAnswers = Atomic(0)

/// A list of effects that counts how often it is looked at.
private struct Answer: CustomReflectable {
  let effects: [Int]

  var customMirror: Mirror {
    looksAtAnswers.add(1, ordering: .relaxed)
    return Mirror(reflecting: effects)
  }
}
