internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// The values at some roots, updated entry by entry.
///
/// It decodes only what leads to a root: in a keyframe the values at the roots, in a patch the
/// operations that affect them.
struct TrackedValues {
  /// The effect of an entry.
  enum Step {
    /// Its patch does not affect the roots.
    case untouched
    /// Its patch affects a root.
    case touched
    /// It is a keyframe without its changes.
    case unpatched
    /// Its state was not captured, or its patch does not apply.
    case lost
  }

  let roots: [ValueRoot]

  /// Their values; `nil` where there is none.
  private(set) var values: [JSON?]

  private(set) var isKnown = false

  /// Incremented when values may have changed.
  private(set) var version = 0

  /// The same for each root.
  private(set) var versions: [Int]

  /// Whether a root `count` is the length of an array or a string.
  private(set) var meetsLength = false

  private let needsState: Bool
  private let needsOutputs: Bool

  /// Values at roots; unknown before the first keyframe.
  init(_ roots: [ValueRoot]) {
    self.roots = roots
    values = Array(repeating: nil, count: roots.count)
    versions = Array(repeating: 0, count: roots.count)
    needsState = roots.contains { $0.side == .state }
    needsOutputs = roots.contains { $0.side == .outputs }
  }

  /// Forgets the values, for example after a loss.
  mutating func forget() {
    guard isKnown else { return }
    isKnown = false
    version += 1
    for index in values.indices {
      values[index] = nil
      versions[index] += 1
    }
  }

  /// Advances by one entry.
  mutating func advance(
    _ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>, of text: [UInt8]
  ) -> Step {
    if !fields.gap.isEmpty { forget() }
    if fields.isKeyframe {
      version += 1
      let touches = touches(fields, bytes)
      load(keyframe: fields, text)
      return fields.patch.isEmpty ? .unpatched : touches ? .touched : .untouched
    }
    guard !fields.patch.isEmpty else {
      forget()
      return .lost
    }
    guard isKnown else { return touches(fields, bytes) ? .touched : .untouched }
    var isTouched = false
    if needsState { isTouched = apply(fields.patch, .state, bytes, text) || isTouched }
    if needsOutputs { isTouched = apply(fields.outputs, .outputs, bytes, text) || isTouched }
    if isTouched { version += 1 }
    guard isKnown else { return .lost }
    return isTouched ? .touched : .untouched
  }

  private mutating func load(keyframe fields: LineFields, _ text: [UInt8]) {
    isKnown = true
    let state = JSONSlice(checkedBefore: text, at: fields.state)
    let outputs =
      fields.outputState.isEmpty ? nil : JSONSlice(checkedBefore: text, at: fields.outputState)
    for (index, root) in roots.enumerated() {
      versions[index] += 1
      if root.keys == ["count"] {
        let kind = root.side == .state ? state.kind : outputs?.kind
        if kind == .array || kind == .string { meetsLength = true }
      }
      switch root.side {
      case .state: values[index] = root.value(in: state)
      case .outputs:
        // A keyframe without outputs has none, like an empty object.
        if let outputs {
          values[index] = root.value(in: outputs)
        } else {
          values[index] = root.keys.isEmpty ? .some([:]) : .none
        }
      }
    }
  }

  /// Whether a patch has an operation that affects a root.
  private func touches(_ fields: LineFields, _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    for (patch, side) in [(fields.patch, ValueRoot.Side.state), (fields.outputs, .outputs)] {
      var operations = PatchOperations(bytes, patch: patch)
      while let operation = operations.next() {
        let concerns = bytes.withPath(operation.path) { path in
          roots.contains { $0.side == side && $0.relation(to: path) != .none }
        }
        if concerns { return true }
      }
    }
    return false
  }

  /// Applies a patch; returns whether it affects a root.
  private mutating func apply(
    _ patch: Range<Int>, _ side: ValueRoot.Side, _ bytes: UnsafeBufferPointer<UInt8>,
    _ text: [UInt8]
  ) -> Bool {
    var isTouched = false
    var operations = PatchOperations(bytes, patch: patch)
    while let operation = operations.next() {
      for index in roots.indices where roots[index].side == side {
        let relation = bytes.withPath(operation.path) { roots[index].relation(to: $0) }
        guard relation != .none else { continue }
        isTouched = true
        versions[index] += 1
        guard apply(operation, relation, to: index, bytes, text) else {
          forget()
          return true
        }
      }
    }
    return isTouched
  }

  private mutating func apply(
    _ operation: PatchOperations.Operation, _ relation: ValueRoot.Relation, to index: Int,
    _ bytes: UnsafeBufferPointer<UInt8>, _ text: [UInt8]
  ) -> Bool {
    guard let path = try? Pointer(bytes.text(inside: operation.path)) else { return false }
    let value: JSON? =
      operation.value.isEmpty
      ? .none : .some(JSONSlice(checkedBefore: text, at: operation.value).value)
    guard operation.kind == .remove || value != nil else { return false }
    if relation == .outside {
      if path.isRoot, roots[index].keys == ["count"], value?.array != nil || value?.string != nil {
        meetsLength = true
      }
      values[index] = value.flatMap { roots[index].value(in: $0, after: path.tokens.count) }
      return true
    }
    let inner = Pointer(tokens: Array(path.tokens.dropFirst(roots[index].keys.count)))
    let change: Patch.Operation =
      switch operation.kind {
      case .remove: .remove(inner)
      case .add: .add(inner, value ?? .null)
      case .replace: .replace(inner, value ?? .null)
      }
    // Moved out, so that it is changed in place.
    guard var old = values[index] else { return false }
    values[index] = nil
    do {
      try old.apply(Patch([change]))
      values[index] = old
      return true
    } catch {
      return false
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Lends the text of the pointer in a string.
  @inline(__always)
  func withPath<Value>(
    _ inside: Range<Int>, _ body: (UnsafeBufferPointer<UInt8>) -> Value
  ) -> Value {
    guard hasEscape(inside) else { return body(UnsafeBufferPointer(rebasing: self[inside])) }
    return Array(text(inside: inside).utf8).withUnsafeBufferPointer(body)
  }
}
