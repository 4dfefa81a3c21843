import Foundation
import JSONCore
import TestSupport
import Testing

@testable import debugd

@Suite("The difference at the end")
struct EndDifferenceTests {
  @Test("is said in the words of the page")
  func likePage() throws {
    let file = repositoryRoot.appending(path: "Tests/Fixtures/end-differences.json")
    let cases = try JSON(parsing: String(contentsOf: file, encoding: .utf8)).array ?? []
    #expect(cases.count >= 12)
    for one in cases {
      let patch = try Patch(JSONSlice(validating: try #require(one["patch"]).encoded()))
      let words = EndDifference(patch, before: try #require(one["before"])).text
      #expect(words == one["words"]?.string)
    }
  }

  @Test("quotes texts, cuts long ones, and escapes what steers a terminal")
  func texts() throws {
    let long = String(repeating: "x", count: 500)
    let patch = try Patch(
      JSONSlice(
        validating: Array(
          #"[{"op":"replace","path":"/state/name","value":"a\u001b\#(long)"}]"#.utf8)))
    let text = EndDifference(patch, before: ["state": ["name": "b"]]).text
    #expect(text.hasPrefix(#"At the end: name "b" → "a\u"#))
    #expect(!text.contains("\u{1b}"))
    #expect(text.count < 100)
  }
}
