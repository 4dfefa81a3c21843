import Foundation
import JSONCore
import Testing
import Timelines
import Wire

@testable import debugd

@Suite("The size of a reply to a coding agent")
struct ReplyBudgetTests {
  @Test("lists end where the budget does, and have at least one value")
  func prefix() {
    var budget = ReplyBudget(1024)
    let values = (0..<100).map { JSON.count($0 + 1000) }
    let shown = budget.prefix(of: values)
    // 512 bytes are for the frame, and each number takes five with its comma.
    #expect(shown.count == 100)
    var full = ReplyBudget(1024)
    #expect(full.prefix(of: (0..<1000).map { JSON.count($0 % 1000 + 1000) }).count == 102)
    var small = ReplyBudget(1024)
    #expect(small.prefix(of: [.string(String(repeating: "a", count: 4000)), 1]).count == 1)
  }

  @Test(
    "a value that is too large becomes its size",
    arguments: [
      JSON.string(String(repeating: "\u{202E}", count: 5000)),
      .array((0..<1000).map { .count($0) }),
      ["a": .string(String(repeating: "x", count: 5000)), "b": 1],
    ])
  func cut(value: JSON) throws {
    let cut = ReplyBudget.cut(value)
    #expect(cut.encoded().count <= ReplyBudget.valueBytes)
    #expect(String(decoding: cut.encoded(), as: UTF8.self).contains("$cut"))
  }

  @Test("small members stay next to a large one")
  func members() {
    let value: JSON = ["id": 7, "text": .string(String(repeating: "x", count: 5000))]
    #expect(ReplyBudget.cut(value)["id"] == 7)
  }

  @Test("small values stay as they are")
  func small() {
    #expect(ReplyBudget.cut(["a": [1, 2]]) == ["a": [1, 2]])
  }
}

@Suite("Branches that an agent did not keep")
struct ScratchBranchesTests {
  private static let now = Date(timeIntervalSince1970: 1_800_000_000)

  private func summary(name: String, isBranch: Bool = true) throws -> ToInspector.TimelineSummary {
    // A branch of an old recording has the time of that recording.
    var header: JSON.Object = [
      "timeline": "5d0c7a3e-2f41-4b8e-9a6d-c1e2f3a4b5d6", "started": "2001-01-01T00:00:00Z",
    ]
    if isBranch { header["parent"] = ["name": .string(name)] }
    let slice = try JSONSlice(validating: JSON.object(header).encoded())
    return ToInspector.TimelineSummary { $0.header = slice }
  }

  /// A branch made so many seconds ago.
  private func made(_ age: TimeInterval, ago name: String? = nil) throws
    -> ToInspector.TimelineSummary
  {
    try summary(name: ScratchBranches(now: { Self.now - age }).name(name))
  }

  private let branches = ScratchBranches(now: { Self.now })

  @Test("expire after an hour, whatever their recording's age")
  func expiry() throws {
    #expect(try branches.isExpired(made(3601)))
    #expect(try branches.isExpired(made(3601, ago: "cheaper")))
    #expect(try !branches.isExpired(made(3599)))
  }

  @Test("stay when a person gave them a name or a mark, or made a branch of them")
  func kept() throws {
    var renamed = try made(9999)
    renamed.name = "mine"
    #expect(!branches.isExpired(renamed))
    var marked = try made(9999)
    marked.marks = [ToInspector.TimelineMark()]
    #expect(!branches.isExpired(marked))
    var parent = try made(9999)
    parent.branches = 1
    #expect(!branches.isExpired(parent))
  }

  @Test("are distinguished from recordings and other branches by their names")
  func others() throws {
    for name in ["cheaper", "temporary", "temporary : x", "temporary yesterday"] {
      #expect(try !branches.isExpired(summary(name: name)))
    }
    let recording = try summary(name: "", isBranch: false)
    #expect(!branches.isExpired(recording))
  }
}
