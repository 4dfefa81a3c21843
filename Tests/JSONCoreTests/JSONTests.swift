import JSONCore
import Testing

@Suite("JSON values")
struct JSONTests {
  @Test("keeps 64-bit integers exact")
  func exactIntegers() throws {
    #expect(try JSON(parsing: "9223372036854775807").int == .max)
    #expect(try JSON(parsing: "-9223372036854775808").int == .min)
    let large = try JSON(parsing: "18446744073709551615")
    #expect(large == .number(JSON.Number(UInt64.max)))
    #expect(large != .number(try #require(JSON.Number(18446744073709551615.0))))
  }

  @Test(
    "compares numbers by decimal value and spells each in one way",
    arguments: [
      ("1.0", "1"), ("10e-1", "1"), ("1e400", "1e+400"), ("-0", "-0"), ("-0.0e9", "-0"),
      ("0.1", "0.1"), ("1E-7", "1e-7"), ("0.000001", "0.000001"), ("1e20", "100000000000000000000"),
      ("123e-20", "1.23e-18"), ("1e21", "1e+21"), ("5e-324", "5e-324"), ("0e99999999999", "0"),
      ("0.1234567890123456789012345", "0.1234567890123456789012345"),
      ("170141183460469231731687303715884105727", "170141183460469231731687303715884105727"),
      ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ])
  func comparesNumbersByDecimalValueAndSpellsEach(text: String, spelled: String) throws {
    let number = try #require(JSON.Number(text: text))
    #expect(number.text == spelled)
    #expect(JSON.Number(text: spelled) == number)
  }

  @Test("reads slices without a tree")
  func readsSlicesWithoutTree() throws {
    let line = try JSONSlice(
      validating: Array(#" {"seq":12, "a\u0062c":[1,{"x":[]}, "\ud83d\ude00"] } "#.utf8))
    #expect(line["seq"]?.int == 12)
    #expect(line["abc"]?[2]?.string == "😀")
    #expect(line[try Pointer("/abc/1/x")]?.text == "[]")
    #expect(line.value == ["abc": [1, ["x": []], "😀"], "seq": 12])
  }

  @Test(
    "finds a key that is spelled with escapes by its name, and by no other",
    arguments: [
      (#"{"k\\":1}"#, #"k\"#), (#"{"\\":1}"#, #"\"#), (#"{"\\k":1}"#, #"\k"#),
      (#"{"k\"":1}"#, "k\""), (#"{"k\u005c":1}"#, #"k\"#), (#"{"k\n":1}"#, "k\n"),
      (#"{"\u006b":1}"#, "k"), (#"{"k\/":1}"#, "k/"),
    ])
  func escapedKeys(text: String, key: String) throws {
    let slice = try JSONSlice(validating: Array(text.utf8))
    let written = String(text.dropFirst(2).dropLast(4))
    for name in [key, written, key + "\\", String(key.dropLast()), key.uppercased()] {
      let found: JSON? = name == key ? 1 : nil
      #expect(slice[name]?.value == found, "\(name)")
      #expect(slice.value[name] == found, "\(name)")
      #expect(slice.members.contains { $0.hasKey(name) } == (name == key), "\(name)")
    }
  }
}
