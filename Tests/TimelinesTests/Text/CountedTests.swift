import Testing
import Timelines

@Suite("numbers with their nouns")
struct CountedTests {
  @Test(
    "one is singular, all others are plural",
    arguments: [(0, "0 entries were"), (1, "1 entry was"), (2, "2 entries were")])
  func entries(_ count: Int, _ text: String) {
    #expect(Counted.entriesWere(count) == text)
    #expect(text.hasPrefix(Counted.entries(count)))
  }
}
