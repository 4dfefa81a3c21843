import JSONCore
import Testing

@testable import DebugServer

@Suite("Values cut by depth")
struct CutTests {
  private static let value: JSON = [
    "numbers": [1, 2], "nested": [[3]], "object": ["a": 1], "empty": [], "text": "long",
  ]

  @Test("show nothing of arrays and objects at the depth and below but their bytes")
  func depth() {
    #expect(Self.value.cut(below: 1) == ["$cut": .number(JSON.Number(Int64(Self.bytes)))])
    #expect(
      Self.value.cut(below: 2) == [
        "numbers": ["$cut": 5], "nested": ["$cut": 5], "object": ["$cut": 7], "empty": [],
        "text": "long",
      ])
    #expect(
      Self.value.cut(below: 3) == [
        "numbers": [1, 2], "nested": [["$cut": 3]], "object": ["a": 1], "empty": [],
        "text": "long",
      ])
    #expect(Self.value.cut(below: 4) == Self.value)
  }

  private static var bytes: Int { value.encoded().count }
}
