import Foundation
import JSONCore
import Testing
import Timelines
import Wire

@testable import TimelineStore

@Suite("A store checks that patches apply")
struct PatchCheckTests {
  private static let id = TimelineID.random()
  private static let header = SampleTimeline.header(id)

  private static func entries(_ lines: String...) throws -> [Entry] {
    try lines.map { try Entry(reading: Array($0.utf8)) }
  }

  private static func patch(_ seq: Int64, _ operation: String, keyframe: String? = nil) -> String {
    let state = keyframe.map { #""state":\#($0),"# } ?? ""
    return #"{"seq":\#(seq),"t":\#(seq),"event":"e",\#(state)"patch":[\#(operation)]}"#
  }

  private static let first = #"{"seq":0,"t":0,"state":{"n":0,"list":[]}}"#
  private static let set = #"{"op":"replace","path":"/n","value":1}"#
  private static let wrong = #"{"op":"replace","path":"/nix","value":1}"#

  private static func append(_ lines: String..., to store: Store) async throws -> Appended {
    let entries = try lines.map { try Entry(reading: Array($0.utf8)) }
    return try await store.append(AppendBatch(id, entries))
  }

  @Test("and stores the entries before one that does not")
  func refuses() async throws {
    try await withStore { store in
      _ = try await store.open(Self.header)
      let appended = try await Self.append(
        Self.first, Self.patch(1, Self.set), Self.patch(2, Self.wrong), Self.patch(3, Self.set),
        to: store)
      let why = PatchError(.nothingThere, operation: 0, path: Pointer(tokens: ["nix"]))
      #expect(appended.refused == TimelineError(.patch(why), at: 2))
      #expect(appended.durable == 1)
      let again = try await Self.append(Self.patch(2, Self.set), to: store)
      #expect(again == Appended(durable: 2, dropped: 0))
      #expect(try await store.check(thorough: true).isClean)
    }
  }

  @Test(
    "each of an entry's operations, the patch of a keyframe included",
    arguments: [
      #"{"op":"remove","path":""}"#, #"{"op":"remove","path":"/m"}"#,
      #"{"op":"replace","path":"/list/0","value":1}"#, #"{"op":"add","path":"/list/1","value":1}"#,
      #"{"op":"add","path":"/n/m","value":1}"#, #"{"op":"add","path":"/list/x","value":1}"#,
      #"{"op":"add","path":"/x/y","value":1}"#,
      #"{"op":"remove","path":"/n"},{"op":"replace","path":"/n","value":1}"#,
    ])
  func operations(_ operation: String) async throws {
    for keyframe in [nil, #"{"n":1}"#] {
      try await withStore { store in
        _ = try await store.open(Self.header)
        let appended = try await Self.append(
          Self.first, Self.patch(1, operation, keyframe: keyframe), to: store)
        #expect(appended.refused?.seq == 1)
        #expect(appended.durable == 0)
      }
    }
  }

  @Test("after it was opened again, from stored entries")
  func reopened() async throws {
    try await withFolder { folder in
      var store = try openStore(folder, options: .small)
      _ = try await store.open(Self.header)
      _ = try await Self.append(Self.first, to: store)
      for seq in 1...200 as ClosedRange<Int64> {
        let add = #"{"op":"add","path":"/list/-","value":{"seq":\#(seq)}}"#
        _ = try await Self.append(Self.patch(seq, add), to: store)
      }
      await store.close()
      store = try openStore(folder, options: .small)
      _ = try await store.open(Self.header)
      let last = #"{"op":"replace","path":"/list/199/seq","value":1}"#
      let beyond = #"{"op":"replace","path":"/list/200/seq","value":1}"#
      let appended = try await Self.append(
        Self.patch(201, last), Self.patch(202, beyond), to: store)
      #expect(appended.durable == 201)
      #expect(appended.refused?.seq == 202)
      await store.close()
    }
  }

  @Test("but not where a state is larger than may be kept, until it is smaller")
  func bounded() async throws {
    var options = StoreOptions()
    options.shapeBytes = 1_000
    try await withStore(options) { store in
      _ = try await store.open(Self.header)
      let large = #"{"seq":0,"t":0,"state":{"n":"\#(String(repeating: "x", count: 2_000))"}}"#
      let appended = try await Self.append(large, Self.patch(1, Self.set), to: store)
      #expect(appended.refused == nil)
      let unchecked = try await Self.append(Self.patch(2, Self.wrong), to: store)
      #expect(unchecked == Appended(durable: 2, dropped: 0))
      let whole = #"{"op":"replace","path":"","value":{"n":1}}"#
      _ = try await Self.append(Self.patch(3, whole, keyframe: #"{"n":1}"#), to: store)
      let checked = try await Self.append(Self.patch(4, Self.wrong), to: store)
      #expect(checked.refused?.seq == 4)
      // The recorder's mistake is named as such.
      let report = try await store.check(thorough: true)
      #expect(report.findings.map(\.origin) == [.recorder])
      #expect(report.findings.first?.seqs == 2...2)
    }
  }

  @Test(
    "but not where that would cost out of proportion to what was sent, until enough more is",
    arguments: ["nested", "shifted"])
  func costly(kind: String) async throws {
    let deep = 400
    let elements = Array(repeating: "1", count: 100_000).joined(separator: ",")
    let keyframe: String
    let patches: String
    if kind == "nested" {
      // Each level of the path reads the text inside again.
      let (open, close) = (String(repeating: "[", count: deep), String(repeating: "]", count: deep))
      keyframe = open + elements + close
      patches = #"{"op":"add","path":"\#(String(repeating: "/0", count: deep - 1))/0","value":1}"#
    } else {
      keyframe = "[\(elements)]"
      let insert = #"{"op":"add","path":"/0","value":1}"#
      patches = Array(repeating: insert, count: 1_000).joined(separator: ",")
    }
    try await withStore { store in
      _ = try await store.open(Self.header)
      let start = #"{"seq":0,"t":0,"state":\#(keyframe)}"#
      // What is right is stored, checked or not.
      let right = try await Self.append(start, Self.patch(1, patches), to: store)
      #expect(right == Appended(durable: 1, dropped: 0))
      let unchecked = try await Self.append(Self.patch(2, Self.wrong), to: store)
      #expect(unchecked == Appended(durable: 2, dropped: 0))
      // A small state does not pay for it.
      _ = try await Self.append(Self.patch(3, Self.set, keyframe: #"{"n":1}"#), to: store)
      let still = try await Self.append(Self.patch(4, Self.wrong), to: store)
      #expect(still == Appended(durable: 4, dropped: 0))
      let text = #"{"n":1,"text":"\#(String(repeating: "x", count: 1 << 20))"}"#
      _ = try await Self.append(Self.patch(5, "", keyframe: text), to: store)
      let checked = try await Self.append(Self.patch(6, Self.wrong), to: store)
      #expect(checked.refused?.seq == 6)
    }
  }

  @Test("not before a state is known")
  func unknown() async throws {
    try await withStore { store in
      _ = try await store.open(Self.header)
      let thinned = #"{"seq":1,"t":1,"event":"e"}"#
      let keyframe = #"{"seq":2,"t":2,"event":"e","state":{"m":0}}"#
      let set = #"{"op":"replace","path":"/m","value":1}"#
      let appended = try await Self.append(
        Self.first, thinned, keyframe, Self.patch(3, set), Self.patch(4, Self.set), to: store)
      #expect(appended.refused?.seq == 4 && appended.durable == 3)
    }
  }
}
