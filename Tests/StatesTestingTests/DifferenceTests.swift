import JSONCore
import Testing

@testable import StatesTesting

@Suite("The differences that a failed test reports")
struct DifferenceTests {
  @Test("name each output, even if all of them differ")
  func outputs() {
    let found = Difference.all(
      from: ["total": 0, "count": 1, "same": true],
      to: ["total": 500, "count": 2, "same": true, "coupon": "x"], below: "outputs")
    #expect(
      found.map(\.text) == [
        "output \"total\" (/outputs/total): expected 0, got 500",
        "output \"count\" (/outputs/count): expected 1, got 2",
        "output \"coupon\" (/outputs/coupon): expected nothing, got \"x\"",
      ])
    let gone = Difference.all(from: ["visits": [1], "handler": "a"], to: [:], below: "outputs")
    #expect(
      gone.map(\.name) == [
        "output \"visits\" (/outputs/visits)", "output \"handler\" (/outputs/handler)",
      ])
    var many = JSON.Object()
    for number in 0..<9 { many["o\(number)"] = true }
    #expect(Difference.all(from: [:], to: .object(many), below: "outputs").count == 5)
  }

  @Test("show the beginning of a long value, which may be one character")
  func longValues() {
    let marks = "a" + String(repeating: "\u{301}", count: 5_000)
    #expect(shortened(marks).unicodeScalars.count == 300)
    #expect(describe(marks).unicodeScalars.count == 300)
    #expect(describe("short") == "\"short\"")
  }

  @Test("show a key with control characters on one line, and do not cut the message there")
  func controlCharacters() throws {
    let key = "a\nb\r\nc\t\0\u{1B}[31m\u{202E}"
    let shown = #"a\u{a}b\u{d}\u{a}c\u{9}\u{0}\u{1b}[31m\u{202e}"#
    let found = Difference.all(from: ["notes": [key: 1]], to: ["notes": [:]], below: "outputs")
    #expect(
      found.map(\.text) == [#"output "notes" (/outputs/notes/\#(shown)): expected 1, got nothing"#])
    let inState = Difference.all(from: [key: 1], to: [:], below: "state")
    #expect(inState.map(\.name) == ["/state/\(shown)"])
    // An error's text is also recorded, so it is untrusted, too.
    let failure = ExpectationFailure(
      text: "The event fails: two\nlines \0\u{1B}[2J\u{2066}é 👩‍👧 e\u{301}\u{85}", fileID: "",
      filePath: "", line: 1, column: 1)
    #expect(
      failure.description
        == "The event fails: two\nlines \\u{0}\\u{1b}[2J\\u{2066}é 👩\\u{200d}👧 e\u{301}\\u{85}")
    #expect(FixtureError(.empty, in: "a\0b").description.hasPrefix("a\\u{0}b: "))
  }

  /// All nested arrays and objects with up to two members each.
  private static func values(depth: Int) -> [JSON] {
    let leaves: [JSON] = [1, "a", nil]
    guard depth > 0 else { return leaves }
    let inner = values(depth: depth - 1)
    let pairs = inner.flatMap { first in inner.map { (first, $0) } }
    return leaves + [[], [:]] + inner.map { ["x": $0] } + pairs.map { ["x": $0, "y": $1] }
      + inner.map { [$0] } + pairs.map { [$0, $1] }
  }

  /// Every array of up to four elements.
  private static var arrays: [JSON] {
    let elements: [JSON] = [1, 2, ["x": 1]]
    var all: [[JSON]] = [[]]
    for length in 0..<4 {
      all += all.filter { $0.count == length }.flatMap { array in elements.map { array + [$0] } }
    }
    return all.map { .array($0) }
  }

  private func differences(_ expected: JSON, _ found: JSON) -> [Difference] {
    var all: [Difference] = []
    Difference.collect(from: expected, to: found, at: [], limit: .max, into: &all)
    return all
  }

  /// Replaces the expected value at a path with the value found; nil if the path does not exist.
  private func correct(_ value: JSON?, at path: ArraySlice<String>, to found: JSON?) -> JSON? {
    guard let first = path.first else { return found }
    let rest = path.dropFirst()
    if var object = value?.object {
      object[first] = correct(object[first], at: rest, to: found)
      return .object(object)
    }
    guard var array = value?.array, let index = Int(first) else { return value }
    if index < array.count {
      // A missing element becomes a hole, so that the others keep their indexes.
      array[index] = correct(array[index], at: rest, to: found) ?? "hole"
    } else if let found {
      array.append(found)
    }
    return .array(array)
  }

  private func removingHoles(_ value: JSON) -> JSON {
    if let array = value.array {
      return .array(array.filter { $0 != "hole" }.map(removingHoles))
    }
    guard var object = value.object else { return value }
    for key in object.keys { object[key] = object[key].map(removingHoles) }
    return .object(object)
  }

  @Test("have each place once, and correcting all of them leaves no difference")
  func smallWorlds() throws {
    for world in [Self.values(depth: 1), Self.arrays, Self.values(depth: 2).sample(90)] {
      for expected in world {
        for found in world {
          guard let problem = problem(expected, found) else { continue }
          Issue.record("\(expected) and \(found): \(problem)")
          return
        }
      }
    }
  }

  /// The problem with the differences of two values, if any.
  private func problem(_ expected: JSON, _ found: JSON) -> String? {
    let reported = differences(expected, found)
    var corrected = expected
    for difference in reported {
      let path = difference.path
      guard difference.expected == expected[path], difference.found == found[path] else {
        return "\(path) has other values"
      }
      if difference.expected == difference.found { return "\(path) does not differ" }
      corrected = correct(corrected, at: path.tokens[...], to: difference.found) ?? "nothing"
    }
    if Set(reported.map(\.path.description)).count != reported.count {
      return "a place is named twice"
    }
    return removingHoles(corrected) == found ? nil : "corrected, it is \(corrected)"
  }

  @Test("have no place twice if elements in the middle of an array differ")
  func middle() {
    let found = Difference.all(
      from: ["visits": ["a", "b", "c", "d", "e", "f", "g"]], to: ["visits": ["a", "g"]],
      below: "outputs")
    #expect(
      found.map(\.text) == [
        #"output "visits" (/outputs/visits/1): expected "b", got "g""#,
        #"output "visits" (/outputs/visits/2): expected "c", got nothing"#,
        #"output "visits" (/outputs/visits/3): expected "d", got nothing"#,
        #"output "visits" (/outputs/visits/4): expected "e", got nothing"#,
        #"output "visits" (/outputs/visits/5): expected "f", got nothing"#,
      ])
  }
}

extension Array {
  /// Evenly spaced elements, about `count` of them.
  fileprivate func sample(_ count: Int) -> [Element] {
    let step = Swift.max(1, self.count / count)
    return indices.filter { $0.isMultiple(of: step) }.map { self[$0] }
  }
}
