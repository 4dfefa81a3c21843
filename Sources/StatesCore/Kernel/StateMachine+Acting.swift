/// Observers that act on the world: called only for steps of input, never while held.
extension StateMachine {
  /// Acts on each new value of an output.
  ///
  /// `action` is called when a step changed the value. With `initially` it is also called
  /// immediately with the current value, unless the machine is held.
  ///
  /// ```swift
  /// struct Coin: Reducible {
  ///   var isHeads = true
  ///   enum Event { case flipped }
  ///   static func reduce(state: Coin, event: Event) -> Coin { Coin(isHeads: !state.isHeads) }
  /// }
  /// let machine = Machine(Coin())
  /// machine.react(to: \.isHeads) { print("save", $0) }
  /// machine.send(.flipped)
  /// ```
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func react<Value: Equatable>(
    to output: @escaping (State) -> Value, initially: Bool = false,
    _ action: @escaping (Value) -> Void
  ) -> Subscription {
    acting(initially: initially) { before, after in
      let new = output(after)
      if before.map(output) != new { action(new) }
      return true
    }
  }

  /// Acts on each new value of an optional output; nil means that there is nothing to do.
  ///
  /// ```swift
  /// struct Search: Reducible {
  ///   var query: String?
  ///   enum Event { case typed(String), cleared }
  ///   static func reduce(state: Search, event: Event) -> Search {
  ///     switch event {
  ///     case .typed(let text): Search(query: text)
  ///     case .cleared: Search(query: nil)
  ///     }
  ///   }
  /// }
  /// let machine = Machine(Search())
  /// machine.react(to: \.query) { query in print("load results for", query) }
  /// machine.send(.typed("bus"))
  /// ```
  @inlinable
  @discardableResult
  public func react<Value: Equatable>(
    to output: @escaping (State) -> Value?, initially: Bool = false,
    _ action: @escaping (Value) -> Void
  ) -> Subscription {
    acting(initially: initially) { before, after in
      guard let new = output(after) else { return true }
      if before.flatMap(output) != new { action(new) }
      return true
    }
  }

  /// Acts when an output without a value starts to fire: it was nil, and no longer is.
  ///
  /// ```swift
  /// struct Doorbell: Reducible {
  ///   var ring: Void?
  ///   enum Event { case pushed, rang }
  ///   static func reduce(state: Doorbell, event: Event) -> Doorbell {
  ///     Doorbell(ring: event == .pushed ? () : nil)
  ///   }
  /// }
  /// let machine = Machine(Doorbell())
  /// machine.react(to: \.ring) { print("ding") }
  /// machine.send(.pushed)
  /// ```
  @inlinable
  @discardableResult
  public func react(
    to output: @escaping (State) -> Void?, initially: Bool = false,
    _ action: @escaping () -> Void
  ) -> Subscription {
    acting(initially: initially) { before, after in
      if output(after) != nil, before.flatMap(output) == nil { action() }
      return true
    }
  }

  /// Acts on each new value of an output, with an owner that is not kept alive.
  @inlinable
  @discardableResult
  @_disfavoredOverload
  public func react<Owner: AnyObject, Value: Equatable>(
    to output: @escaping (State) -> Value, owner: Owner, initially: Bool = false,
    _ action: @escaping (Owner, Value) -> Void
  ) -> Subscription {
    acting(initially: initially) { [weak owner] before, after in
      guard let owner else { return false }
      let new = output(after)
      if before.map(output) != new { action(owner, new) }
      return true
    }
  }

  /// Acts on each new value of an optional output, with an owner that is not kept alive.
  @inlinable
  @discardableResult
  public func react<Owner: AnyObject, Value: Equatable>(
    to output: @escaping (State) -> Value?, owner: Owner, initially: Bool = false,
    _ action: @escaping (Owner, Value) -> Void
  ) -> Subscription {
    acting(initially: initially) { [weak owner] before, after in
      guard let owner else { return false }
      guard let new = output(after) else { return true }
      if before.flatMap(output) != new { action(owner, new) }
      return true
    }
  }

  /// Acts when an output without a value starts to fire, with an owner that is not kept alive.
  @inlinable
  @discardableResult
  public func react<Owner: AnyObject>(
    to output: @escaping (State) -> Void?, owner: Owner, initially: Bool = false,
    _ action: @escaping (Owner) -> Void
  ) -> Subscription {
    acting(initially: initially) { [weak owner] before, after in
      guard let owner else { return false }
      if output(after) != nil, before.flatMap(output) == nil { action(owner) }
      return true
    }
  }

  /// Registers an observer that acts; `body` receives nil as the state before in the initial call.
  @inlinable
  func acting(
    initially: Bool, _ body: @escaping (_ before: State?, _ after: State) -> Bool
  ) -> Subscription {
    let subscription = kernel.observe(acts: true) { body($0.before, $0.after) }
    if initially, !kernel.isHeld {
      kernel.deliver { _ = body(nil, kernel.state) }
    }
    return subscription
  }
}
