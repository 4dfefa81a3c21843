extension StateForm {
  /// Whether there is a change to undo.
  public var canUndo: Bool { history.counts().undo > 0 }
  /// Whether there is an undone change to redo.
  public var canRedo: Bool { history.counts().redo > 0 }
  /// The number of changes that ``undo(file:line:)`` can undo.
  public var undoCount: Int { history.counts().undo }
  /// The number of changes that ``redo(file:line:)`` can redo.
  public var redoCount: Int { history.counts().redo }

  /// Undoes the last change or group of changes.
  ///
  /// Returns false, and does nothing, if there is nothing to undo or the form refuses. During
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
    guard canUndo || hasPendingChanges else { return false }
    return kernel.send(.undo(to: nil), at: CallSite(file: file, line: line)) != .refused
  }

  /// Redoes the change that was undone last.
  ///
  /// Returns false, and does nothing, if there is nothing to redo or the form refuses.
  ///
  /// ```swift
  /// let form = StateForm(state: 0)
  /// form.apply { $0 = 1 }
  /// form.undo()
  /// assert(form.redo() && form.state == 1)
  /// ```
  @discardableResult
  public func redo(file: StaticString = #fileID, line: UInt32 = #line) -> Bool {
    guard canRedo || hasPendingChanges else { return false }
    return kernel.send(.redo(to: nil), at: CallSite(file: file, line: line)) != .refused
  }

  /// Groups everything that `body` applies into one undo step.
  ///
  /// A group inside a group becomes part of the outer one.
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

  /// Ends the current group, if any.
  public func endUndoGroup() {
    groupDepth = max(0, groupDepth - 1)
  }

  /// The group that new changes belong to.
  @usableFromInline
  var openGroup: UndoGroup? {
    groupDepth > 0 ? UndoGroup(number: groupNumber) : nil
  }

  /// Whether queued changes may run before an undo does, so that it may have something to undo by
  /// then.
  private var hasPendingChanges: Bool {
    kernel.waitingCount > 0
  }
}
