internal import JSONCore

// Safe: the buffers are lent for the length of a call by the run or the text that holds them; their
// places were found when the entry was read, and nothing reads beyond its end.

/// One application of a patch in stored text to a shape.
///
/// It accepts exactly what `JSON.apply(_:)` accepts; a test compares the two. Where an operation does
/// not apply, those before it have been applied: the caller gives the shape up.
struct ShapePatch {
  /// The bytes of the entries' run, to keep parts of it.
  private let run: UnsafeBufferPointer<UInt8>

  /// By how much the shape has grown, in bytes.
  private(set) var grown = 0

  /// How many elements of arrays were moved aside.
  private var shifted = 0

  /// What the timeline may still cost.
  private(set) var work: ShapeWork

  private let limits = JSONLimits.standard

  /// An object or array of at most this many bytes is searched in its text when a leaf replaces a leaf,
  /// which is what most operations do, instead of being taken apart.
  private static let searchedBytes = 512

  init(_ run: UnsafeBufferPointer<UInt8>, work: ShapeWork) {
    self.run = run
    self.work = work
  }

  /// Applies the patch at a place of the run. An error is the recorder's mistake only while `work`
  /// is not exhausted.
  mutating func apply(_ patch: Range<Int>, to root: inout Shape) throws(PatchError) {
    var operations = PatchOperations(run, patch: patch)
    var index = 0
    while let operation = operations.next() {
      if run.hasEscape(operation.path) {
        let path = Array(run.text(inside: operation.path).utf8)
        try path.withUnsafeBufferPointer { path throws(PatchError) in
          try apply(operation, index, at: path.indices, in: path, to: &root)
        }
      } else {
        try apply(operation, index, at: operation.path, in: run, to: &root)
      }
      index += 1
    }
  }

  private mutating func apply(
    _ operation: PatchOperations.Operation, _ index: Int, at range: Range<Int>,
    in path: UnsafeBufferPointer<UInt8>, to root: inout Shape
  ) throws(PatchError) {
    do throws(PatchError.Reason) {
      try perform(operation, at: range, in: path, on: &root)
      guard shifted <= limits.shiftedElements else {
        throw .shiftsTooMuch(limit: limits.shiftedElements)
      }
    } catch {
      let text = String(decoding: path[range], as: UTF8.self)
      throw PatchError(error, operation: index, path: try? Pointer(text))
    }
  }

  private mutating func perform(
    _ operation: PatchOperations.Operation, at range: Range<Int>,
    in path: UnsafeBufferPointer<UInt8>, on root: inout Shape
  ) throws(PatchError.Reason) {
    let new = try shape(of: operation, tokens: path.tokenCount(range))
    if range.isEmpty {
      guard let new else { throw .removesRoot }
      root = new
      return
    }
    if operation.kind == .replace, case .leaf? = new, isLeaf(root, at: range, in: path) { return }
    let (parent, token) = try parent(of: range, in: path, root: &root)
    switch (operation.kind, new) {
    case (.add, let new?): try count(shifted: parent.insert(new, at: token, in: path))
    case (.replace, let new?): parent.replace(try parent.place(of: token, in: path), with: new)
    case (_, _): try count(shifted: parent.remove(try parent.place(of: token, in: path)))
    }
  }

  private mutating func count(shifted elements: Int) throws(PatchError.Reason) {
    shifted += elements
    try work.use(elements)
  }

  /// The shape of an operation's value, `nil` for one that removes.
  ///
  /// It is copied: a small value must not keep its whole run in memory.
  private mutating func shape(
    of operation: PatchOperations.Operation, tokens: Int
  ) throws(PatchError.Reason) -> Shape? {
    var nesting = 0
    var shape: Shape?
    if operation.kind != .remove {
      shape = .leaf
      if let first = operation.value.first, Shape.isContainer(run[first]) {
        let copy = Array(run[operation.value])
        grown += copy.count
        shape = Shape(copy, at: copy.indices)
        nesting = tokens + copy.count / 2 > limits.depth ? copy.nesting : 0
      }
    }
    guard tokens + nesting <= limits.depth else { throw .tooDeep(limit: limits.depth) }
    return shape
  }

  /// The container that holds what a path leads to, and the path's last token.
  private mutating func parent(
    of range: Range<Int>, in path: UnsafeBufferPointer<UInt8>, root: inout Shape
  ) throws(PatchError.Reason) -> (ShapeContainer, Range<Int>) {
    var current: ShapeContainer
    switch root {
    case .leaf: throw .notAContainer
    case .container(let container): current = container
    case .text(let text):
      current = try container(of: text)
      root = .container(current)
    }
    var tokens = PointerTokens(path, range)
    while let token = tokens.next() {
      if tokens.isAtEnd { return (current, token) }
      current = try container(at: current.place(of: token, in: path), of: current)
    }
    throw .notAContainer
  }

  /// The child at a place as a container.
  private mutating func container(
    at place: Int, of parent: ShapeContainer
  ) throws(PatchError.Reason) -> ShapeContainer {
    switch parent[place] {
    case .leaf: throw .notAContainer
    case .container(let container): return container
    case .text(let text):
      let container = try container(of: text)
      parent.replace(place, with: .container(container))
      return container
    }
  }

  private mutating func container(of text: ShapeText) throws(PatchError.Reason) -> ShapeContainer {
    try work.use(text.range.count)
    let container = ShapeContainer(text)
    grown += container.count * ShapeContainer.childBytes
    return container
  }

  /// Whether a path is seen to lead to a leaf without taking anything apart. False says nothing.
  private func isLeaf(
    _ root: Shape, at range: Range<Int>, in path: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    var shape = root
    var tokens = PointerTokens(path, range)
    while true {
      switch shape {
      case .leaf: return tokens.isAtEnd
      case .text(let text):
        guard text.range.count <= Self.searchedBytes else { return false }
        return text.isLeaf(at: tokens, in: path)
      case .container(let container):
        guard let token = tokens.next(), let place = try? container.place(of: token, in: path)
        else { return false }
        shape = container[place]
      }
    }
  }
}

extension ShapeText {
  /// Whether tokens are seen to lead to a leaf inside. False says nothing.
  fileprivate func isLeaf(at tokens: PointerTokens, in path: UnsafeBufferPointer<UInt8>) -> Bool {
    bytes.withUnsafeBufferPointer { bytes in
      var tokens = tokens
      var range = range
      while let token = tokens.next() {
        guard let child = bytes.child(token, in: path, of: range) else { return false }
        range = child
      }
      return !Shape.isContainer(bytes[range.lowerBound])
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The child of the array or object at a range that a token names, where both are written without
  /// escapes.
  fileprivate func child(
    _ token: Range<Int>, in path: UnsafeBufferPointer<UInt8>, of range: Range<Int>
  ) -> Range<Int>? {
    if self[range.lowerBound] == UInt8(ascii: "[") {
      guard let index = path.index(token: token) else { return nil }
      var elements = LineElements(self, array: range)
      for _ in 0..<index where elements.next() == nil { return nil }
      return elements.next()
    }
    // In text with escapes equal bytes need not be equal keys.
    for place in token {
      let byte = path[place]
      if byte == UInt8(ascii: "~") || byte == UInt8(ascii: "\\") { return nil }
    }
    var members = LineMembers(self, object: range)
    while let member = members.next() {
      if member.key.count == token.count, isEqual(member.key, token, in: path) {
        return member.value
      }
    }
    return nil
  }

  @inline(__always)
  private func isEqual(
    _ range: Range<Int>, _ other: Range<Int>, in path: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    for offset in 0..<range.count
    where self[range.lowerBound + offset] != path[other.lowerBound + offset] {
      return false
    }
    return true
  }
}

extension [UInt8] {
  /// How many arrays and objects of checked text are inside one another at most.
  fileprivate var nesting: Int {
    withUnsafeBufferPointer { bytes in
      var (depth, deepest, index) = (0, 0, 0)
      while index < bytes.count {
        switch bytes[index] {
        case UInt8(ascii: "\""):
          index = JSONSkip.string(bytes, from: index, before: bytes.count)
          continue
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          deepest = Swift.max(deepest, depth)
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
        index += 1
      }
      return deepest
    }
  }
}
