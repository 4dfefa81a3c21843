import JSONCore
import Testing

@Suite("The scanner")
struct ScannerTests {
  @Test(
    "reports the error and its byte",
    arguments: [
      ("", JSONError(.truncated, at: 0)),
      ("  ", JSONError(.truncated, at: 2)),
      ("[1", JSONError(.truncated, at: 2)),
      (#"{"a""#, JSONError(.truncated, at: 4)),
      (#"{"a":"#, JSONError(.truncated, at: 5)),
      (#""abc"#, JSONError(.truncated, at: 4)),
      (#""abcdefghijklmnop"#, JSONError(.truncated, at: 17)),
      (#""\"#, JSONError(.truncated, at: 2)),
      (#""\u12"#, JSONError(.truncated, at: 5)),
      (#""\ud83d\u"#, JSONError(.truncated, at: 9)),
      ("tru", JSONError(.truncated, at: 3)),
      ("[1,-", JSONError(.truncated, at: 4)),
      ("1e+", JSONError(.truncated, at: 3)),
      ("1..", JSONError(.number, at: 0)),
      ("--", JSONError(.number, at: 0)),
      ("1 2", JSONError(.trailing, at: 2)),
      ("[] ]", JSONError(.trailing, at: 3)),
      ("trux", JSONError(.literal, at: 0)),
      ("[nul]", JSONError(.literal, at: 1)),
      ("[1,]", JSONError(.unexpected(0x5D, expected: "a value"), at: 3)),
      ("[,1]", JSONError(.unexpected(0x2C, expected: "a value"), at: 1)),
      (#"{"a":1,}"#, JSONError(.unexpected(0x7D, expected: "a key"), at: 7)),
      ("{1:2}", JSONError(.unexpected(0x31, expected: "a key"), at: 1)),
      (#"{"a" 1}"#, JSONError(.unexpected(0x31, expected: "':'"), at: 5)),
      ("[1}", JSONError(.unexpected(0x7D, expected: "',' or ']'"), at: 2)),
      (#"{"a":1]"#, JSONError(.unexpected(0x5D, expected: "',' or '}'"), at: 6)),
      ("\u{FEFF}1", JSONError(.unexpected(0xEF, expected: "a value"), at: 0)),
      ("01", JSONError(.number, at: 0)),
      ("[-01]", JSONError(.number, at: 1)),
      ("[1.]", JSONError(.number, at: 1)),
      ("[1.e1]", JSONError(.number, at: 1)),
      ("[1e]", JSONError(.number, at: 1)),
      ("[-]", JSONError(.number, at: 1)),
      ("+1", JSONError(.unexpected(0x2B, expected: "a value"), at: 0)),
      ("[NaN]", JSONError(.unexpected(0x4E, expected: "a value"), at: 1)),
      ("1e1000000001", JSONError(.exponentTooLarge, at: 0)),
      ("1e999999999999", JSONError(.exponentTooLarge, at: 0)),
      ("[1e-99999999999999999999]", JSONError(.exponentTooLarge, at: 1)),
      ("\"a\nb\"", JSONError(.controlCharacter(0x0A), at: 2)),
      ("\"abcdefghi\u{1F}\"", JSONError(.controlCharacter(0x1F), at: 10)),
      (#""\x""#, JSONError(.escape, at: 1)),
      (#""abcdefg\u00g0""#, JSONError(.escape, at: 8)),
      (#""\ud800""#, JSONError(.loneSurrogate, at: 1)),
      (#""\udc00""#, JSONError(.loneSurrogate, at: 1)),
      (#""\ud800\u0041""#, JSONError(.loneSurrogate, at: 1)),
      (#""\ud800\n""#, JSONError(.loneSurrogate, at: 1)),
      (#""\ud83d\ud83d""#, JSONError(.loneSurrogate, at: 1)),
      (#"{"a":1,"b":2,"a":3}"#, JSONError(.duplicateKey("a"), at: 13)),
      (#"{"a":1,"\u0061":2}"#, JSONError(.duplicateKey("a"), at: 7)),
      (#"{"\n":1,"\u000a":2}"#, JSONError(.duplicateKey("\n"), at: 8)),
      (#"{"":{"":{}},"":2}"#, JSONError(.duplicateKey(""), at: 12)),
    ])
  func reportsErrorAndByte(text: String, error: JSONError) {
    #expect(throws: error) { try JSONSlice(validating: Array(text.utf8)) }
  }

  @Test(
    "refuses invalid UTF-8 at any offset in a word",
    arguments: [
      [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x80, 0x80],
      [0xE0, 0x9F, 0xBF], [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
      [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
      [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xF8, 0x88, 0x80, 0x80, 0x80], [0xFE],
      [0xFF],
    ] as [[UInt8]])
  func refusesInvalidUTF8AtAnyOffsetInWord(bad: [UInt8]) {
    for before in 0..<10 {
      let text = [0x22] + Array(repeating: UInt8(ascii: "a"), count: before) + bad + [0x22, 0x20]
      #expect(throws: JSONError(.utf8, at: 1 + before)) { try JSONSlice(validating: text) }
    }
  }

  @Test("finds the end of strings of every length, with every kind of character in every place")
  func findsEndOfEveryString() throws {
    for length in 0..<20 {
      for place in 0..<length {
        for special in [#"\""#, #"\\"#, "é", "😀", #"\u0041"#, "[", "}", ",", "\u{7F}"] {
          var characters = Array(repeating: "a", count: length)
          characters[place] = special
          let body = characters.joined()
          let slice = try JSONSlice(
            validating: Array(#"["\#(body)",{"\#(body)":["x",-1]}, 7 ]"#.utf8))
          characters[place] =
            switch special {
            case #"\""#: "\""
            case #"\\"#: "\\"
            case #"\u0041"#: "A"
            default: special
            }
          let key = characters.joined()
          #expect(slice[0]?.string == key)
          #expect(slice[1]?[key]?[1]?.int == -1)
          #expect(slice[2]?.int == 7 && slice[3] == nil)
          #expect(slice.value[1]?[key] == ["x", -1] && slice.value[0]?.string == key)
        }
      }
    }
  }

  @Test("accepts values up to its exact limits")
  func acceptsValuesUpToExactLimits() throws {
    func nested(_ depth: Int, _ open: String, _ close: String) -> [UInt8] {
      Array((String(repeating: open, count: depth) + String(repeating: close, count: depth)).utf8)
    }
    let deepest = try JSONSlice(validating: nested(512, "[", "]"))
    #expect(deepest.value.array?.count == 1)
    #expect(throws: JSONError(.tooDeep(limit: 512), at: 512)) {
      try JSONSlice(validating: nested(513, "[", "]"))
    }
    // Objects count alike; a text that only opens is refused as early.
    #expect(throws: JSONError(.tooDeep(limit: 512), at: 512 * 5)) {
      try JSONSlice(validating: nested(100_000, #"{"a":"#, ""))
    }
    let digits = Array(repeating: UInt8(ascii: "7"), count: 257)
    #expect(throws: JSONError(.numberTooLong(limit: 256), at: 0)) {
      try JSONSlice(validating: digits)
    }
    #expect(try JSONSlice(validating: Array(digits.dropLast())).number?.text.utf8.count == 256)
    #expect(try JSONSlice(validating: Array("1e1000000000".utf8)).number != nil)
    #expect(throws: JSONError(.tooLong(limit: 4), at: 4)) {
      try JSONSlice(validating: Array("12345".utf8), limits: JSONLimits(bytes: 4))
    }
  }

  @Test("finds a duplicate key among many, with any spelling", arguments: [17, 1_000])
  func findsDuplicateKeyAmongMany(count: Int) throws {
    let members = (0..<count).map { #""key \#($0)":\#($0)"# }
    let text = "{" + members.joined(separator: ",")
    #expect(try JSONSlice(validating: Array((text + "}").utf8))["key \(count - 1)"]?.int != nil)
    for spelling in [#""key 3""#, #""\u006bey\u00203""#] {
      let error = JSONError(.duplicateKey("key 3"), at: text.utf8.count + 1)
      #expect(throws: error) {
        try JSONSlice(validating: Array((text + ",\(spelling):0}").utf8))
      }
    }
    // The same keys in another object, nested or adjacent, are not duplicates.
    _ = try JSONSlice(validating: Array("[\(text),\"x\":\(text)}},\(text)}]".utf8))
  }

  @Test("refuses every prefix of a text as truncated")
  func refusesEveryPrefixOfTextAsTruncated() throws {
    let text = Array(
      #"{"a":[1.5,-2e+3,true,null,"x\n\u00e9\ud83d\ude00é"],"b":{},"c":false,"d":[{"e":[]}]}"#.utf8)
    for end in 0..<text.count {
      let error = #expect(throws: JSONError.self) { try JSONSlice(validating: Array(text[..<end])) }
      #expect(error?.reason == .truncated, "\(String(decoding: text[..<end], as: UTF8.self))")
    }
    _ = try JSONSlice(validating: text)
  }
}
