/// Observers that render: also called for restored states and while held.
extension StateMachine {
  /// Calls `observer` immediately with the current state, then with the state of each step.
  ///
  /// Every step notifies, even if the state is equal. The observer stays until it is canceled.
  ///
  /// ```swift
  /// let form = StateForm(state: "a")
  /// var seen: [String] = []
  /// form.subscribe { seen.append($0) }
  /// form.apply { $0 = "b" }
  /// assert(seen == ["a", "b"])
  /// ```
  @inlinable
  @discardableResult
  public func subscribe(_ observer: @escaping (State) -> Void) -> Subscription {
    subscribe { state, _ in observer(state) }
  }

  /// Calls `observer` with the current state, then with the state of each step, and the reason.
  @inlinable
  @discardableResult
  public func subscribe(_ observer: @escaping (State, Occasion) -> Void) -> Subscription {
    beginning(
      with: { observer($0, $1) },
      then: kernel.observe(acts: false) { step in
        observer(step.after, Occasion(of: step))
        return true
      })
  }

  /// Calls `observer` like `subscribe(_:)`, with an owner that is not kept alive.
  ///
  /// The subscription ends with the owner.
  ///
  /// ```swift
  /// final class Label { var text = "" }
  /// let label = Label()
  /// StateForm(state: 1).subscribe(owner: label) { label, state in label.text = "\(state)" }
  /// ```
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject>(
    owner: Owner, _ observer: @escaping (Owner, State) -> Void
  ) -> Subscription {
    beginning(
      with: { [weak owner] state, _ in owner.map { observer($0, state) } },
      then: kernel.observe(acts: false) { [weak owner] step in
        guard let owner else { return false }
        observer(owner, step.after)
        return true
      })
  }

  /// Calls `observer` immediately with the current state, then with the state before and after each
  /// step; with an owner that is not kept alive.
  ///
  /// The old state is nil in the first call. The subscription ends with the owner.
  ///
  /// ```swift
  /// final class Label { var text = "" }
  /// let label = Label()
  /// let form = StateForm(state: 1)
  /// form.subscribe(owner: label) { label, old, new in
  ///   label.text = old.map { "\($0) → \(new)" } ?? "\(new)"
  /// }
  /// form.apply { $0 = 2 }
  /// assert(label.text == "1 → 2")
  /// ```
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject>(
    owner: Owner, _ observer: @escaping (Owner, _ old: State?, _ new: State) -> Void
  ) -> Subscription {
    beginning(
      with: { [weak owner] state, _ in owner.map { observer($0, nil, state) } },
      then: kernel.observe(acts: false) { [weak owner] step in
        guard let owner else { return false }
        observer(owner, step.before, step.after)
        return true
      })
  }

  /// Calls `observer` with the state before and after each step, starting with the next one.
  ///
  /// ```swift
  /// let form = StateForm(state: 1)
  /// form.onTransition { old, new in print(old, "became", new) }
  /// form.apply { $0 = 2 }
  /// ```
  @inlinable
  @discardableResult
  public func onTransition(
    _ observer: @escaping (_ old: State, _ new: State) -> Void
  ) -> Subscription {
    onTransition { old, new, _ in observer(old, new) }
  }

  /// Calls `observer` with the state before and after each step, and the reason.
  @inlinable
  @discardableResult
  public func onTransition(
    _ observer: @escaping (_ old: State, _ new: State, Occasion) -> Void
  ) -> Subscription {
    kernel.observe(acts: false) { step in
      observer(step.before, step.after, Occasion(of: step))
      return true
    }
  }

  /// Calls `observer` like `onTransition(_:)`, with an owner that is not kept alive.
  @inlinable
  @discardableResult
  public func onTransition<Owner: AnyObject>(
    owner: Owner, _ observer: @escaping (Owner, _ old: State, _ new: State) -> Void
  ) -> Subscription {
    kernel.observe(acts: false) { [weak owner] step in
      guard let owner else { return false }
      observer(owner, step.before, step.after)
      return true
    }
  }

  /// Calls `observer` when a step changed the value at `path`.
  ///
  /// ```swift
  /// struct Person { var name = "Ada"; var age = 36 }
  /// let form = StateForm(state: Person())
  /// form.subscribe(path: \.name) { old, new in print(old, "is now called", new) }
  /// form.apply { $0.age += 1 }
  /// form.apply { $0.name = "Augusta" }
  /// ```
  @inlinable
  @discardableResult
  public func subscribe<Value: Equatable>(
    path: KeyPath<State, Value>, _ observer: @escaping (_ old: Value, _ new: Value) -> Void
  ) -> Subscription {
    kernel.observe(acts: false) { step in
      let old = step.before[keyPath: path]
      let new = step.after[keyPath: path]
      if old != new { observer(old, new) }
      return true
    }
  }

  /// Calls `observer` like ``subscribe(path:_:)``, with an owner that is not kept alive.
  @inlinable
  @discardableResult
  public func subscribe<Owner: AnyObject, Value: Equatable>(
    path: KeyPath<State, Value>, owner: Owner,
    _ observer: @escaping (Owner, _ old: Value, _ new: Value) -> Void
  ) -> Subscription {
    kernel.observe(acts: false) { [weak owner] step in
      guard let owner else { return false }
      let old = step.before[keyPath: path]
      let new = step.after[keyPath: path]
      if old != new { observer(owner, old, new) }
      return true
    }
  }

  /// Delivers the current state to an observer that was just added.
  @inlinable
  func beginning(
    with first: (State, Occasion) -> Void, then subscription: Subscription
  ) -> Subscription {
    kernel.deliver {
      let occasion = Occasion(
        reason: .subscribed, number: kernel.number, isHeld: kernel.isHeld)
      first(kernel.state, occasion)
    }
    return subscription
  }
}
