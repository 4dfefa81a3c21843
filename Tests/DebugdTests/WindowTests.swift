import Testing
import Timelines

@testable import debugd

@Suite("a stretch of entries that is asked for part by part")
struct WindowTests {
  @Test("goes on where an answer says")
  func goesOn() {
    #expect(next(.forward, from: 10, answered: 11) == 11)
    #expect(next(.backward, from: 10, answered: 9) == 9)
    #expect(next(.forward, from: 10, answered: nil) == nil)
  }

  @Test("ends where an answer leads nowhere else", arguments: [SearchDirection.forward, .backward])
  func ends(direction: SearchDirection) {
    #expect(next(direction, from: 10, answered: 10) == nil)
    #expect(next(direction, from: 10, answered: direction == .forward ? 9 : 11) == nil)
  }

  /// Where a window goes on after an answer without entries.
  private func next(
    _ direction: SearchDirection, from start: Int64, answered next: Int64?
  ) -> Int64? {
    var window = Window(
      timeline: .zero, from: start, count: 100, filter: nil, direction: direction)
    window.take(ToInspector.Entries { $0.next = next }, from: start)
    return window.from
  }
}
