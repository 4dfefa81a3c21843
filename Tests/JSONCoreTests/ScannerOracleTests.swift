import JSONCore
import TestSupport
import Testing

@Suite("The scanner against Python's json module")
struct ScannerOracleTests {
  static let corpus = [
    #" {"a" : [1, -2.50e+3, 0.125,"x\u00e9\ud83d\ude00\n"], "b":{"":null,"é":true} , "c":false}"#,
    #"[[],{},[{}],"",0,-0,1E-2,10e00,"\\\"\/\b\f\r\t","\u0000","日本","a long string of text"]"#,
    #"{"a":{"a":1,"b":2},"b":[{"a":1},{"a":2}],"c":"\u0061","key with many letters":12345678901}"#,
    #"{"k0":0,"k1":1,"k2":2,"k3":3,"k4":4,"k5":5,"k6":6,"k7":7,"k8":8,"k9":9,"ka":10,"kb":11,"#
      + #""kc":12,"kd":13,"ke":14,"kf":15,"kg":16,"kh":17,"\u006bi":18,"kj":19}"#,
    "1234567890.5", "\"\u{7F}\u{10FFFF}\"", "true", "null", "-1e-9", "[1,2,3,4,5,6,7,8,9]",
  ].map { Array($0.utf8) }

  /// Bytes that mean something, at every place where one can stand.
  static let telling: [UInt8] =
    Array(" \n\t\"\\/bfnrtu[]{}:,.-+eE0159aAdDgxk".utf8)
    + [
      0, 1, 0x0B, 0x1F, 0x7F, 0x80, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5,
      0xFF,
    ]

  @Test("accepts and refuses the same texts as the oracle when any one byte changes")
  func oneChangedByteMatchesOracle() throws {
    var texts = Self.corpus
    for text in Self.corpus {
      for index in text.indices {
        texts.append(Array(text[..<index]))
        texts.append(text)
        texts[texts.count - 1].remove(at: index)
        for byte in Self.telling {
          texts.append(text)
          texts[texts.count - 1][index] = byte
        }
      }
    }
    for byte in UInt8.min...UInt8.max {
      for text in [[byte], Array("\"\\".utf8) + [byte, 0x22], [0x22, byte, 0x22]] {
        texts.append(text)
      }
      texts.append([0x22, 0xE0, byte, 0x80, 0x22])
      texts.append([0x22, 0xED, byte, 0x80, 0x22])
      texts.append([0x22, 0xF0, byte, 0x80, 0x80, 0x22])
      texts.append([0x22, 0xF4, byte, 0x80, 0x80, 0x22])
    }
    try compare(texts)
  }

  @Test("accepts and refuses the same texts as the oracle when several bytes change")
  func randomMutations() throws {
    let seed: UInt64 = 0x5EED_0005
    var random = SeededGenerator(seed: seed)
    let texts = (0..<6_000).map { _ in
      var text = Self.corpus[Int.random(in: 0..<Self.corpus.count, using: &random)]
      for _ in 0..<Int.random(in: 1..<5, using: &random) where !text.isEmpty {
        let index = Int.random(in: 0..<text.count, using: &random)
        let byte = Self.telling[Int.random(in: 0..<Self.telling.count, using: &random)]
        switch Int.random(in: 0..<3, using: &random) {
        case 0: text[index] = byte
        case 1: text.insert(byte, at: index)
        default: text.replaceSubrange(index..<min(index + 3, text.count), with: [])
        }
      }
      return text
    }
    try compare(texts)
  }

  /// Compares verdicts, and what was read where both accept.
  private func compare(_ texts: [[UInt8]]) throws {
    let ours = texts.map { text -> String? in
      guard let slice = try? JSONSlice(validating: text) else { return nil }
      return slice.value.plainText
    }
    let questions = zip(texts, ours).map { text, ours in
      (text.isEmpty ? "20" : Self.hex(text)) + " " + (ours.map { Self.hex(Array($0.utf8)) } ?? "-")
    }
    let answers = try PythonOracle.answers(of: "json_text.py", to: questions)
    for (index, answer) in answers.enumerated() {
      let expected = ours[index] == nil ? "reject" : "same"
      guard answer != expected else { continue }
      let text = String(decoding: texts[index], as: UTF8.self)
      Issue.record("\(text.debugDescription): \(answer), and we read \(ours[index] ?? "nothing")")
    }
    #expect(answers.contains("same") && answers.contains("reject"))
  }

  private static func hex(_ bytes: [UInt8]) -> String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }, as: UTF8.self)
  }
}
