extension JSON {
  /// Applies a patch: all of it, or nothing if one of its operations does not apply.
  ///
  /// The value is changed in place; the work depends on the patch, not on the size of the value,
  /// and is bounded by `limits`.
  ///
  /// - Throws: The first operation that does not apply, and why. The value is then unchanged.
  public mutating func apply(
    _ patch: Patch, limits: JSONLimits = .standard
  ) throws(PatchError) {
    var run = PatchRun(limits: limits)
    for (index, operation) in patch.operations.enumerated() {
      do {
        try run.perform(operation, on: &self)
      } catch {
        run.rollBack(from: &self)
        throw PatchError(error.reason, operation: index, path: error.path)
      }
    }
  }

  /// Returns the value with a patch applied.
  public func applying(
    _ patch: Patch, limits: JSONLimits = .standard
  ) throws(PatchError) -> JSON {
    var value = self
    try value.apply(patch, limits: limits)
    return value
  }
}

/// One application of a patch, with a log to undo it.
private struct PatchRun {
  let limits: JSONLimits
  private var log: [Change] = []
  private var copied = 0
  private var shifted = 0

  /// A change that was made inside the value at `parent`.
  private struct Change {
    var parent: ArraySlice<String>
    var undoing: ChildChange
  }

  /// Why an operation does not apply.
  struct Failure: Error {
    var reason: PatchError.Reason
    var path: Pointer
  }

  init(limits: JSONLimits) {
    self.limits = limits
  }

  mutating func perform(
    _ operation: Patch.Operation, on value: inout JSON
  ) throws(Failure) {
    switch operation {
    case .add(let path, let new):
      try checkDepth(of: new, at: path)
      try add(new, at: path, in: &value)
    case .remove(let path):
      _ = try remove(path, in: &value)
    case .replace(let path, let new):
      try checkDepth(of: new, at: path)
      try replace(path, with: new, in: &value)
    case .move(let from, let path):
      try move(from, to: path, in: &value)
    case .copy(let from, let path):
      let found = try find(from, in: value)
      try charge(found, copiedTo: path)
      try add(found, at: path, in: &value)
    case .test(let path, let expected):
      guard try find(path, in: value).hasSameNumbers(as: expected) else {
        throw Failure(reason: .testFailed, path: path)
      }
    }
  }

  /// Undoes all changes so far, starting with the last.
  mutating func rollBack(from value: inout JSON) {
    while let change = log.popLast() {
      // The path led to that value when the change was made, and so it does again.
      try? value.withValue(at: change.parent) { parent in parent.undo(change.undoing) }
    }
  }

  private mutating func add(
    _ new: JSON, at path: Pointer, in value: inout JSON
  ) throws(Failure) {
    try change(path, in: &value) { parent, token throws(PatchError.Reason) in
      try parent.insertChild(token, new)
    }
  }

  private mutating func replace(
    _ path: Pointer, with new: JSON, in value: inout JSON
  ) throws(Failure) {
    try change(path, in: &value) { parent, token throws(PatchError.Reason) in
      try parent.replaceChild(token, with: new)
    }
  }

  private mutating func remove(_ path: Pointer, in value: inout JSON) throws(Failure) -> JSON {
    guard !path.isRoot else { throw Failure(reason: .removesRoot, path: path) }
    var removed = JSON.null
    try change(path, in: &value) { parent, token throws(PatchError.Reason) in
      try parent.removeChild(token, &removed)
    }
    return removed
  }

  private mutating func move(
    _ from: Pointer, to path: Pointer, in value: inout JSON
  ) throws(Failure) {
    let isDeeper = path.tokens.count > from.tokens.count
    if isDeeper, from.isPrefix(of: path) {
      throw Failure(reason: .movesIntoItself, path: path)
    }
    let found = try find(from, in: value)
    guard from != path else { return }
    // A value that moves deeper is measured; that cost is charged like a copy.
    if isDeeper { try charge(found, copiedTo: path) }
    _ = try remove(from, in: &value)
    try add(found, at: path, in: &value)
  }

  private mutating func change(
    _ path: Pointer, in value: inout JSON,
    _ body: (inout JSON, String?) throws(PatchError.Reason) -> (ChildChange, shifted: Int)
  ) throws(Failure) {
    let parent = path.tokens.dropLast()
    do throws(PatchError.Reason) {
      guard path.tokens.count <= limits.depth else { throw .tooDeep(limit: limits.depth) }
      let (undoing, shifts) = try value.withValue(at: parent) {
        value throws(PatchError.Reason) in try body(&value, path.tokens.last)
      }
      log.append(Change(parent: parent, undoing: undoing))
      shifted += shifts
      guard shifted <= limits.shiftedElements else {
        throw .shiftsTooMuch(limit: limits.shiftedElements)
      }
    } catch {
      throw Failure(reason: error, path: path)
    }
  }

  private func find(_ path: Pointer, in value: JSON) throws(Failure) -> JSON {
    do {
      return try value.value(at: path)
    } catch {
      throw Failure(reason: error, path: path)
    }
  }

  private func checkDepth(of value: JSON, at path: Pointer) throws(Failure) {
    guard value.isNested(maximumDepth: limits.depth - path.tokens.count) else {
      throw Failure(reason: .tooDeep(limit: limits.depth), path: path)
    }
  }

  private mutating func charge(_ value: JSON, copiedTo path: Pointer) throws(Failure) {
    let left = limits.copiedBytes - copied
    // Measured only up to what may be copied, because copies of copies grow without limit.
    let size = value.byteCount(upTo: left)
    guard size <= left else {
      throw Failure(reason: .copiesTooMuch(limit: limits.copiedBytes), path: path)
    }
    copied += size
    try checkDepth(of: value, at: path)
  }
}
