import Testing

@testable import StatesCore

private struct Person: Equatable {
  var name = "Ada"
  var age = 36
}

private struct Book: Equatable {
  var owner = Person()
  var contacts: [Person] = []
  var searchTerm = ""
}

@Suite("A form")
struct StateFormTests {
  final class Label: FormComponent {
    var calls: [String] = []
    func setup(with state: Int) { calls.append("setup \(state)") }
    func update(state: Int) { calls.append("update \(state)") }
  }

  @Test("a closure changes the state and notifies every subscriber")
  func closureChangesStateAndNotifiesEverySubscriber() {
    let form = StateForm(state: Book())
    var terms: [String] = []
    let token = form.subscribe { terms.append($0.searchTerm) }
    #expect(form.apply { $0.searchTerm = "a" } == .handled)
    token.cancel()
    form.apply { $0.searchTerm = "b" }
    #expect(terms == ["", "a"])
  }

  @Test("with a reducer it takes events")
  func withReducerItTakesEvents() {
    enum Event { case increase }
    func reduce(state: Int, event: Event) -> Int { state + 1 }
    let form = StateForm(state: 0, reducer: reduce)
    form.apply(.increase)
    #expect(form.state == 1)
  }

  @Test("the change runs on a copy: a read inside it sees the old state")
  func changeRunsOnCopy() {
    let form = StateForm(state: 1)
    var read = 0
    form.apply { state in
      state = 2
      read = form.state
    }
    #expect((read, form.state) == (1, 2))
  }

  @Test("an apply inside an apply is queued, not an exclusivity trap")
  func applyInsideApplyIsQueued() {
    let form = StateForm(state: "")
    var seen: [String] = []
    form.subscribe { seen.append($0) }
    form.apply { state in
      #expect(form.apply { $0 += "b" } == .queued)
      state += "a"
    }
    #expect(seen == ["", "a", "ab"])
  }

  @Test("a component is set up once, then updated, and held weakly unless asked otherwise")
  func componentIsSetUpOnce() {
    let form = StateForm(state: 0)
    var weakly: Label? = Label()
    weak let weakLabel = weakly
    if let weakly { form.subscribe(weakly) }
    form.apply { $0 = 1 }
    #expect(weakly?.calls == ["setup 0", "update 1"])
    weakly = nil
    #expect(weakLabel == nil)

    var strongly: Label? = Label()
    weak let strongLabel = strongly
    let token = strongly.map { form.subscribe($0, held: .strongly) }
    strongly = nil
    form.apply { $0 = 2 }
    #expect(strongLabel?.calls == ["setup 1", "update 2"])
    token?.cancel()
    #expect(strongLabel == nil)
    #expect(form.kernel.checkInvariants() == [])
  }

  @Test("a subscription to a path fires only when the value there changed")
  func subscriptionToPathFiresOnlyWhenValueThereChanged() {
    let form = StateForm(state: Book())
    var seen: [String] = []
    form.subscribe(path: \.owner.name) { old, new in seen.append("\(old) \(new)") }
    form.apply { $0.owner.age += 1 }
    form.apply { $0.owner.name = "Augusta" }
    #expect(seen == ["Ada Augusta"])
  }

  @Test("a step knows where the change was applied")
  func callSite() {
    let form = StateForm(state: 0)
    var sites: [String] = []
    form.kernel.use { sites.append($0.callSite.description) }
    form.apply { $0 += 1 }
    form.undo()
    #expect(sites == ["\(#fileID):\(#line - 2)", "\(#fileID):\(#line - 1)"])
  }

  @Test("while held it refuses or queues")
  func whileHeldItRefusesOrQueues() {
    let form = StateForm(state: 1)
    form.apply { $0 = 2 }
    form.hold(.refuse)
    #expect(form.apply { $0 = 9 } == .refused)
    #expect(!form.undo())
    form.hold(.queue(limit: 2))
    #expect(form.apply { $0 *= 10 } == .queued)
    form.restore(5)
    #expect(form.undo())
    #expect(!form.undo())
    form.resume()
    #expect(form.state == 5)
  }
}

@Suite("A child form")
struct FormChildTests {
  @Test("sees and applies through the root, and root subscribers see it")
  func throughTheRoot() {
    let book = StateForm(state: Book())
    var ages: [Int] = []
    book.subscribe { ages.append($0.owner.age) }
    let owner = book.child(\.owner)
    let age = owner.child(\.age)
    var childAges: [Int] = []
    var changes: [String] = []
    owner.subscribe { childAges.append($0.age) }
    owner.subscribe(path: \.age) { changes.append("\($0) \($1)") }
    #expect(age.apply { $0 += 1 } == .handled)
    #expect(owner.apply { $0.name = "Augusta" } == .handled)
    book.apply { $0.owner.age = 40 }
    #expect(ages == [36, 37, 37, 40])
    #expect(childAges == ages)
    #expect(changes == ["36 37", "37 40"])
    #expect((owner.state.name, age.state) == ("Augusta", 40))
    book.undo()
    #expect(age.state == 37)
  }

  @Test("of a form with a reducer wraps its events")
  func childOfFormWithReducerWrapsEvents() {
    enum Inner { case older }
    enum Outer { case owner(Inner) }
    let book = StateForm(state: Book()) { (state: Book, event: Outer) in
      var state = state
      switch event {
      case .owner(.older): state.owner.age += 1
      }
      return state
    }
    let owner = book.child(\.owner, event: Outer.owner)
    let age = owner.child(\.age, event: { (_: Void) in Inner.older })
    owner.apply(.older)
    age.apply(())
    #expect((book.state.owner.age, age.state) == (38, 38))
  }

  @Test("sets components up with its part")
  func setsComponentsUpWithPart() {
    final class NameLabel: FormComponent {
      var text = ""
      func setup(with state: Person) { text = state.name }
      func update(state: Person) { text = "now " + state.name }
    }
    let book = StateForm(state: Book())
    let label = NameLabel()
    book.child(\.owner).subscribe(label)
    #expect(label.text == "Ada")
    book.apply { $0.owner.name = "Augusta" }
    #expect(label.text == "now Augusta")
    book.child(\.owner).subscribe(NameLabel(), held: .strongly).cancel()
  }
}
