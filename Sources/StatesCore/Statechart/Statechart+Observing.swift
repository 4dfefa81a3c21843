extension Statechart {
  /// Calls `observer` once for each completed `goTo`, even for one that went nowhere.
  ///
  /// It is called when the message has been handled, in the order of completion, and not for the
  /// states in between.
  ///
  /// ```swift
  /// let chart = try Statechart { On("pushed", goTo: "open"); ChartState("open") }
  /// var targets: [String] = []
  /// chart.onMove { targets.append($0.target) }
  /// try chart.send("pushed")
  /// try chart.send("pushed")
  /// assert(targets == ["open", "open"])
  /// ```
  @discardableResult
  public func onMove(_ observer: @escaping (ChartMove) -> Void) -> Subscription {
    kernel.observe(acts: false) { step in
      for move in step.input?.report.moves ?? [] { observer(move) }
      return true
    }
  }

  /// Calls `observer` for each message that no state on the active path handles.
  ///
  /// ```swift
  /// let chart = try Statechart { On("pushed") { _ in } }
  /// chart.onUnhandled { message, path in print(message, "means nothing in", path.last ?? "") }
  /// try chart.send("pulled")
  /// ```
  @discardableResult
  public func onUnhandled(
    _ observer: @escaping (_ message: ChartMessage, _ path: [String]) -> Void
  ) -> Subscription {
    kernel.observe(acts: false) { step in
      if let input = step.input, input.isUnhandled, let message = input.message {
        observer(message, step.before.path.isEmpty ? step.after.path : step.before.path)
      }
      return true
    }
  }

  /// Acts on the effects of one type that handlers and hooks requested; never while held.
  ///
  /// ```swift
  /// enum Sound { case beep }
  /// let chart = try Statechart {
  ///   On("pushed") { context in context.emit(Sound.beep) }
  /// }
  /// chart.onEffect(Sound.self) { sound in print("play", sound) }
  /// try chart.send("pushed")
  /// ```
  @discardableResult
  public func onEffect<Effect: Sendable>(
    _ type: Effect.Type, _ action: @escaping (Effect) -> Void
  ) -> Subscription {
    kernel.observe(acts: true) { step in
      for case let effect as Effect in step.input?.effects ?? [] { action(effect) }
      return true
    }
  }
}

extension ChartTree {
  /// The distinct payload types that handlers of a message accept.
  func payloadTypes(of message: String) -> [any (Codable & Sendable).Type] {
    var types: [any (Codable & Sendable).Type] = []
    for case let type? in nodes.map({ $0.reactions[message]?.payload })
    where !types.contains(where: { $0 == type }) {
      types.append(type)
    }
    return types
  }
}
