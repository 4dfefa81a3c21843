import JSONCore
import Predicates
import TestSupport
import Testing
import Timelines

@testable import TimelineStore

@Suite("Columns and windows")
struct ColumnAndWindowTests {
  @Test("columns hold the value after each entry", arguments: [UInt64(21), 22])
  func columns(seed: UInt64) async throws {
    let timeline = TangledTimeline(count: 200, seed: seed)
    let moments = timeline.moments
    let entries = Dictionary(uniqueKeysWithValues: timeline.entries.map { ($0.seq, $0) })
    let last = timeline.entries.last?.seq ?? 0
    try await withSearched(timeline) { store, id in
      var generator = SeededGenerator(seed: seed)
      let paths = try timeline.paths(count: 6, seed: seed) + [try Pointer("/event/add/n")]
      for _ in 0..<5 {
        let from = Int64.random(in: 0...last, using: &generator)
        let count = Int.random(in: 1...80, using: &generator)
        let answer = try await store.column(
          ColumnQuery(paths: paths, from: from, count: count, cutBytes: 100), of: id)
        let range = from...min(last, from + Int64(count) - 1)
        for (path, column) in zip(paths, answer.columns) {
          let rest = Pointer(tokens: Array(path.tokens.dropFirst()))
          let wanted = range.map { seq -> JSON in
            let whole =
              switch path.tokens.first {
              case "event": entries[seq]?.event?.value
              case "state": moments[seq]?.state
              default: moments[seq]?.outputs
              }
            let value = whole?[rest] ?? .null
            let bytes = value.encoded().count
            return bytes > 100 ? ["$cut": .number(JSON.Number(Int64(bytes)))] : value
          }
          #expect(try JSON(parsing: column) == .array(wanted), "seed \(seed), \(path), \(from)")
        }
        let unknown = range.filter { if case .known? = moments[$0] { false } else { true } }
        #expect(seqs(answer.unknown) == Set(unknown), "seed \(seed), \(from), \(count)")
      }
    }
  }

  @Test("windows hold the entries in the requested order", arguments: [UInt64(31), 32])
  func windows(seed: UInt64) async throws {
    let timeline = TangledTimeline(count: 200, seed: seed)
    let last = timeline.entries.last?.seq ?? 0
    try await withSearched(timeline) { store, id in
      var generator = SeededGenerator(seed: seed)
      for round in 0..<10 {
        let filter = round % 2 == 0 ? nil : try Predicate("event == \"tick\" || state.count > 9")
        let from = Int64.random(in: 0...last + 1, using: &generator)
        let count = Int.random(in: 1...40, using: &generator)
        let isBackward = Bool.random(using: &generator)
        let comment: Comment = "seed \(seed), \(from), \(count), \(isBackward)"
        let answer = try await store.window(
          WindowQuery(from: from, count: count, isBackward: isBackward, filter: filter), of: id)
        let naive = try NaiveAnswers(timeline, filter ?? .always)
        let kept = Set(timeline.entries.map(\.seq))
        var wanted = naive.answers.filter { $0.answer == .yes && kept.contains($0.seq) }.map(\.seq)
        wanted = wanted.filter { isBackward ? $0 <= from : $0 >= from }
        if isBackward { wanted.reverse() }
        #expect(answer.seqs == Array(wanted.prefix(count)), comment)
        for (seq, line) in zip(answer.seqs, answer.lines) {
          let entry = try #require(timeline.entries.first { $0.seq == seq })
          #expect(line.count < 20_000)
          let cut = try JSON(parsing: line)
          let isAlone = entry.isKeyframe && entry.patch == nil
          #expect(cut["outputState"] == nil)
          #expect((cut["state"] != nil) == isAlone)
          for (key, value) in cut.object ?? JSON.Object() where key != "state" {
            #expect(isCut(value, of: entry.line.value[key] ?? .null), comment)
          }
          let keys = Set(entry.line.members.map(\.key)).subtracting(["state", "outputState"])
          #expect(Set(cut.object?.keys ?? []) == keys.union(isAlone ? ["state"] : []))
        }
      }
    }
  }

  @Test("windows lead on as far as the entries, and beyond them nowhere", arguments: [false, true])
  func windowEnds(isBackward: Bool) async throws {
    let timeline = TangledTimeline(count: 60, seed: 41)
    let all = timeline.entries.map(\.seq)
    let last = try #require(all.last)
    try await withSearched(timeline) { store, id in
      for filter in [nil, Predicate.always] {
        func window(_ from: Int64, _ count: Int) async throws -> WindowAnswer {
          try await store.window(
            WindowQuery(from: from, count: count, isBackward: isBackward, filter: filter), of: id)
        }
        for from in isBackward ? [-1, Int64.min] : [last + 1, 999_999, Int64.max] {
          let beyond = try await window(from, 5)
          #expect(beyond.seqs == [], "from \(from)")
          #expect(beyond.next == nil, "from \(from)")
        }
        var found: [Int64] = []
        var next: Int64? = isBackward ? last : 0
        while let from = next, found.count < all.count {
          let part = try await window(from, 7)
          found += part.seqs
          next = part.next
        }
        #expect(found == (isBackward ? all.reversed() : all))
        #expect(next == nil)
        // Longer than what is left.
        #expect(try await window(isBackward ? 3 : last - 3, 1_000).next == nil)
      }
    }
  }

  /// Whether a value is another one with long values inside cut.
  private func isCut(_ value: JSON, of whole: JSON) -> Bool {
    if value == whole { return whole.encoded().count <= 16 << 10 }
    if value.object?.keys == ["$cut"] {
      let bytes = whole.encoded().count
      return bytes > 1_024 && value["$cut"] == .number(JSON.Number(Int64(bytes)))
    }
    switch (value, whole) {
    case (.object(let object), .object(let other)):
      return object.keys == other.keys
        && object.allSatisfy { isCut($1, of: other[$0] ?? .null) }
    case (.array(let array), .array(let other)):
      return array.count == other.count && zip(array, other).allSatisfy { isCut($0, of: $1) }
    default: return false
    }
  }

  @Test("a keyframe without patch differs from an entry whose state was not captured")
  func distinguishesKeyframes() {
    for (line, wanted) in [
      (
        #"{"seq":0,"t":0,"state":{"n":1},"outputState":[2]}"#,
        #"{"seq":0,"t":0,"state":{"$cut":7}}"#
      ),
      (#"{"seq":1,"t":0,"state":{"n":1},"patch":[]}"#, #"{"seq":1,"t":0,"patch":[]}"#),
      (#"{"seq":2,"t":0,"event":{"a":{}}}"#, #"{"seq":2,"t":0,"event":{"a":{}}}"#),
    ] {
      let cut = Array(line.utf8).withUnsafeBufferPointer {
        LineCut(limit: 1_024).cut($0, line: 0..<$0.count)
      }
      #expect(String(decoding: cut, as: UTF8.self) == wanted)
    }
  }

  @Test("an event keeps its name when it is cut")
  func cutEvent() throws {
    let long = String(repeating: "x", count: 3_000)
    let line =
      #"{"seq":1,"t":2,"event":{"loaded":{"page":3,"text":"\#(long)"}},"state":{"a":1},"patch":[{"op":"add","path":"/log","value":"\#(long)"},{"op":"remove","path":"/b"}],"at":"A.swift:3"}"#
    let bytes = Array(line.utf8)
    // Safe: the buffer is lent for the call.
    let cut = bytes.withUnsafeBufferPointer { LineCut(limit: 1_024).cut($0, line: 0..<$0.count) }
    #expect(
      String(decoding: cut, as: UTF8.self)
        == #"{"seq":1,"t":2,"event":{"loaded":{"page":3,"text":{"$cut":3002}}},"patch":[{"op":"add","path":"/log","value":{"$cut":3002}},{"op":"remove","path":"/b"}],"at":"A.swift:3"}"#
    )
  }
}
