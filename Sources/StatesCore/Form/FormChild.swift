/// A form for one part of another form's state.
///
/// There is one state, the root's: a child reads and changes its part of it, and all observers of
/// the root see the change. The root also owns the undo history.
///
/// ```swift
/// struct Person { var name = "Ada" }
/// struct Book { var owner = Person(); var isOpen = false }
/// let book = StateForm(state: Book())
/// let owner = book.child(\.owner)
/// owner.subscribe(path: \.name) { old, new in print(old, "is now called", new) }
/// owner.apply { $0.name = "Augusta" }
/// assert(book.state.owner.name == "Augusta")
/// ```
///
/// The child keeps its root alive.
public final class FormChild<Part, Event> {
  let read: () -> Part
  let observe: (@escaping (_ old: Part, _ new: Part, Occasion) -> Bool) -> Subscription
  let deliver: (() -> Void) -> Void
  let sendEvent: (Event, CallSite) -> SendAnswer
  let sendChange: (@escaping (inout Part) -> Void, CallSite) -> SendAnswer

  init(
    read: @escaping () -> Part,
    observe: @escaping (@escaping (_ old: Part, _ new: Part, Occasion) -> Bool) -> Subscription,
    deliver: @escaping (() -> Void) -> Void,
    sendEvent: @escaping (Event, CallSite) -> SendAnswer,
    sendChange: @escaping (@escaping (inout Part) -> Void, CallSite) -> SendAnswer
  ) {
    self.read = read
    self.observe = observe
    self.deliver = deliver
    self.sendEvent = sendEvent
    self.sendChange = sendChange
  }

  convenience init<State, RootEvent>(
    root: StateForm<State, RootEvent>,
    part: @escaping (State) -> Part,
    sendEvent: @escaping (Event, CallSite) -> SendAnswer,
    sendChange: @escaping (@escaping (inout Part) -> Void, CallSite) -> SendAnswer
  ) {
    self.init(
      read: { part(root.state) },
      observe: { observer in
        root.kernel.observe(acts: false) { step in
          observer(part(step.before), part(step.after), Occasion(of: step))
        }
      },
      deliver: { root.kernel.deliver($0) },
      sendEvent: sendEvent, sendChange: sendChange)
  }

  /// The current value of the part.
  public var state: Part { read() }

  /// Calls `observer` immediately with the part, then with each step of the root.
  @discardableResult
  public func subscribe(_ observer: @escaping (Part) -> Void) -> Subscription {
    let subscription = observe { _, new, _ in
      observer(new)
      return true
    }
    deliver { observer(read()) }
    return subscription
  }

  /// Sets a component up with the part, then updates it with each step of the root.
  @discardableResult
  public func subscribe<Component: FormComponent>(
    _ component: Component, held hold: ComponentHold = .weakly
  ) -> Subscription where Component.State == Part {
    let kept = hold == .strongly ? component : nil
    let subscription = observe { [weak component] _, new, _ in
      guard let component = kept ?? component else { return false }
      component.update(state: new)
      return true
    }
    deliver { component.setup(with: read()) }
    return subscription
  }

  /// Calls `observer` when a step changed the value at `path` of the part.
  @discardableResult
  public func subscribe<Value: Equatable>(
    path: KeyPath<Part, Value>, _ observer: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> Subscription {
    observe { old, new, _ in
      let old = old[keyPath: path]
      let new = new[keyPath: path]
      if old != new { observer(old, new) }
      return true
    }
  }

  /// Handles an event of the part in the root.
  @discardableResult
  public func apply(
    _ event: Event, file: StaticString = #fileID, line: UInt32 = #line
  ) -> SendAnswer {
    sendEvent(event, CallSite(file: file, line: line))
  }
}

extension FormChild where Event == Never {
  /// Changes the part, through the root.
  @discardableResult
  public func apply(
    file: StaticString = #fileID, line: UInt32 = #line, _ change: @escaping (inout Part) -> Void
  ) -> SendAnswer {
    sendChange(change, CallSite(file: file, line: line))
  }

  /// A form for a part of the part.
  public func child<Inner>(_ path: WritableKeyPath<Part, Inner>) -> FormChild<Inner, Never> {
    FormChild<Inner, Never>(
      parent: self, path: path, sendEvent: refuse,
      sendChange: { [sendChange] change, site in
        sendChange({ change(&$0[keyPath: path]) }, site)
      })
  }
}

extension FormChild {
  /// A form for a part of the part, whose events are wrapped into the part's.
  public func child<Inner, InnerEvent>(
    _ path: KeyPath<Part, Inner>, event wrap: @escaping (InnerEvent) -> Event
  ) -> FormChild<Inner, InnerEvent> {
    FormChild<Inner, InnerEvent>(
      parent: self, path: path,
      sendEvent: { [sendEvent] event, site in sendEvent(wrap(event), site) },
      sendChange: refuse)
  }

  convenience init<Outer, OuterEvent>(
    parent: FormChild<Outer, OuterEvent>, path: KeyPath<Outer, Part>,
    sendEvent: @escaping (Event, CallSite) -> SendAnswer,
    sendChange: @escaping (@escaping (inout Part) -> Void, CallSite) -> SendAnswer
  ) {
    self.init(
      read: { parent.read()[keyPath: path] },
      observe: { observer in
        parent.observe { observer($0[keyPath: path], $1[keyPath: path], $2) }
      },
      deliver: parent.deliver, sendEvent: sendEvent, sendChange: sendChange)
  }
}

extension StateForm where Event == Never {
  /// A form for a part of the state, changed by closures.
  public func child<Part>(_ path: WritableKeyPath<State, Part>) -> FormChild<Part, Never> {
    FormChild(
      root: self, part: { $0[keyPath: path] }, sendEvent: refuse,
      sendChange: { change, site in
        self.kernel.send(
          .change({ change(&$0[keyPath: path]) }, group: self.openGroup), at: site)
      })
  }
}

extension StateForm {
  /// A form for a part of the state, whose events are wrapped into the form's.
  ///
  /// ```swift
  /// struct App { var count = 0 }
  /// enum CountEvent { case increased }
  /// enum AppEvent { case count(CountEvent) }
  /// let app = StateForm(state: App()) { (state: App, event: AppEvent) in
  ///   switch event { case .count(.increased): App(count: state.count + 1) }
  /// }
  /// let counter = app.child(\.count, event: AppEvent.count)
  /// counter.apply(.increased)
  /// assert(app.state.count == 1)
  /// ```
  public func child<Part, PartEvent>(
    _ path: KeyPath<State, Part>, event wrap: @escaping (PartEvent) -> Event
  ) -> FormChild<Part, PartEvent> {
    FormChild(
      root: self, part: { $0[keyPath: path] },
      sendEvent: { event, site in
        self.kernel.send(.event(wrap(event), group: self.openGroup), at: site)
      },
      sendChange: refuse)
  }
}

/// The handler for the style of change that a child does not have; its API cannot reach this.
private func refuse<Change>(_ change: Change, at callSite: CallSite) -> SendAnswer { .refused }
