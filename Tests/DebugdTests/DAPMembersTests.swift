import JSONCore
import Testing

@testable import debugd

@Suite("The members of a value in an editor")
struct DAPMembersTests {
  private static let marker: JSON = ["$cut": 100, "$more": 7]

  @Test("are those of the answer, and the number that its marker has")
  func cut() throws {
    let list = try #require(DAPMembers([1, 2, Self.marker]))
    #expect(list.shown.map(\.name) == ["0", "1"])
    #expect(list.count == 9)
    #expect(list.cutText == "the first 2 of 9")
    let object = try #require(DAPMembers(["a": 1, "$more": Self.marker]))
    #expect(object.shown.map(\.name) == ["a"])
    #expect(object.count == 8)
  }

  @Test(
    "are all of a value that only looks like a cut one",
    arguments: [
      #"[{"$cut":100}]"#, #"[{"$cut":100,"$more":0}]"#, #"[{"$cut":100,"$more":-1}]"#,
      #"[{"$cut":100,"$more":9223372036854775807}]"#, #"[{"$cut":1,"$more":2,"x":3}]"#,
      #"{"$more":7}"#, #"{"$more":{"$cut":100,"$more":7},"last":1}"#,
    ])
  func whole(text: String) throws {
    let value = try JSON(parsing: Array(text.utf8))
    let members = try #require(DAPMembers(value))
    #expect(!members.isCut)
    #expect(members.shown.count == (value["last"] == nil ? 1 : 2))
  }

  @Test("are absent from a number and a text")
  func none() {
    #expect(DAPMembers(7)?.count == nil)
    #expect(DAPMembers("$more")?.count == nil)
  }
}
