/// A state that changes in one place and notifies everything that shows a part of it.
///
/// Use it to introduce unidirectional data flow into a part of an app: without events, if closures
/// that change the state are enough, or with a reducer.
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
/// A change runs on a copy: inside it, the form still has the old state, and another `apply` waits
/// until every observer has seen this one.
///
/// ## Undo
///
/// You can undo each change, up to a limit. Undo and redo are steps like any other: observers see
/// them, and a recording contains them.
public final class StateForm<State, Event>: StateMachine {
  /// What the form handles.
  public typealias Input = FormInput<State, Event>

  /// The default number of changes that can be undone.
  ///
  /// A hundred is more than people undo by hand, and takes little memory for states that share most
  /// of their storage.
  @inlinable public static var defaultHistoryLimit: Int { 100 }

  /// What the form runs on.
  public let kernel: Kernel<State, FormInput<State, Event>>

  @usableFromInline let history: AnyFormHistory<State>
  var groupDepth = 0
  var groupNumber = 0

  /// Makes a form whose events are handled by `reducer`.
  ///
  /// `historyLimit` is the number of changes that can be undone; 0 turns the history off.
  @inlinable
  public convenience init(
    state: State, historyLimit: Int = StateForm.defaultHistoryLimit,
    reducer: @escaping (_ state: State, _ event: Event) -> State
  ) {
    self.init(state: state, history: AnyFormHistory(limit: historyLimit), reducer: reducer)
  }

  /// Makes a form whose undo covers one part of the state: its data, for example, but not the
  /// scroll position.
  ///
  /// A change that leaves that part equal cannot be undone, and does not clear the redo list.
  @inlinable
  public convenience init<Data: Equatable>(
    state: State, history data: WritableKeyPath<State, Data>,
    historyLimit: Int = StateForm.defaultHistoryLimit,
    reducer: @escaping (_ state: State, _ event: Event) -> State
  ) {
    self.init(
      state: state, history: AnyFormHistory(of: data, limit: historyLimit), reducer: reducer)
  }

  /// A form without a reducer has events of type `Never`.
  @inlinable
  init(
    state: State, history: AnyFormHistory<State>,
    reducer: ((_ state: State, _ event: Event) -> State)?
  ) {
    self.history = history
    kernel = Kernel(state) { kernel, input in
      let before = kernel.state
      switch input {
      case .event(let event, let group):
        let after = reducer?(before, event) ?? before
        history.recordChange(before, after, kernel.number, group)
        return after
      case .change(let change, let group):
        var after = before
        change(&after)
        history.recordChange(before, after, kernel.number, group)
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

  /// Handles an event and everything that observers apply in response.
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
    self.init(state: state, history: AnyFormHistory(limit: historyLimit), reducer: nil)
  }

  /// Makes a form that is changed by closures, and whose undo covers one part of the state.
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
      state: state, history: AnyFormHistory(of: data, limit: historyLimit), reducer: nil)
  }

  /// Changes the state, on a copy, and notifies the observers.
  ///
  /// The closure escapes, because it waits if it is applied during another change.
  @inlinable
  @discardableResult
  public func apply(
    file: StaticString = #fileID, line: UInt32 = #line, _ change: @escaping (inout State) -> Void
  ) -> SendAnswer {
    kernel.send(.change(change, group: openGroup), at: CallSite(file: file, line: line))
  }
}
