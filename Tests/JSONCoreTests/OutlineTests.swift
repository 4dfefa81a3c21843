import JSONCore
import TestSupport
import Testing

@Suite("The outline of a text that was checked")
struct OutlineTests {
  /// Texts with white space, escapes and empty parts in every place.
  private struct Writer {
    var random: SeededGenerator
    var text = ""

    mutating func space() {
      for _ in 0..<Int.random(in: 0..<3, using: &random) {
        text += [" ", "\n", "\t", "\r"].randomElement(using: &random) ?? " "
      }
    }

    mutating func value(_ depth: Int) {
      space()
      switch Int.random(in: 0..<(depth > 4 ? 6 : 10), using: &random) {
      case 0: text += "null"
      case 1: text += Bool.random(using: &random) ? "true" : "false"
      case 2: text += "-12.5e3"
      case 3: text += #""ab\"]},{[:\\""#
      case 4: text += "7"
      case 5: text += #""""#
      case 6, 7: object(depth)
      default: array(depth)
      }
      space()
    }

    mutating func array(_ depth: Int) {
      text += "["
      let count = Int.random(in: 0..<5, using: &random)
      for index in 0..<count {
        if index > 0 { text += "," }
        value(depth + 1)
      }
      if count == 0 { space() }
      text += "]"
    }

    mutating func object(_ depth: Int) {
      text += "{"
      let count = Int.random(in: 0..<5, using: &random)
      for index in 0..<count {
        if index > 0 { text += "," }
        space()
        text += index == 1 ? #""\u006b1""# : #""k\#(index)""#
        space()
        text += ":"
        value(depth + 1)
      }
      if count == 0 { space() }
      text += "}"
    }
  }

  @Test("has what a walk finds, in any text", arguments: 0..<20)
  func hasWhatWalkFinds(seed: UInt64) throws {
    var writer = Writer(random: SeededGenerator(seed: seed))
    for _ in 0..<300 {
      writer.text = ""
      writer.value(0)
      let bytes = Array(writer.text.utf8)
      let slice = try JSONSlice(validating: bytes)
      let outline = try JSONOutline(validating: bytes, elementsOf: "k2")
      #expect(outline.whole.range == slice.range)
      for key in (0..<6).map({ "k\($0)" }) {
        #expect(outline[key]?.range == slice[key]?.range, "\(key) of \(writer.text)")
        let array = slice[key].flatMap { key == "k2" && $0.kind == .array ? $0 : nil }
        #expect(
          outline.elements(of: key)?.map(\.range) == array.map { $0.elements.map(\.range) },
          "\(key) of \(writer.text)")
      }
    }
  }

  @Test("omits the places of too many elements")
  func omitsPlacesOfTooManyElements() throws {
    for count in [65_535, 65_536, 200_000] {
      let text = #"{"a":[0],"b":["# + String(repeating: "0,", count: count - 1) + "0]}"
      let outline = try JSONOutline(validating: Array(text.utf8), elementsOf: "b")
      #expect(outline.elements(of: "b")?.count == (count < 65_536 ? count : nil))
      #expect(
        outline.elements(of: "a") == nil
          && outline["b"]?.elements.reduce(0) { n, _ in n + 1 } == count)
    }
  }

  @Test("refuses the same texts as the scanner, at the same byte")
  func refusesSameTextsAsScanner() {
    for text in [
      "", "{", #"{"a":}"#, #"{"a":1,"a":2}"#, #"{"a":[1,]}"#, #"{"a":[{"b":1,"b":2}]}"#, "[1 2]",
      "{}x",
    ] {
      let bytes = Array(text.utf8)
      let error = #expect(throws: JSONError.self) { try JSONSlice(validating: bytes) }
      let other = #expect(throws: JSONError.self) {
        try JSONOutline(validating: bytes, elementsOf: "a")
      }
      #expect(error == other, "\(text)")
    }
  }
}
