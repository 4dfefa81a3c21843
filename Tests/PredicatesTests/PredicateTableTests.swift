import Foundation
import JSONCore
import Predicates
import TestSupport
import Testing
import Timelines

/// The rows of `docs/protocol/predicates.json`, which the inspector's tests read too.
struct PredicateTable {
  var moments: [String: EntrySubject] = [:]
  var rows: [JSONSlice] = []

  init() throws {
    let file = repositoryRoot.appending(path: "docs/protocol/predicates.json")
    let table = try JSONSlice(validating: Array(Data(contentsOf: file)))
    for member in try #require(table["moments"]).members {
      moments[member.key] = EntrySubject(
        entry: try #require(member.value["entry"]),
        before: member.value["before"].map(Self.values),
        after: member.value["after"].map(Self.values),
        hiddenBefore: try member.value["hiddenBefore"]?.elements.map {
          try Pointer($0.string ?? "")
        } ?? [])
    }
    rows = Array(try #require(table["rows"]).elements)
  }

  private static func values(_ slice: JSONSlice) -> SideValues {
    switch slice.string {
    case "unknown": .unknown
    case "none": .none
    default:
      .known(
        state: .text(slice["state"] ?? slice),
        outputs: slice["outputs"].map(JSONView.text) ?? .tree([:]))
    }
  }
}

extension EntrySubject {
  /// The same moment with decoded values.
  var decoded: EntrySubject {
    func tree(_ values: SideValues) -> SideValues {
      guard case .known(let state, let outputs) = values else { return values }
      return .known(state: .tree(state.tree), outputs: .tree(outputs.tree))
    }
    var moment = self
    moment.before = tree(values(.before))
    moment.after = tree(values(.after))
    return moment
  }
}

@Suite("The predicate table")
struct PredicateTableTests {
  let table: PredicateTable

  init() throws {
    table = try PredicateTable()
  }

  @Test("answers every row, on text and on trees alike")
  func answers() throws {
    var count = 0
    for row in table.rows {
      guard let answer = row["answer"] else { continue }
      let text = try #require(row["predicate"]?.string)
      let moment = try #require(table.moments[row["moment"]?.string ?? ""], "\(row.text)")
      let expected = answer.bool.map { Answer($0) } ?? .unknown
      let predicate = try Predicate(text)
      #expect(predicate.evaluate(moment) == expected, "\(row.text)")
      #expect(predicate.evaluate(moment.decoded) == expected, "decoded: \(row.text)")
      count += 1
    }
    #expect(count >= 150)
  }

  @Test("points at the column of every mistake")
  func errors() throws {
    for row in table.rows {
      guard let error = row["error"] else { continue }
      let text = try #require(row["predicate"]?.string)
      do {
        _ = try Predicate(text)
        Issue.record("no error for \(row.text)")
      } catch {
        #expect(Int64(error.column) == row["error"]?["column"]?.int, "\(text): \(error)")
        #expect(error.message == row["error"]?["message"]?.string, "\(text)")
        let before = text.unicodeScalars.prefix(error.column - 1)
        #expect(error.offset == String(String.UnicodeScalarView(before)).utf8.count, "\(text)")
      }
      _ = error
    }
  }

  @Test("prints one text for all spellings, and reads it back")
  func canonical() throws {
    for row in table.rows where row["error"] == nil {
      let predicate = try Predicate(try #require(row["predicate"]?.string))
      if let canonical = row["canonical"]?.string { #expect(predicate.description == canonical) }
      let again = try Predicate(predicate.description)
      #expect(again == predicate, "\(row.text)")
      #expect(again.description == predicate.description)
    }
  }
}
