import Testing
import Timelines
import Wire

@testable import debugd

@Suite("A stretch of entries that is requested part by part")
struct WindowTests {
  @Test("continues where an answer says")
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

  /// Where a window continues after an answer without entries.
  private func next(
    _ direction: SearchDirection, from start: Int64, answered next: Int64?
  ) -> Int64? {
    var window = Window(
      timeline: .zero, from: start, count: 100, filter: nil, direction: direction)
    window.advance(past: ToInspector.Entries { $0.next = next }, from: start)
    return window.from
  }
}
