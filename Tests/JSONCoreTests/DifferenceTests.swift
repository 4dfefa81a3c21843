import JSONCore
import TestSupport
import Testing

@Suite("Differences")
struct DifferenceTests {
  @Test(
    "finds the shortest patch",
    arguments: [
      ("1", "1.0", "[]"),
      ("0", "-0", #"[{"op":"replace","path":"","value":-0}]"#),
      (#"{"a":1,"b":[2]}"#, #"{"b":[2],"a":1}"#, "[]"),
      (#"{"a":[1,2,3]}"#, #"{"a":[1,3]}"#, #"[{"op":"remove","path":"/a/1"}]"#),
      (
        #"{"name":"a long enough name","n":1}"#, #"{"name":"a long enough name","n":2}"#,
        #"[{"op":"replace","path":"/n","value":2}]"#
      ),
      // Two members of a small object: the object is shorter.
      (
        #"{"keep":"a long enough name","o":{"a":1,"b":1}}"#,
        #"{"keep":"a long enough name","o":{"a":2,"b":2}}"#,
        #"[{"op":"replace","path":"/o","value":{"a":2,"b":2}}]"#
      ),
      // One that moved is taken out and put in again, the others stay.
      (
        #"["first element","second element","third element","fourth element"]"#,
        #"["second element","third element","fourth element","first element"]"#,
        #"[{"op":"remove","path":"/0"},{"op":"add","path":"/3","value":"first element"}]"#
      ),
      // The same one by its id, though it changed and another came before it.
      (
        #"[{"id":1,"text":"the first of them","on":false},{"id":2,"text":"the second","on":false}]"#,
        #"[{"id":0,"text":"new"},{"id":1,"text":"the first of them","on":true},"#
          + #"{"id":2,"text":"the second","on":false}]"#,
        #"[{"op":"add","path":"/0","value":{"id":0,"text":"new"}},"#
          + #"{"op":"replace","path":"/1/on","value":true}]"#
      ),
      (
        #"{"a/b":{"m~n":1},"long":"a long enough text"}"#,
        #"{"a/b":{"m~n":2},"long":"a long enough text"}"#,
        #"[{"op":"replace","path":"/a~1b/m~0n","value":2}]"#
      ),
    ])
  func findsShortestPatch(old: String, new: String, patch: String) throws {
    let difference = Patch.difference(from: try JSON(parsing: old), to: try JSON(parsing: new))
    #expect(difference.json.plainText == patch)
  }

  @Test("is never longer than replacing the smallest value around the change")
  func neverLonger() throws {
    let seed: UInt64 = 0x5EED_0003
    var random = RandomJSON(seed: seed)
    for round in 0..<1_500 {
      let old = random.value()
      var new = old
      for _ in 0..<random.int(in: 1..<6) { new = random.mutation(of: new) }
      let patch = Patch.difference(from: old, to: new)
      #expect(try old.applying(patch) == new, "seed \(seed), round \(round)")
      #expect(patch.isEmpty == (old == new), "seed \(seed), round \(round)")
      // The smallest value around everything that changed: down while one child alone differs.
      var (left, right) = (old, new)
      var path = Pointer.root
      while let step = Self.onlyChange(left, right) {
        path = path.appending(step)
        (left, right) = (
          left[Pointer(tokens: [step])] ?? .null, right[Pointer(tokens: [step])] ?? .null
        )
      }
      let replacing = Patch([.replace(path, right)]).json.plainText.utf8.count
      let length = patch.json.plainText.utf8.count
      #expect(length <= replacing, "seed \(seed), round \(round): \(patch.json.plainText)")
    }
  }

  private static func onlyChange(_ old: JSON, _ new: JSON) -> String? {
    switch (old, new) {
    case (.object(let old), .object(let new)):
      let changed = Set(old.keys + new.keys).filter { old[$0] != new[$0] }
      guard changed.count == 1, let key = changed.first, old[key] != nil, new[key] != nil else {
        return nil
      }
      return key
    case (.array(let old), .array(let new)) where old.count == new.count:
      let changed = old.indices.filter { old[$0] != new[$0] }
      return changed.count == 1 ? String(changed[0]) : nil
    default:
      return nil
    }
  }

  private static func items(_ count: Int, id: Bool = true) -> [JSON] {
    (0..<count).map { index in
      let text: JSON = .string("the text of item number \(index)")
      return id ? ["id": .string("i\(index)"), "text": text, "on": false] : ["text": text]
    }
  }

  @Test("describes few changes in a long array with few operations", arguments: [true, false])
  func longArrays(id: Bool) throws {
    let old = Self.items(3_000, id: id)
    var new = old
    new.insert(["text": "new"], at: 10)
    new.remove(at: 1_500)
    new.swapAt(2_000, 2_400)
    new.append(new.remove(at: 2_600))
    let patch = Patch.difference(from: .array(old), to: .array(new))
    #expect(patch.operations.count <= 10)
    #expect(try JSON.array(old).applying(patch) == .array(new))
  }

  @Test("keeps most of a shuffled list, matched by id or value", arguments: [true, false])
  func keepsMostOfShuffledList(id: Bool) throws {
    // Each third element goes to the end: far more edits than are sought one by one.
    let old = Self.items(900, id: id)
    let stays = old.enumerated().filter { $0.offset % 3 != 0 }.map(\.element)
    let new = stays + old.enumerated().filter { $0.offset % 3 == 0 }.map(\.element)
    let patch = Patch.difference(from: .array(old), to: .array(new))
    #expect(patch.operations.count == 600)
    #expect(try JSON.array(old).applying(patch) == .array(new))
  }

  @Test("handles values that are crafted to be slow")
  func handlesValuesThatAreCraftedToBeSlow() throws {
    // Thousands of equal elements in another order.
    let bits = (0..<4_000).map { JSON.bool($0 % 2 == 0) }
    let turned = Array(bits.reversed().dropLast(700)) + [nil]
    // A large neighbour at every depth, so that comparing before descending would repeat it.
    var (deep, deeper): (JSON, JSON) = (1, 2)
    for _ in 0..<400 {
      let neighbour = JSON.array(Array(repeating: "neighbour", count: 40))
      (deep, deeper) = ([neighbour, deep], [neighbour, deeper])
    }
    let pairs: [(JSON, JSON)] = [(.array(bits), .array(turned)), (deep, deeper)]
    for (old, new) in pairs {
      let patch = Patch.difference(from: old, to: new)
      #expect(try old.applying(patch) == new)
    }
    #expect(Patch.difference(from: deep, to: deeper).operations.count == 1)
  }

  @Test("replaces values that are too deep to walk, and begins paths with the given one")
  func replacesValuesThatAreTooDeepToWalk() throws {
    var (old, new): (JSON, JSON) = (1, 2)
    for _ in 0..<2_000 { (old, new) = ([old], [new]) }
    let patch = Patch.difference(from: old, to: new, at: Pointer(tokens: ["state"]))
    #expect(patch.operations.count == 1)
    #expect(patch.operations.first?.path.tokens.first == "state")
  }
}
