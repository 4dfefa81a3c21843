import Testing

@testable import StatesCore

private struct App: Equatable {
  var data = 0
  var scroll = 0
}

@Suite("The history of a form")
struct FormUndoTests {
  @Test("undo on an empty history does nothing and returns false")
  func undoOnEmptyHistoryDoesNothingAndReturnsFalse() {
    let form = StateForm(state: 0)
    var steps = 0
    form.onTransition { _, _ in steps += 1 }
    #expect(!form.canUndo && !form.canRedo)
    #expect(!form.undo() && !form.redo())
    #expect(steps == 0)
  }

  @Test("a fresh apply clears redo")
  func freshApplyClearsRedo() {
    let form = StateForm(state: 0)
    form.apply { $0 = 1 }
    #expect(form.undo() && form.canRedo)
    form.apply { $0 = 2 }
    #expect(!form.canRedo && !form.redo())
    #expect(form.undo() && form.state == 0)
  }

  @Test("the history is bounded, by default to a hundred", arguments: [nil, 3, 0, -1])
  func historyIsBounded(limit: Int?) {
    let form = limit.map { StateForm(state: 0, historyLimit: $0) } ?? StateForm(state: 0)
    for number in 1...150 { form.apply { $0 = number } }
    let expected = max(0, limit ?? 100)
    #expect(form.undoCount == expected)
    while form.undo() {}
    #expect(form.state == 150 - expected)
    #expect(form.redoCount == expected)
  }

  @Test("a group is one undo step, groups inside it belong to it, and it ends")
  func groupIsOneUndoStep() {
    let form = StateForm(state: "")
    form.undoGroup {
      form.apply { $0 += "a" }
      form.undoGroup { form.apply { $0 += "b" } }
      form.apply { $0 += "c" }
    }
    form.apply { $0 += "d" }
    form.beginUndoGroup()
    form.apply { $0 += "e" }
    form.endUndoGroup()
    form.endUndoGroup()
    form.apply { $0 += "f" }
    var states: [String] = []
    while form.undo() { states.append(form.state) }
    #expect(states == ["abcde", "abcd", "abc", ""])
    while form.redo() {}
    #expect(form.state == "abcdef")
  }

  @Test("changes that wait keep the group they were applied in")
  func queuedGroups() {
    let form = StateForm(state: "")
    let subscription = form.react(to: { $0 == "x" ? () : nil }) {
      form.undoGroup {
        form.apply { $0 += "a" }
        form.apply { $0 += "b" }
      }
      form.apply { $0 += "c" }
    }
    form.apply { $0 = "x" }
    #expect(form.state == "xabc")
    subscription.cancel()
    form.undo()
    form.undo()
    #expect(form.state == "x")
  }

  @Test("an undo inside an open group is not joined by what is applied after it")
  func undoInsideGroup() {
    let form = StateForm(state: "")
    form.undoGroup {
      form.apply { $0 += "a" }
      form.undo()
      form.apply { $0 += "b" }
      form.apply { $0 += "c" }
    }
    #expect((form.state, form.undoCount) == ("bc", 1))
    form.undo()
    #expect(form.state == "")
  }

  @Test("an error inside a group ends the group and is thrown on")
  func throwingGroup() {
    struct Broken: Error {}
    let form = StateForm(state: 0)
    #expect(throws: Broken.self) { try form.undoGroup { throw Broken() } }
    form.apply { $0 = 1 }
    form.apply { $0 = 2 }
    #expect(form.undoCount == 2)
  }

  @Test("restricted to the data part, it leaves the rest alone, and changes of the rest alone")
  func dataPart() {
    let form = StateForm(state: App(), history: \.data)
    form.apply { $0.scroll = 5 }
    #expect(!form.canUndo)
    form.apply { $0.data = 1 }
    form.apply { $0.scroll = 9 }
    #expect(form.undo())
    #expect(form.state == App(data: 0, scroll: 9))
    form.apply { $0.scroll = 10 }
    #expect(form.canRedo)
    #expect(form.redo())
    #expect(form.state == App(data: 1, scroll: 10))

    let reducing = StateForm(state: App(), history: \.data) { (state: App, event: Int) in
      App(data: event, scroll: state.scroll)
    }
    reducing.apply(3)
    #expect(reducing.undo() && reducing.state.data == 0)
  }

  @Test("undo and redo say which step's state came back")
  func undoAndRedoSayWhichStepStateCameBack() {
    let form = StateForm(state: 0)
    var inputs: [String] = []
    form.kernel.use { step in
      switch step.input {
      case .undo(let to)?: inputs.append("undo \(to ?? -1)")
      case .redo(let to)?: inputs.append("redo \(to ?? -1)")
      default: inputs.append("change")
      }
    }
    form.apply { $0 = 1 }  // 1
    form.apply { $0 = 2 }  // 2
    form.undo()  // 3: the state of 1
    form.undo()  // 4: the state of the start
    form.redo()  // 5: the state of 3, which is that of 1
    #expect(inputs == ["change", "change", "undo 1", "undo 0", "redo 3"])
  }

  @Test("an undo that waits is handled when its turn comes")
  func queuedUndo() {
    let form = StateForm(state: 0)
    var answers: [Bool] = []
    let subscription = form.onTransition { _, new in
      guard new == 1, answers.isEmpty else { return }
      answers += [form.undo(), form.undo(), form.redo()]
    }
    form.apply { $0 = 1 }
    // The first finds the change, the second comes to nothing, the third makes the change again.
    #expect(answers == [true, true, true])
    #expect(form.state == 1)
    subscription.cancel()
    form.react(to: { $0 }) { _ in answers.append(form.redo()) }
    form.apply { $0 = 2 }
    #expect(answers.last == false)
  }

  @Test("a restored state does not change the undo and redo lists")
  func restoredStateDoesNotChangeUndoAndRedoLists() {
    let form = StateForm(state: 0)
    for number in 1...3 { form.apply { $0 = number } }
    form.undo()
    form.restore(50)
    #expect((form.state, form.undoCount, form.redoCount) == (50, 2, 1))
    #expect(form.undo() && form.state == 1)
    #expect(form.redo() && form.redo() && !form.redo())
  }

  /// All sequences of applies, undos, redos and groups up to seven, against lists of states.
  @Test("goes as the naive model says, for all short sequences")
  func matchesNaiveModel() {
    enum Act: CaseIterable { case apply, undo, redo, begin, end }
    var sequences: [[Act]] = [[]]
    for _ in 1...7 {
      sequences = sequences.flatMap { sequence in Act.allCases.map { sequence + [$0] } }
    }
    for sequence in sequences {
      let form = StateForm(state: 0, historyLimit: 2)
      var next = 0
      var state = 0
      var past: [(state: Int, group: Int?)] = []
      var future: [(state: Int, group: Int?)] = []
      var depth = 0
      var group = 0
      for act in sequence {
        switch act {
        case .apply:
          next += 1
          let value = next
          form.apply { $0 = value }
          let joins = depth > 0 && past.last?.group == group && future.isEmpty
          if !joins { past = (past + [(state, depth > 0 ? group : nil)]).suffix(2) }
          (state, future) = (value, [])
        case .undo:
          let moment = past.popLast()
          if let moment {
            future.append((state, moment.group))
            state = moment.state
          }
          if form.undo() != (moment != nil) { Issue.record("undo in \(sequence)") }
        case .redo:
          let moment = future.popLast()
          if let moment {
            past.append((state, moment.group))
            state = moment.state
          }
          if form.redo() != (moment != nil) { Issue.record("redo in \(sequence)") }
        case .begin:
          form.beginUndoGroup()
          if depth == 0 { group += 1 }
          depth += 1
        case .end:
          form.endUndoGroup()
          depth = max(0, depth - 1)
        }
        if form.state != state || form.undoCount != past.count || form.redoCount != future.count {
          Issue.record("\(sequence): \(form.state) instead of \(state)")
          return
        }
      }
    }
  }
}
