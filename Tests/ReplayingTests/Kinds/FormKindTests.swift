import JSONCore
import Replaying
import StatesCore
import TestSupport
import Testing
import Timelines

/// A state that is split into data and presentation.
struct Book: Codable, Equatable {
  struct Person: Codable, Equatable {
    var id: Int
    var name: String
  }
  var people: [Person] = []
  var scroll = 0
  var note: String?
}

private enum ClosureBook: Replayable {
  static func make() -> StateForm<Book, Never> { StateForm(state: Book()) }
}

private enum DataBook: Replayable {
  static func make() -> StateForm<Book, Never> { StateForm(state: Book(), history: \.people) }
}

/// Events that could be confused with the form's own ones.
enum BookEvent: Codable {
  case added(String)
  case undo(to: Int)
  case redo
  case apply(patch: [Int])
  case event(Int)
}

private enum EventBook: Replayable {
  static func make() -> StateForm<Book, BookEvent> {
    StateForm(state: Book()) { book, event in
      var book = book
      switch event {
      case .added(let name): book.people.append(Book.Person(id: book.people.count, name: name))
      case .undo(let number): book.scroll = number
      case .redo: book.scroll += 1
      case .apply(let numbers): book.note = "\(numbers)"
      case .event(let number): book.scroll -= number
      }
      return book
    }
  }
}

@Suite("Replaying: form")
struct FormKindTests {
  private func change(_ form: StateForm<Book, Never>, _ generator: inout SeededGenerator) {
    let number = Int.random(in: 0..<1_000, using: &generator)
    switch number % 7 {
    case 0, 1: form.apply { $0.people.append(Book.Person(id: number, name: "n\(number)")) }
    case 2: form.apply { if !$0.people.isEmpty { $0.people.remove(at: number % $0.people.count) } }
    case 3: form.apply { $0.scroll = number }
    case 4: form.apply { $0.note = number > 500 ? "é\n\(number)" : nil }
    case 5: form.undo()
    default: form.redo()
    }
  }

  @Test("any run of closures, undo, and redo can be replayed", arguments: 0..<12)
  func closures(seed: UInt64) throws {
    for isSplit in [false, true] {
      var generator = SeededGenerator(seed: seed)
      let form = isSplit ? DataBook.make() : ClosureBook.make()
      // Changes before the recording can still be undone in it.
      for _ in 0..<Int(seed % 4) { change(form, &generator) }
      let run = try RecordedRun(FormAppearance<Book, Never>(), of: form.kernel)
      var past = [form.state]
      for _ in 0..<60 {
        if generator.chance(0.04) {
          form.restore(past.randomElement(using: &generator)!)
        } else if generator.chance(0.1) {
          form.undoGroup { for _ in 0..<3 { change(form, &generator) } }
        } else {
          change(form, &generator)
        }
        past.append(form.state)
      }
      try run.expectReplays(
        by: isSplit ? Replay(of: DataBook.self) : Replay(of: ClosureBook.self), "seed \(seed)")
    }
  }

  @Test("any run of events can be replayed, whatever their names are", arguments: 0..<8)
  func events(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let form = EventBook.make()
    let run = try RecordedRun(FormAppearance<Book, BookEvent>(), of: form.kernel)
    for _ in 0..<60 {
      let number = Int.random(in: 0..<40, using: &generator)
      run.thins = generator.chance(0.1)
      run.loses = generator.chance(0.03)
      switch number % 8 {
      case 0, 1: form.apply(.added("n\(number)"))
      case 2: form.apply(.undo(to: number))
      case 3: form.apply(.redo)
      case 4: form.apply(.apply(patch: [number]))
      case 5: form.apply(.event(number))
      case 6: form.undo()
      default: form.redo()
      }
    }
    // Undo cannot restore lost entries; a recording that does so is an error.
    run.thins = false
    run.loses = false
    form.apply(.redo)
    guard !(try run.timeline()).lost.isEmpty else {
      return try run.expectReplays(by: Replay(of: EventBook.self), "seed \(seed)")
    }
    var replay = TimelineReplay(
      try run.timeline(), with: try Replay(of: EventBook.self).makeReplayer())
    while let draft = try replay.next() {
      if replay.differences.isEmpty { continue }
      #expect(draft.error?.contains("which is not part of this") == true, "seed \(seed)")
      break
    }
  }

  @Test("events have the form of the format")
  func words() throws {
    let form = ClosureBook.make()
    form.apply { $0.scroll = 1 }
    let run = try RecordedRun(FormAppearance<Book, Never>(), of: form.kernel)
    form.apply { $0.scroll = 2 }
    form.undo()
    form.redo()
    form.undo()
    form.undo()
    let replace = { (value: Int) in #"[{"op":"replace","path":"/scroll","value":\#(value)}]"# }
    #expect(
      run.drafts.map(\.eventText) == [
        nil, #"{"apply":{"patch":\#(replace(2))}}"#, #"{"undo":{"to":0}}"#, #"{"redo":{"to":1}}"#,
        #"{"undo":{"to":2}}"#, #"{"undo":{"patch":\#(replace(0))}}"#,
      ])
    let appearance = FormAppearance<Book, BookEvent>()
    let context = EventContext(patch: nil, base: 0)
    let events: [(BookEvent, String)] = [
      (.added("a"), #"{"added":{"_0":"a"}}"#),
      (.redo, #"{"event":{"_0":{"redo":{}}}}"#),
      (.event(3), #"{"event":{"_0":{"event":{"_0":3}}}}"#),
    ]
    for (event, text) in events {
      let bytes = try appearance.event(.event(event, group: nil), in: context)
      #expect(String(decoding: bytes, as: UTF8.self) == text)
    }
  }

  /// Runs events on a book with one person, and returns the entries.
  private func entries(
    _ events: [(text: String, was: Int64?)], by replay: Replay = Replay(of: ClosureBook.self)
  ) throws -> (drafts: [EntryDraft], end: Book) {
    let replayer = try replay.makeReplayer()
    try replayer.load(
      state: JSONSlice(#"{"people":[{"id":1,"name":"Ada"}],"scroll":0}"#), outputs: nil, seq: 0)
    var drafts: [EntryDraft] = []
    for (index, event) in events.enumerated() {
      let slice = try JSONSlice(event.text)
      drafts.append(
        try replayer.run(
          PlannedStep(seq: Int64(index + 1), was: event.was, t: 0, action: .reduce(slice))))
    }
    let book = try CanonicalDecoder().decode(Book.self, from: replayer.snapshot().state)
    return (drafts, book)
  }

  @Test(
    "a change that does not apply is an error and an empty patch",
    arguments: [
      (#"[{"op":"remove","path":"/people/5"}]"#, "does not apply"),
      (#"[{"op":"replace","path":"/scroll","value":"far"}]"#, "today's type does not have"),
      (#"[{"op":"add","path":"/note","value":"x"},{"op":"remove","path":"/gone"}]"#, "not apply"),
    ])
  func inapplicable(patch: String, sentence: String) throws {
    let event = #"{"apply":{"patch":\#(patch)}}"#
    let (drafts, end) = try entries([
      (event, 1), (#"{"apply":{"patch":[{"op":"replace","path":"/scroll","value":9}]}}"#, 2),
    ])
    #expect(drafts[0].error?.contains(sentence) == true)
    #expect(drafts[0].patchText == "[]")
    #expect(drafts[1].error == nil && end.scroll == 9 && end.note == nil)
  }

  @Test("undo in a branch restores the state that the branch computed, with the branch's seqs")
  func branch() throws {
    // The parent: 1 adds, 2 scrolls, 3 scrolls, 4 goes back to 2. The branch has dropped 1.
    let scroll = { (to: Int) in
      #"{"apply":{"patch":[{"op":"replace","path":"/scroll","value":\#(to)}]}}"#
    }
    let (drafts, end) = try entries([
      (scroll(5), 2), (scroll(6), 3), (#"{"undo":{"to":2}}"#, 4),
    ])
    #expect(end.scroll == 5)
    #expect(drafts[2].eventText == #"{"undo":{"to":1}}"#)
    let (others, same) = try entries([
      (scroll(5), 2), (scroll(6), 3), (#"{"undo":{"to":1}}"#, 4), (#"{"redo":{"to":0}}"#, 5),
    ])
    #expect(others[2].error?.contains("The undo goes to the state of entry 1") == true)
    #expect(others[2].patchText == "[]")
    #expect(others[3].error == nil && same.scroll == 0)
  }

  @Test("of a split state, only the data is restored")
  func split() throws {
    let (_, end) = try entries(
      [
        (#"{"apply":{"patch":[{"op":"remove","path":"/people/0"}]}}"#, 1),
        (#"{"apply":{"patch":[{"op":"replace","path":"/scroll","value":3}]}}"#, 2),
        (#"{"undo":{"to":0}}"#, 3),
      ], by: Replay(of: DataBook.self))
    #expect(end == Book(people: [Book.Person(id: 1, name: "Ada")], scroll: 3))
  }

  @Test("an earlier state can be added")
  func remember() throws {
    let replayer = try Replay(of: ClosureBook.self).makeReplayer()
    try replayer.load(state: JSONSlice(#"{"people":[],"scroll":7}"#), outputs: nil, seq: 40)
    let undo = try JSONSlice(#"{"undo":{"to":12}}"#)
    #expect(try replayer.missing(for: undo) == 12)
    try replayer.remember(JSONSlice(#"{"people":[],"scroll":3}"#), as: 12)
    #expect(try replayer.missing(for: undo) == nil)
    _ = try replayer.run(PlannedStep(seq: 41, was: 41, t: 0, action: .reduce(undo)))
    #expect(try replayer.snapshot().state["scroll"]?.int == 3)
  }

  @Test("a missing or invalid patch has an error message")
  func misfits() throws {
    let (drafts, _) = try entries([(#"{"apply":{}}"#, 1)])
    #expect(drafts[0].error?.contains("was not captured") == true)
    for event in [#"{"apply":{"patch":7}}"#, #"{"apply":{"patch":[{"op":"fly"}]}}"#, "3"] {
      #expect(throws: ReplayError.self) { try entries([(event, 1)]) }
    }
  }

  @Test("the number of kept states is limited")
  func bound() throws {
    var model = FormModel(StateForm(state: 0), rememberedLimit: 3)
    let change = { (to: Int) in
      try JSONSlice(#"{"apply":{"patch":[{"op":"replace","path":"","value":\#(to)}]}}"#)
    }
    for seq in 1...20 {
      #expect(model.handle(try model.decode(change(seq))) == nil)
      model.didReach(source: Int64(seq), seq: Int64(seq))
    }
    let back = { (seq: Int) in try JSONSlice(#"{"undo":{"to":\#(seq)}}"#) }
    #expect(model.missing(for: try model.decode(back(18))) == nil)
    #expect(model.missing(for: try model.decode(back(12))) == 12)
    #expect(model.handle(try model.decode(back(12)))?.contains("further back than 3") == true)
  }
}
