import JSONCore
import Testing

@testable import Replaying

@Suite("Decoding errors in sentences")
struct DecodingSentenceTests {
  private struct Item: Decodable { var names: [String] }

  @Test(
    "name what the recording has and what today's type has, in the words of JSON",
    arguments: [
      ("[1]", "the recording has an array where today's type has an object"),
      (
        #"{"names":{"a":1}}"#,
        "the recording has an object where today's type has an array (at /names)"
      ),
      (#"{"names":[1]}"#, "Expected to decode String but found a number instead. (at /names/0)"),
      ("{}", #"the key "names" is missing"#),
    ])
  func mismatch(json: String, sentence: String) throws {
    let slice = try JSONSlice(validating: Array(json.utf8))
    let error = try #require(throws: DecodingError.self) {
      try CanonicalDecoder().decode(Item.self, from: slice)
    }
    #expect(DecodingSentence.text(of: error) == sentence)
  }
}
