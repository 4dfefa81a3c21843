import JSONCore
import TestSupport
import Testing

@Suite("Patches against Python's jsonpatch")
struct PatchOracleTests {
  static let seed: UInt64 = 0x5EED_0001

  @Test("turns one value into another like the library, in both directions")
  func bothDirections() throws {
    var random = RandomJSON(seed: Self.seed)
    var pairs: [(old: JSON, new: JSON)] = []
    for index in 0..<2_000 {
      let old = random.value()
      var new = index % 10 == 0 ? random.value() : old
      for _ in 0..<random.int(in: 0..<6) { new = random.mutation(of: new) }
      pairs.append((old, new))
    }
    let questions = pairs.map { old, new -> String in
      let patch = Patch.difference(from: old, to: new)
      return (["from": old, "to": new, "patch": patch.json] as JSON).plainText
    }
    let answers = try PythonOracle.answers(of: "json_patch.py", to: questions)
    var compared = 0
    for (index, pair) in pairs.enumerated() {
      let answer = try JSON(parsing: answers[index])
      #expect(
        answer["same"] == true,
        "seed \(Self.seed), pair \(index): \(questions[index]) gave \(answers[index])")
      guard let theirs = answer["patch"], !theirs.isNull else { continue }
      compared += 1
      let result = try pair.old.applying(Patch(theirs))
      #expect(
        result == pair.new, "seed \(Self.seed), pair \(index): \(pair.old.plainText) \(theirs)")
    }
    #expect(compared > 1_500)
  }

  @Test("finds the same value for a pointer as the library")
  func findsSameValueForPointerAsLibrary() throws {
    var random = RandomJSON(seed: Self.seed + 1)
    var questions: [(document: JSON, pointer: String)] = []
    for _ in 0..<1_500 {
      let document = random.value()
      var value = document
      var text = ""
      while random.chance(0.8) {
        var token = random.key()
        switch value {
        case .object(let object) where !object.isEmpty && random.chance(0.9):
          token = object.keys[random.int(in: 0..<object.count)]
          value = object[token] ?? .null
        case .array(let array) where random.chance(0.9):
          let index = random.int(in: 0..<array.count + 1)
          token = String(index)
          value = index < array.count ? array[index] : .null
        default: break
        }
        text += random.chance(0.9) ? Pointer(tokens: [token]).description : "/" + token
      }
      if random.chance(0.05) { text = String(text.dropFirst()) }
      questions.append((document, text))
    }
    let answers = try PythonOracle.answers(
      of: "json_pointer.py",
      to: questions.map { ["document": $0.document, "pointer": .string($0.pointer)].plainText })
    for (index, (document, text)) in questions.enumerated() {
      let answer = try JSON(parsing: answers[index])
      let pointer = try? Pointer(text)
      #expect((pointer == nil) == (answer["bad"] == true), "\(text.debugDescription)")
      guard let pointer else { continue }
      // A pointer into a string or number finds nothing here; the library indexes strings.
      let found = document[pointer]
      if case .string? = document[pointer.parent] { continue }
      #expect(found == answer["found"]?[0], "\(text.debugDescription) in \(document.plainText)")
      #expect(try JSONSlice(validating: Array(document.plainText.utf8))[pointer]?.value == found)
    }
  }
}

extension Dictionary where Key == String, Value == JSON {
  fileprivate var plainText: String {
    var object = JSON.Object()
    for (key, value) in self { object[key] = value }
    return JSON.object(object).plainText
  }
}
