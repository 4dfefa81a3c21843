import JSONCore
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("The shape of a state")
struct StateShapeTests {
  @Test(
    "accepts the patches that apply to the value, and no others", arguments: 0..<40 as Range<UInt64>
  )
  func agreesWithValues(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var refused = 0
    for _ in 0..<40 {
      let first = JSON.container(depth: 4, &random)
      var value: JSON? = first
      var shape = try #require(try StateShape.keyframe(first.text(&random)))
      for seq in 1...30 as ClosedRange<Int64> {
        guard var known = value else { break }
        let operations = (0..<Int.random(in: 0...3, using: &random)).map { _ in
          Patch.Operation.any(in: known, &random)
        }
        let patch = Patch(operations)
        let line = #"{"seq":\#(seq),"t":0,"event":1,"patch":\#(patch.json.text(&random))}"#
        let outcome = Result { () throws(PatchError) in try known.apply(patch) }
        let verdict = shape.verdict(try Entry(reading: Array(line.utf8)))
        switch outcome {
        case .success:
          #expect(verdict == nil, "seed \(seed): \(line) on \(known)")
          value = known
        case .failure(let error):
          #expect(verdict == error, "seed \(seed): \(line) on \(known)")
          refused += 1
          value = nil
        }
      }
    }
    #expect(refused > 10)
  }

  @Test("refuses what the limits of patches refuse")
  func limits() throws {
    let deep = String(repeating: "[", count: 500) + String(repeating: "]", count: 500)
    let path = String(repeating: "/0", count: 499)
    for (levels, isRefused) in [(12, false), (13, true)] {
      var shape = try #require(try StateShape.keyframe(deep))
      let value = String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
      let line = """
        {"seq":1,"t":0,"event":1,"patch":[{"op":"add","path":"\(path)/-","value":\(value)}]}
        """
      let entry = try Entry(reading: Array(line.utf8))
      var known = try JSON(parsing: Array(deep.utf8))
      let patch = try Patch(try #require(entry.patch))
      let applies = (try? known.apply(patch)) != nil
      #expect(applies == !isRefused)
      #expect((shape.verdict(entry) == nil) == !isRefused)
    }
  }

  @Test("checks patches of outputs, of which a keyframe without them has none")
  func outputs() throws {
    var shape = try #require(try StateShape.keyframe("{}"))
    let right =
      #"{"seq":1,"t":0,"event":1,"patch":[],"outputs":[{"op":"add","path":"/a","value":1}]}"#
    #expect(shape.verdict(try Entry(reading: Array(right.utf8))) == nil)
    let wrong =
      #"{"seq":2,"t":0,"event":1,"patch":[],"outputs":[{"op":"replace","path":"/b","value":1}]}"#
    #expect(
      shape.verdict(try Entry(reading: Array(wrong.utf8)))
        == PatchError(.nothingThere, operation: 0, path: Pointer(tokens: ["b"])))
  }
}

extension StateShape {
  /// The shape of a state that is written so.
  fileprivate static func keyframe(_ state: String) throws -> StateShape? {
    let entry = try Entry(reading: Array(#"{"seq":0,"t":0,"state":\#(state)}"#.utf8))
    let (fact, bytes) = entry.run
    return StateShape(keyframe: fact, line: 3, of: bytes, seq: 0)
  }

  /// Why the patch of an entry does not apply.
  fileprivate mutating func verdict(_ entry: Entry) -> PatchError? {
    let (fact, bytes) = entry.run
    var work = ShapeWork()
    do throws(ShapeFailure) {
      try apply(fact, line: 3, of: bytes, seq: entry.seq, work: &work)
      return nil
    } catch {
      guard case .wrong(let error) = error else { return PatchError(.notAnArray) }
      switch error.reason {
      case .patch(let error), .outputs(let error): return error
      default: return PatchError(.notAnArray)
      }
    }
  }
}

extension Entry {
  /// The line after some other bytes, as in a run.
  fileprivate var run: (EntryFacts, [UInt8]) {
    let bytes = Array("{}\n".utf8) + line.bytes
    return (EntryFacts(self, end: bytes.count), bytes)
  }
}

extension JSON {
  fileprivate static let keys = [
    "a", "b", "", "~", "/", "a/b", "~1", "0", "1", "-", "01", "é", "\"", "\\", "a\nb",
  ]

  fileprivate static func container(depth: Int, _ random: inout SeededGenerator) -> JSON {
    let count = Int.random(in: 0...(random.chance(0.1) ? 40 : 4), using: &random)
    if random.chance(0.5) {
      return .array((0..<count).map { _ in any(depth: depth - 1, &random) })
    }
    var object = JSON.Object()
    for index in 0..<count {
      let key = count > 10 ? "k\(index)" : keys[Int.random(in: 0..<keys.count, using: &random)]
      object[key] = any(depth: depth - 1, &random)
    }
    return .object(object)
  }

  fileprivate static func any(depth: Int, _ random: inout SeededGenerator) -> JSON {
    guard depth > 0, random.chance(0.5) else {
      switch Int.random(in: 0..<4, using: &random) {
      case 0: return .null
      case 1: return .bool(true)
      case 2: return .number(JSON.Number(Int64.random(in: -5...5, using: &random)))
      default: return .string("}]\"{[\\,")
      }
    }
    return container(depth: depth, &random)
  }

  /// The value as text, sometimes with blanks, and with characters written as escapes.
  fileprivate func text(_ random: inout SeededGenerator) -> String {
    let text = String(decoding: encoded(), as: UTF8.self)
    guard random.chance(0.2) else { return text }
    var spelled = ""
    var isInside = false
    var isEscaped = false
    for character in text {
      if isInside, !isEscaped, "ab/".contains(character), random.chance(0.3) {
        spelled += character == "/" ? "\\/" : character == "a" ? "\\u0061" : "\\u0062"
        continue
      }
      if character == "\"", !isEscaped { isInside.toggle() }
      isEscaped = character == "\\" && !isEscaped
      spelled.append(character)
      if !isInside, ",:[{".contains(character), random.chance(0.3) { spelled += "  " }
    }
    return spelled
  }
}

extension Patch.Operation {
  /// An operation that often applies to a value, and often just does not.
  fileprivate static func any(in value: JSON, _ random: inout SeededGenerator) -> Self {
    var path = Pointer.root
    var place = value
    while random.chance(0.8) {
      switch place {
      case .object(let object) where random.chance(0.85) && object.count > 0:
        let members = object.map { $0 }
        let member = members[Int.random(in: 0..<members.count, using: &random)]
        path = path.appending(member.key)
        place = member.value
      case .array(let array) where random.chance(0.85) && !array.isEmpty:
        let index = Int.random(in: 0..<array.count, using: &random)
        path = path.appending(index)
        place = array[index]
      default:
        path = path.appending(JSON.keys[Int.random(in: 0..<JSON.keys.count, using: &random)])
        place = .null
      }
    }
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return .add(path, JSON.any(depth: 3, &random))
    case 1: return .remove(path)
    default: return .replace(path, JSON.any(depth: 2, &random))
    }
  }
}
