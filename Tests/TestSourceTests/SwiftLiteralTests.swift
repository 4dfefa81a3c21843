import TestSource
import Testing

@Suite("Swift literals")
struct SwiftLiteralTests {
  @Test(
    "hold nothing that a compiler would take for more than text",
    arguments: [
      ("", #""""#),
      ("plain ~text", #""plain ~text""#),
      (#"say "no""#, #""say \"no\"""#),
      (#"\(exit(1))"#, #""\\(exit(1))""#),
      (#"\u{41}"#, #""\\u{41}""#),
      ("a\nb\tc\rd", #""a\nb\tc\rd""#),
      ("\0\u{7f}", #""\u{0}\u{7f}""#),
      ("é e\u{301} 😀", #""\u{e9} e\u{301} \u{1f600}""#),
      ("\u{202e}fdp.exe", #""\u{202e}fdp.exe""#),
      ("a\u{2028}b\r\nc", #""a\u{2028}b\r\nc""#),
      (#""" + evil() + """#, #""\"\" + evil() + \"\"""#),
    ])
  func strings(text: String, source: String) {
    #expect(SwiftLiteral.string(text) == source)
    #expect(SwiftLiteral.string(text).unicodeScalars.allSatisfy { (" "..."~").contains($0) })
  }
}
