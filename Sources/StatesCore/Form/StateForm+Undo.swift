extension StateForm {
  /// Whether there is a change to undo.
  public var canUndo: Bool { history.counts().undo > 0 }
  /// Whether there is an undone change to make again.
  public var canRedo: Bool { history.counts().redo > 0 }
  /// How many times ``undo(file:line:)`` can go back.
  public var undoCount: Int { history.counts().undo }
  /// How many times ``redo(file:line:)`` can go forward.
  public var redoCount: Int { history.counts().redo }

  /// Goes back by one change, or one group of changes.
  ///
  /// Answers false, and does nothing, when there is nothing to undo or the form refuses. During
  /// another change, or while held with a queue, it waits for its turn.
  ///
  /// ```swift
  /// let form = StateForm(state: 0)
  /// assert(!form.undo())
  /// form.apply { $0 = 1 }
  /// assert(form.undo() && form.state == 0)
  /// ```
  @discardableResult
  public func undo(file: StaticString = #fileID, line: UInt32 = #line) -> Bool {
    guard canUndo || mayChangeFirst else { return false }
    return kernel.send(.undo(to: nil), at: CallSite(file: file, line: line)) != .refused
  }

  /// Makes the change again that was undone last.
  ///
  /// Answers false, and does nothing, when there is nothing to redo or the form refuses.
  ///
  /// ```swift
  /// let form = StateForm(state: 0)
  /// form.apply { $0 = 1 }
  /// form.undo()
  /// assert(form.redo() && form.state == 1)
  /// ```
  @discardableResult
  public func redo(file: StaticString = #fileID, line: UInt32 = #line) -> Bool {
    guard canRedo || mayChangeFirst else { return false }
    return kernel.send(.redo(to: nil), at: CallSite(file: file, line: line)) != .refused
  }

  /// Makes one undo step of all that `body` applies.
  ///
  /// A group inside a group belongs to it.
  ///
  /// ```swift
  /// let form = StateForm(state: "")
  /// form.undoGroup {
  ///   form.apply { $0 += "a" }
  ///   form.apply { $0 += "b" }
  /// }
  /// form.undo()
  /// assert(form.state == "")
  /// ```
  @discardableResult
  public func undoGroup<Result, Failure: Error>(
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    beginUndoGroup()
    defer { endUndoGroup() }
    return try body()
  }

  /// Begins a group that ends later: a drag, or typing.
  ///
  /// ```swift
  /// let form = StateForm(state: 0)
  /// form.beginUndoGroup()
  /// for position in 1...10 { form.apply { $0 = position } }
  /// form.endUndoGroup()
  /// assert(form.undoCount == 1)
  /// ```
  public func beginUndoGroup() {
    if groupDepth == 0 { groupNumber += 1 }
    groupDepth += 1
  }

  /// Ends the group that was begun last; without one it does nothing.
  public func endUndoGroup() {
    groupDepth = max(0, groupDepth - 1)
  }

  /// The group that changes belong to now.
  @usableFromInline
  var openGroup: UndoGroup? {
    groupDepth > 0 ? UndoGroup(number: groupNumber) : nil
  }

  /// Whether a change may be made before an undo's turn comes; the answer is then found out later.
  private var mayChangeFirst: Bool {
    kernel.waitingCount > 0
  }
}
