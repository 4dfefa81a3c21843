import JSONCore
import TestSupport
import Testing

@Suite("Patches")
struct PatchTests {
  /// A row of a table: document, patch, and the result or `nil` when the patch must not apply.
  struct Example: Sendable, CustomTestStringConvertible {
    var name: String
    var document: String
    var patch: String
    var result: String?
    var testDescription: String { name }

    init(_ name: String, _ document: String, _ patch: String, _ result: String?) {
      (self.name, self.document, self.patch, self.result) = (name, document, patch, result)
    }
  }

  @Test(
    "applies the examples of RFC 6902's appendix A",
    arguments: [
      Example(
        "A.1", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz","value":"qux"}]"#,
        #"{"baz":"qux","foo":"bar"}"#),
      Example(
        "A.2", #"{"foo":["bar","baz"]}"#, #"[{"op":"add","path":"/foo/1","value":"qux"}]"#,
        #"{"foo":["bar","qux","baz"]}"#),
      Example(
        "A.3", #"{"baz":"qux","foo":"bar"}"#, #"[{"op":"remove","path":"/baz"}]"#,
        #"{"foo":"bar"}"#),
      Example(
        "A.4", #"{"foo":["bar","qux","baz"]}"#, #"[{"op":"remove","path":"/foo/1"}]"#,
        #"{"foo":["bar","baz"]}"#),
      Example(
        "A.5", #"{"baz":"qux","foo":"bar"}"#,
        #"[{"op":"replace","path":"/baz","value":"boo"}]"#, #"{"baz":"boo","foo":"bar"}"#),
      Example(
        "A.6", #"{"foo":{"bar":"baz","waldo":"fred"},"qux":{"corge":"grault"}}"#,
        #"[{"op":"move","from":"/foo/waldo","path":"/qux/thud"}]"#,
        #"{"foo":{"bar":"baz"},"qux":{"corge":"grault","thud":"fred"}}"#),
      Example(
        "A.7", #"{"foo":["all","grass","cows","eat"]}"#,
        #"[{"op":"move","from":"/foo/1","path":"/foo/3"}]"#,
        #"{"foo":["all","cows","eat","grass"]}"#),
      Example(
        "A.8", #"{"baz":"qux","foo":["a",2,"c"]}"#,
        #"[{"op":"test","path":"/baz","value":"qux"},{"op":"test","path":"/foo/1","value":2}]"#,
        #"{"baz":"qux","foo":["a",2,"c"]}"#),
      Example("A.9", #"{"baz":"qux"}"#, #"[{"op":"test","path":"/baz","value":"bar"}]"#, nil),
      Example(
        "A.10", #"{"foo":"bar"}"#,
        #"[{"op":"add","path":"/child","value":{"grandchild":{}}}]"#,
        #"{"foo":"bar","child":{"grandchild":{}}}"#),
      Example(
        "A.11", #"{"foo":"bar"}"#,
        #"[{"op":"add","path":"/baz","value":"qux","xyz":123}]"#, #"{"foo":"bar","baz":"qux"}"#),
      Example(
        "A.12", #"{"foo":"bar"}"#, #"[{"op":"add","path":"/baz/bat","value":"qux"}]"#, nil),
      Example(
        "A.14", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":10}]"#,
        #"{"/":9,"~1":10}"#),
      Example("A.15", #"{"/":9,"~1":10}"#, #"[{"op":"test","path":"/~01","value":"10"}]"#, nil),
      Example(
        "A.16", #"{"foo":["bar"]}"#,
        #"[{"op":"add","path":"/foo/-","value":["abc","def"]}]"#,
        #"{"foo":["bar",["abc","def"]]}"#),
      // What the text of the RFC says beside its examples.
      Example("whole", "1", #"[{"op":"add","path":"","value":[2]}]"#, "[2]"),
      Example(
        "existing member", #"{"a":1}"#, #"[{"op":"add","path":"/a","value":2}]"#, #"{"a":2}"#),
      Example(
        "null is a value", #"{"a":1}"#, #"[{"op":"add","path":"/b","value":null}]"#,
        #"{"a":1,"b":null}"#),
      Example(
        "member named -", #"{"-":1}"#, #"[{"op":"replace","path":"/-","value":2}]"#,
        #"{"-":2}"#),
      Example("end", "[1]", #"[{"op":"add","path":"/1","value":2}]"#, "[1,2]"),
      Example(
        "move up", #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a/b","path":"/a"}]"#,
        #"{"a":1}"#),
      Example(
        "move to the root", #"{"a":{"b":1}}"#, #"[{"op":"move","from":"/a","path":""}]"#,
        #"{"b":1}"#),
      Example(
        "move nowhere", #"{"a":1}"#, #"[{"op":"move","from":"/a","path":"/a"}]"#,
        #"{"a":1}"#),
      Example(
        "copy into itself", #"{"a":{}}"#, #"[{"op":"copy","from":"","path":"/a/b"}]"#,
        #"{"a":{"b":{"a":{}}}}"#),
      Example("decimals", "[1.0]", #"[{"op":"test","path":"/0","value":10e-1}]"#, "[1]"),
      Example("zeros", "[-0.0]", #"[{"op":"test","path":"","value":[0]}]"#, "[-0]"),
      Example(
        "order", #"{"a":1,"b":2}"#, #"[{"op":"test","path":"","value":{"b":2,"a":1}}]"#,
        #"{"a":1,"b":2}"#),
    ])
  func appliesExamplesOfRFC6902(example: Example) throws {
    let document = try JSON(parsing: example.document)
    let json = try JSON(parsing: example.patch)
    let patch = try Patch(json)
    #expect(try Patch(JSONSlice(validating: Array(example.patch.utf8))) == patch)
    #expect(try Patch(patch.json) == patch)
    guard let result = example.result else {
      #expect(throws: PatchError.self) { try document.applying(patch) }
      return
    }
    #expect(try document.applying(patch) == JSON(parsing: result))
  }

  @Test(
    "names the operation, the path and the reason, and changes nothing",
    arguments: [
      (#"{"op":"remove","path":"/x"}"#, "/x", PatchError.Reason.nothingThere),
      (#"{"op":"replace","path":"/x","value":1}"#, "/x", .nothingThere),
      (#"{"op":"add","path":"/x/y","value":1}"#, "/x/y", .nothingThere),
      (#"{"op":"add","path":"/n/y","value":1}"#, "/n/y", .notAContainer),
      (#"{"op":"test","path":"/n/y","value":1}"#, "/n/y", .notAContainer),
      (#"{"op":"remove","path":""}"#, "", .removesRoot),
      (#"{"op":"move","from":"","path":"/a/0"}"#, "/a/0", .movesIntoItself),
      (#"{"op":"move","from":"/o","path":"/o/k/x"}"#, "/o/k/x", .movesIntoItself),
      (#"{"op":"move","from":"/x","path":"/y"}"#, "/x", .nothingThere),
      (#"{"op":"copy","from":"/a/3","path":"/y"}"#, "/a/3", .indexOutOfRange(3, count: 3)),
      (#"{"op":"remove","path":"/a/-"}"#, "/a/-", .notAnIndex("-")),
      (#"{"op":"add","path":"/a/01","value":1}"#, "/a/01", .notAnIndex("01")),
      (#"{"op":"add","path":"/a/+1","value":1}"#, "/a/+1", .notAnIndex("+1")),
      (#"{"op":"add","path":"/a/4","value":1}"#, "/a/4", .indexOutOfRange(4, count: 3)),
      (
        #"{"op":"add","path":"/a/99999999999999999999","value":1}"#,
        "/a/99999999999999999999", .notAnIndex("99999999999999999999")
      ),
      (#"{"op":"test","path":"/n","value":2}"#, "/n", .testFailed),
      (#"{"op":"test","path":"/n","value":true}"#, "/n", .testFailed),
      (#"{"op":"test","path":"/e","value":"e\u0301"}"#, "/e", .testFailed),
    ])
  func namesOperationPathAndReason(operation: String, path: String, reason: PatchError.Reason)
    throws
  {
    let document = try JSON(parsing: #"{"a":[1,2,3],"o":{"k":{}},"n":1,"e":"é"}"#)
    // Changes of every kind come first and must be taken back, the order of members included.
    let before = #"""
      {"op":"remove","path":"/a/0"},{"op":"add","path":"/a/0","value":9},
      {"op":"add","path":"/b","value":[]},{"op":"copy","from":"/o","path":"/b/0"},
      {"op":"move","from":"/b","path":"/c"},{"op":"replace","path":"/c/0/k","value":7},
      {"op":"remove","path":"/c"},{"op":"test","path":"/n","value":1}
      """#
    let patch = try Patch(JSON(parsing: "[\(before),\(operation)]"))
    var changed = document
    let error = #expect(throws: PatchError.self) { try changed.apply(patch) }
    #expect(error == PatchError(reason, operation: 8, path: try Pointer(path)))
    if reason == .removesRoot {
      #expect(reason.description == "the whole value cannot be removed; to fix, replace it")
    }
    #expect(changed.plainText == document.plainText)
  }

  @Test(
    "refuses invalid patches",
    arguments: [
      ("{}", nil, PatchError.Reason.notAnArray),
      ("[1]", 0, .notAnObject),
      (#"[{"path":""}]"#, 0, .missing("op")),
      (#"[{"op":1,"path":""}]"#, 0, .notAString("op")),
      (#"[{"op":"remove","path":"/a"},{"op":"spread","path":""}]"#, 1, .unknownOperation("spread")),
      (#"[{"op":"remove"}]"#, 0, .missing("path")),
      (#"[{"op":"remove","path":null}]"#, 0, .notAString("path")),
      (#"[{"op":"add","path":""}]"#, 0, .missing("value")),
      (#"[{"op":"move","path":""}]"#, 0, .missing("from")),
      (#"[{"op":"copy","path":"","from":{}}]"#, 0, .notAString("from")),
      (
        #"[{"op":"remove","path":"a"}]"#, 0,
        .pointer(member: "path", PointerError(.noSlash, at: 0))
      ),
      (
        #"[{"op":"copy","path":"","from":"/~2"}]"#, 0,
        .pointer(member: "from", PointerError(.escape, at: 1))
      ),
      (
        #"[{"op":"remove","path":"\#(String(repeating: "/a", count: 513))"}]"#, 0,
        .pointer(member: "path", PointerError(.tooLong, at: 1_024))
      ),
    ] as [(String, Int?, PatchError.Reason)])
  func refusesInvalidPatches(text: String, operation: Int?, reason: PatchError.Reason) throws {
    let json = try JSON(parsing: text)
    let slice = try JSONSlice(validating: Array(text.utf8))
    let errors = [
      #expect(throws: PatchError.self) { try Patch(json) },
      #expect(throws: PatchError.self) { try Patch(slice) },
    ]
    for error in errors {
      #expect(error?.reason == reason)
      #expect(error?.operation == operation)
    }
  }

  @Test("undoes everything wherever a random patch fails")
  func allOrNothing() throws {
    let seed: UInt64 = 0x5EED_0002
    var random = RandomJSON(seed: seed)
    for round in 0..<1_000 {
      var document = random.value()
      if round % 4 == 0 {
        // Objects large enough to leave gaps and to move together.
        for index in 0..<random.int(in: 9..<40) {
          if document.object == nil { document = [:] }
          var object = document.object ?? .init()
          object["key\(index)"] = .null
          document = .object(object)
        }
      }
      var value = document
      var operations: [Patch.Operation] = []
      for _ in 0..<random.int(in: 0..<12) {
        let next = random.mutation(of: value)
        operations += Patch.difference(from: value, to: next).operations
        if random.chance(0.3), let key = next.object?.keys.first {
          operations.append(.move(from: Pointer(tokens: [key]), to: Pointer(tokens: ["moved"])))
        }
        value = try document.applying(Patch(operations))
      }
      if round % 4 == 0, let object = value.object {
        operations += object.keys.dropFirst(2).map { .remove(Pointer(tokens: [$0])) }
        operations.append(.add(Pointer(tokens: ["new"]), 1))
      }
      operations.append(.remove(Pointer(tokens: ["no", "such", "place"])))
      var changed = document
      #expect(throws: PatchError.self) { try changed.apply(Patch(operations)) }
      #expect(changed.plainText == document.plainText, "seed \(seed), round \(round)")
      #expect(changed == document, "seed \(seed), round \(round)")
      for key in document.object?.keys ?? [] { #expect(changed[key] == document[key]) }
    }
  }

  @Test("refuses patches that make a value too deep or too large, or take too long")
  func refusesPatchesBeyondLimits() throws {
    var limits = JSONLimits(depth: 3)
    let root = Pointer.root
    func reason(_ document: JSON, _ operations: [Patch.Operation]) -> PatchError.Reason? {
      var changed = document
      do {
        try changed.apply(Patch(operations), limits: limits)
        return nil
      } catch {
        #expect(changed == document)
        return error.reason
      }
    }
    let a = root.appending("a")
    #expect(reason([:], [.add(a, [[]])]) == nil)
    #expect(reason([:], [.add(a, [[[]]])]) == .tooDeep(limit: 3))
    #expect(reason(["a": 1], [.replace(a, [[[]]])]) == .tooDeep(limit: 3))
    #expect(reason(["a": [:]], [.copy(from: a, to: a.appending("b"))]) == nil)
    let within = a.appending("b").appending("c")
    #expect(
      reason(["a": ["b": [:]]], [.copy(from: a, to: within)]) == .tooDeep(limit: 3))
    #expect(
      reason(["a": ["b": [:]], "d": [1]], [.move(from: root.appending("d"), to: within)])
        == .tooDeep(limit: 3))

    limits = .standard
    let doubling = (0..<64).map { Patch.Operation.copy(from: root, to: root.appending("\($0)")) }
    #expect(reason(["text": "0123456789"], doubling) == .copiesTooMuch(limit: 16 << 20))

    limits.shiftedElements = 10
    let first = root.appending(0)
    #expect(reason([1, 2, 3, 4, 5, 6], [.remove(first), .add(first, 1)]) == nil)
    #expect(
      reason([1, 2, 3, 4, 5, 6], [.remove(first), .add(first, 1), .remove(first)])
        == .shiftsTooMuch(limit: 10))
  }
}
