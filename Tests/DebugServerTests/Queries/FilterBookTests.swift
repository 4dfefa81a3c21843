import Foundation
import Predicates
import Synchronization
import TestSupport
import Testing
import Wire

@testable import DebugServer

@Suite("Named filters")
struct FilterBookTests {
  private let temporary: TemporaryFolder
  private var folder: String { temporary.url.path }

  init() throws {
    temporary = try TemporaryFolder()
  }

  private static func request(
    _ machine: String, _ name: String? = nil, _ predicate: String? = nil
  ) throws -> FromInspector.Filters {
    let parsed = try predicate.map { try Predicate($0) }
    return FromInspector.Filters {
      $0.machine = machine
      $0.name = name
      $0.predicate = parsed
    }
  }

  @Test("are kept by type of machine, replaced, removed, and there again after a restart")
  func kept() async throws {
    let book = FilterBook(folder: folder)
    _ = try await book.answer(Self.request("Coin", "late", "t > 5"))
    _ = try await book.answer(Self.request("Coin", "errors", "error"))
    _ = try await book.answer(Self.request("Cart", "errors", "state.total<0"))
    let replaced = try await book.answer(Self.request("Coin", "errors", "error != null"))
    #expect(replaced.filters.map(\.name) == ["errors", "late"])
    #expect(replaced.filters.map(\.predicate) == ["error != null", "t > 5"])
    let again = FilterBook(folder: folder)
    #expect(
      try await again.answer(Self.request("Cart")).filters.map(\.predicate) == ["state.total < 0"])
    #expect(try await again.answer(Self.request("Coin", "late")).filters.map(\.name) == ["errors"])
    #expect(try await FilterBook(folder: folder).answer(Self.request("Coin")).filters.count == 1)
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/filters.json")
    #expect(mode[.posixPermissions] as? Int == 0o600)
  }

  @Test("are kept apart from invariants of the same name, also after a restart")
  func invariants() async throws {
    let book = FilterBook(folder: folder)
    _ = try await book.answer(Self.request("Coin", "late", "t > 5"))
    var asked = try Self.request("Coin", "late", "state.n >= 0")
    asked.always = true
    #expect(try await book.answer(asked).filters.map(\.predicate) == ["state.n >= 0"])
    let again = FilterBook(folder: folder)
    let mayHave = { again.mayHaveInvariants.load(ordering: .relaxed) }
    #expect(mayHave())
    #expect(try await again.answer(Self.request("Coin")).filters.map(\.predicate) == ["t > 5"])
    let invariants = try await again.invariants(of: "Coin")
    #expect(invariants.map { "\($0.predicate)" } == ["state.n >= 0"])
    #expect(try await again.invariants(of: "Cart").isEmpty)
    asked.predicate = nil
    #expect(try await again.answer(asked).filters.isEmpty)
    #expect(!mayHave())
    let missing = await #expect(throws: Refusal.self) { try await again.answer(asked) }
    #expect(
      missing?.reply.message == "There is no invariant 'late': this machine has no invariants.")
    #expect(try await again.answer(Self.request("Coin")).filters.count == 1)
  }

  @Test("of invariants are named by the canonical spelling of their condition")
  func canonicalNames() async throws {
    let book = FilterBook(folder: folder)
    let texts = ["state.n>=0", "state.n >= 0", "(state.n   >=0)"]
    for text in texts {
      var asked = try Self.request("Coin", text, text)
      asked.always = true
      let kept = try await book.answer(asked).filters
      #expect(kept.map(\.name) == ["state.n >= 0"])
      #expect(kept.map(\.predicate) == ["state.n >= 0"])
    }
    var removed = try Self.request("Coin", texts[0])
    removed.always = true
    #expect(try await book.answer(removed).filters.isEmpty)
    #expect(
      try await book.answer(Self.request("Coin", texts[0], texts[0])).filters.map(\.name)
        == [texts[0]], "a filter keeps its own name")
  }

  @Test("have names that differ by their bytes, whatever is in them")
  func names() async throws {
    let book = FilterBook(folder: folder)
    let names = ["\u{e9}", "e\u{301}", "\u{1b}[31m\"\n", "<img src=x>", "@x"]
    for name in names { _ = try await book.answer(Self.request("M", name, "true")) }
    let again = try await FilterBook(folder: folder).answer(Self.request("M"))
    #expect(Set(again.filters.map { Array($0.name.utf8) }) == Set(names.map { Array($0.utf8) }))
  }

  @Test("are limited in number and length, and none is lost at the limit")
  func limits() async throws {
    let book = FilterBook(folder: folder)
    for number in 0..<FilterBook.maximum.ofMachine {
      _ = try await book.answer(Self.request("M", "\(number)", "true"))
    }
    let refusal = await #expect(throws: Refusal.self) {
      try await book.answer(Self.request("M", "more", "true"))
    }
    #expect(refusal?.reply.message.hasSuffix("To keep another one, delete one.") == true)
    _ = try await book.answer(Self.request("M", "7", "false"))
    #expect(try await book.answer(Self.request("M")).filters.count == FilterBook.maximum.ofMachine)
    _ = try await book.answer(Self.request("N", "more", "true"))
    let long = String(repeating: "x", count: 1_001)
    await #expect(throws: Refusal.self) { try await book.answer(Self.request("M", long)) }
    await #expect(throws: Refusal.self) { try await book.answer(Self.request("M", "")) }
    await #expect(throws: Refusal.self) { try await book.answer(Self.request("M", nil, "true")) }
  }

  @Test("that are missing are answered with those that are there")
  func missing() async throws {
    let book = FilterBook(folder: folder)
    _ = try await book.answer(Self.request("Coin", "late", "t > 5"))
    func message(_ name: String) async -> String? {
      let refusal = await #expect(throws: Refusal.self) {
        try await book.answer(Self.request("Coin", name))
      }
      return refusal?.reply.message
    }
    #expect(await message("lte") == "There is no filter 'lte': this machine has 'late'.")
    let marks = "a" + String(repeating: "\u{301}", count: 400)
    let shown = try #require(await message(marks))
    #expect(shown.unicodeScalars.count < 100)
    for number in 0..<6 { _ = try await book.answer(Self.request("Coin", "\(number)", "true")) }
    _ = try await book.answer(Self.request("Cart", "other", "true"))
    let long = String(repeating: "x", count: 100)
    #expect(
      await message(long) == """
        There is no filter '\(long.prefix(39))…': this machine has '0', '1', '2', '3', '4', and 2 more.
        """)
    let refusal = await #expect(throws: Refusal.self) {
      try await book.answer(Self.request("Door", "late"))
    }
    #expect(
      refusal?.reply.message == "There is no filter 'late': this machine has no filters.")
  }

  @Test("that this build cannot read stay in the file as they are, until one takes their name")
  func unread() async throws {
    let newer =
      #"{"machine":"M", "name":"new", "predicate":"state.n ~~> 1", "weight":1.50e0}"#
    let path = folder + "/filters.json"
    let text =
      #"{"filters":[{"machine":"M","name":"old","predicate":"t > 5"},\#(newer),7]}"#
    try Data(text.utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let book = FilterBook(folder: folder)
    let kept = try await book.answer(Self.request("M", "late", "t > 7")).filters
    #expect(kept.map(\.name) == ["late", "old"])
    _ = try await FilterBook(folder: folder).answer(Self.request("M", "old"))
    #expect(
      try String(contentsOfFile: path, encoding: .utf8)
        == #"{"filters":[{"machine":"M","name":"late","predicate":"t > 7"},\#(newer),7]}"# + "\n")
    _ = try await book.answer(Self.request("M", "new", "t > 9"))
    #expect(try String(contentsOfFile: path, encoding: .utf8).contains("~~>") == false)
    _ = try await book.answer(Self.request("M", "new"))
    #expect(try await FilterBook(folder: folder).answer(Self.request("M")).filters.count == 2)
  }

  @Test("of a file that is not one are refused, and the file is not replaced")
  func damaged() async throws {
    let path = folder + "/filters.json"
    try Data("[]".utf8).write(to: URL(filePath: path))
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let book = FilterBook(folder: folder)
    await #expect(throws: PrivateFileError.self) {
      try await book.answer(Self.request("M", "a", "true"))
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "[]")
  }
}
