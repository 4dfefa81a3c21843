/// A state that is changed in one place, and tells everybody who shows a part of it.
///
/// For introducing one direction of flow into a part of an app: without events, when a closure that
/// changes the state is enough, or with a reducer.
///
/// ```swift
/// struct AddressBook { var contacts: [String] = []; var searchTerm = "" }
/// let book = StateForm(state: AddressBook())
/// book.subscribe { print($0.contacts.count, "contacts") }
/// book.apply { $0.contacts.append("Ada") }
///
/// enum Event { case increase }
/// let counter = StateForm(state: 0) { (state: Int, event: Event) in
///   switch event { case .increase: state + 1 }
/// }
/// counter.apply(.increase)
/// assert(counter.state == 1)
/// ```
///
/// A change runs on a copy: a read of the form inside it sees the old state, and another `apply`
/// inside it waits until every observer has seen this one.
///
/// ## Undo
///
/// Each change can be undone, up to a bounded number of them. Undo and redo are steps like others:
/// observers see them, and a recording holds them.
public final class StateForm<State, Event>: StateMachine {
  /// What the form handles.
  public typealias Input = FormInput<State, Event>

  /// How many changes can be undone unless said otherwise.
  ///
  /// A hundred is more than people step back by hand, and little memory for states that share most
  /// of what they hold.
  @inlinable public static var defaultHistoryLimit: Int { 100 }

  /// What the form runs on.
  public let kernel: Kernel<State, FormInput<State, Event>>

  @usableFromInline let history: FormHistoryKeeper<State>
  var groupDepth = 0
  var groupNumber = 0

  /// Makes a form whose events are handled by `reducer`.
  ///
  /// `historyLimit` is how many changes can be undone; 0 turns the history off.
  @inlinable
  public convenience init(
    state: State, historyLimit: Int = StateForm.defaultHistoryLimit,
    reducer: @escaping (_ state: State, _ event: Event) -> State
  ) {
    self.init(state: state, history: FormHistoryKeeper(limit: historyLimit), reducer: reducer)
  }

  /// Makes a form whose undo is about one part of the state: its data, but not where the user
  /// scrolled to.
  ///
  /// A change that leaves that part equal can not be undone, and keeps what can be redone.
  @inlinable
  public convenience init<Data: Equatable>(
    state: State, history data: WritableKeyPath<State, Data>,
    historyLimit: Int = StateForm.defaultHistoryLimit,
    reducer: @escaping (_ state: State, _ event: Event) -> State
  ) {
    self.init(
      state: state, history: FormHistoryKeeper(of: data, limit: historyLimit), reducer: reducer)
  }

  /// Without a reducer there are no events: their type is `Never`.
  @inlinable
  init(
    state: State, history: FormHistoryKeeper<State>,
    reducer: ((_ state: State, _ event: Event) -> State)?
  ) {
    self.history = history
    kernel = Kernel(state) { kernel, input in
      let before = kernel.state
      switch input {
      case .event(let event, let group):
        let after = reducer?(before, event) ?? before
        history.change(before, after, kernel.number, group)
        return after
      case .change(let change, let group):
        var after = before
        change(&after)
        history.change(before, after, kernel.number, group)
        return after
      case .undo:
        guard let past = history.undo(before, kernel.number) else { return nil }
        kernel.handling = .undo(to: past.number)
        return past.state
      case .redo:
        guard let past = history.redo(before, kernel.number) else { return nil }
        kernel.handling = .redo(to: past.number)
        return past.state
      }
    }
  }

  /// Handles an event, with all that observers apply meanwhile.
  ///
  /// ```swift
  /// let form = StateForm(state: 0) { (state: Int, event: Int) in state + event }
  /// form.apply(2)
  /// assert(form.state == 2)
  /// ```
  @inlinable
  @discardableResult
  public func apply(
    _ event: Event, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    kernel.send(.event(event, group: openGroup), at: CallSite(file: file, line: line))
  }
}

extension StateForm where Event == Never {
  /// Makes a form that is changed by closures.
  ///
  /// ```swift
  /// let form = StateForm(state: "draft")
  /// form.apply { $0 += "!" }
  /// assert(form.state == "draft!")
  /// ```
  @inlinable
  public convenience init(state: State, historyLimit: Int = StateForm.defaultHistoryLimit) {
    self.init(state: state, history: FormHistoryKeeper(limit: historyLimit), reducer: nil)
  }

  /// Makes a form that is changed by closures, and whose undo is about one part of the state.
  ///
  /// ```swift
  /// struct App { var data = [String](); var scrollPosition = 0 }
  /// let form = StateForm(state: App(), history: \.data)
  /// form.apply { $0.data.append("Ada") }
  /// form.apply { $0.scrollPosition = 40 }
  /// form.undo()
  /// assert(form.state.data.isEmpty && form.state.scrollPosition == 40)
  /// ```
  @inlinable
  public convenience init<Data: Equatable>(
    state: State, history data: WritableKeyPath<State, Data>,
    historyLimit: Int = StateForm.defaultHistoryLimit
  ) {
    self.init(
      state: state, history: FormHistoryKeeper(of: data, limit: historyLimit), reducer: nil)
  }

  /// Changes the state, on a copy, and tells everybody.
  ///
  /// The closure escapes, because it waits when it is applied during another change.
  @inlinable
  @discardableResult
  public func apply(
    file: StaticString = #fileID, line: UInt32 = #line, _ change: @escaping (inout State) -> Void
  ) -> SendAnswer {
    kernel.send(.change(change, group: openGroup), at: CallSite(file: file, line: line))
  }
}
