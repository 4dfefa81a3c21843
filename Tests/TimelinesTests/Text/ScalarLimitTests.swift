import Testing

@testable import Timelines

@Suite("Texts of a limited length")
struct ScalarLimitTests {
  @Test("the limit counts scalars, of which one character can have any number")
  func marks() {
    let marks = "a" + String(repeating: "\u{301}", count: 100_000)
    #expect(marks.count == 1)
    #expect(marks.cut(toScalars: 10).unicodeScalars.count == 10)
    #expect(marks.cut(toScalars: 10).hasSuffix("…"))
  }

  @Test("a text within the limit stays as it is", arguments: ["", "a", "tea", "e\u{301}"])
  func short(text: String) {
    #expect(text.cut(toScalars: 3) == text)
  }

  @Test("a longer one ends with an ellipsis within the limit")
  func long() {
    #expect("coffee".cut(toScalars: 4) == "cof…")
    #expect("coffee"[...].cut(toScalars: 1) == "…")
    #expect("coffee".cut(toScalars: 0) == "…")
  }
}
