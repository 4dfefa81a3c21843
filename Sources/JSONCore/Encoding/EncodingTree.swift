/// A value whose containers are not used like a stack, as a tree of the encoded values.
///
/// Slower than writing directly, but correct for every order of calls: containers that are used
/// alternately, a repeated key (the last value counts), a nested container that is requested twice.
final class EncodingTree {
  /// The contents of a place so far.
  enum Content {
    case empty
    /// A finished value.
    case bytes([UInt8])
    /// Members, in the order of their keys' first use.
    case object(keys: [String], members: [String: EncodingTree])
    case array([EncodingTree])
  }

  var content = Content.empty
  let run: Run
  let codingPath: [any CodingKey]

  /// The number of arrays and objects around this place.
  let nesting: Int

  /// The state that the places of one tree share.
  final class Run {
    let engine: EncodingEngine
    /// An error from a container that cannot throw.
    var failure: (any Error)?
    var isOver = false
    init(engine: EncodingEngine) { self.engine = engine }
  }

  init(run: Run, codingPath: [any CodingKey], nesting: Int) {
    self.run = run
    self.codingPath = codingPath
    self.nesting = nesting
  }

  private func child(_ key: any CodingKey) -> EncodingTree {
    EncodingTree(run: run, codingPath: codingPath + [key], nesting: nesting + 1)
  }

  // MARK: Filling

  /// Makes the place an object if it is empty. Any other place records a failure.
  func becomeObject() {
    if case .object = content { return }
    become(.object(keys: [], members: [:]))
  }

  /// Makes the place an array if it is empty. Any other place records a failure.
  func becomeArray() {
    if case .array = content { return }
    become(.array([]))
  }

  private func become(_ container: Content) {
    guard case .empty = content else {
      return fail("The value asks for containers of two kinds in one place.")
    }
    guard nesting < run.engine.limits.depth else {
      return fail("The value nests deeper than \(run.engine.limits.depth) arrays and objects.")
    }
    content = container
  }

  func fail(_ description: String) {
    guard run.failure == nil else { return }
    run.failure = error(description)
  }

  func error(_ description: String) -> EncodingError {
    .invalidValue(self, .init(codingPath: codingPath, debugDescription: description))
  }

  /// The place under a key, new or replaced.
  func replaceMember(_ key: any CodingKey) -> EncodingTree {
    let place = child(key)
    setMember(key.stringValue, place)
    return place
  }

  /// The existing place under a key, or a new one.
  func member(_ key: any CodingKey) -> EncodingTree {
    if case .object(_, let members) = content, let place = members[key.stringValue] {
      return place
    }
    return replaceMember(key)
  }

  func setMember(_ key: String, _ place: EncodingTree) {
    guard case .object(var keys, var members) = content else { return }
    content = .empty
    if members.updateValue(place, forKey: key) == nil { keys.append(key) }
    content = .object(keys: keys, members: members)
  }

  /// A new last place.
  func element() -> EncodingTree {
    guard case .array(var elements) = content else { return child(IndexKey(0)) }
    content = .empty
    let place = child(IndexKey(elements.count))
    elements.append(place)
    content = .array(elements)
    return place
  }

  var count: Int {
    if case .array(let elements) = content { elements.count } else { 0 }
  }

  /// Encodes a value into a new place, which the caller inserts.
  func encoded<Value: Encodable>(_ value: Value, _ key: (any CodingKey)?) throws -> EncodingTree {
    try check()
    let place = key.map(child) ?? self
    let bytes = try run.engine.encodeApart(value, place.codingPath, nesting: place.nesting)
    place.content = .bytes(bytes)
    return place
  }

  func check() throws {
    if let failure = run.failure { throw failure }
    if run.isOver { throw error("A container was used after its encode(to:) returned.") }
  }

  // MARK: Writing

  func write(to writer: inout JSONWriter) {
    switch content {
    case .empty: writer.append(literal: "{}")
    case .bytes(let bytes): writer.append(bytes)
    case .object(let keys, let members):
      writer.append(UInt8(ascii: "{"))
      for key in keys {
        writer.write(key)
        writer.append(UInt8(ascii: ":"))
        members[key]?.write(to: &writer)
        writer.append(UInt8(ascii: ","))
      }
      writer.close(UInt8(ascii: "}"))
    case .array(let elements):
      writer.append(UInt8(ascii: "["))
      for element in elements {
        element.write(to: &writer)
        writer.append(UInt8(ascii: ","))
      }
      writer.close(UInt8(ascii: "]"))
    }
  }
}

extension EncodingEngine {
  /// Encodes a value as a tree, and appends it.
  func encodeAsTree<Value: Encodable>(_ value: Value) throws {
    let run = EncodingTree.Run(engine: self)
    let root = EncodingTree(run: run, codingPath: codingPath(), nesting: nesting)
    defer { run.isOver = true }
    let start = mark()
    if top == 0 { frames[0].kind = .empty }
    do {
      // A frame without a container, so that those of outer values cannot be used in the meantime.
      try push()
      try value.encode(to: TreeEncoder(place: root))
      leaveTop()
    } catch {
      goBack(to: start)
      throw error
    }
    if let failure = run.failure { throw failure }
    if case .empty = root.content, top == 0 { frames[0].kind = .nothing }
    root.write(to: &out)
  }

  /// Encodes a value of a tree separately: appends it to the bytes, and removes it again.
  func encodeApart<Value: Encodable>(
    _ value: Value, _ path: [any CodingKey], nesting depth: Int
  ) throws -> [UInt8] {
    let start = mark()
    do {
      try push()
      frames[top].kind = .single
      frames[top].edge = .path(ownedPaths.count)
      ownedPaths.append(path)
      nesting = depth
      try withoutGaps { try encode(value) }
      let bytes = out.bytes(from: start.length)
      goBack(to: start)
      return bytes
    } catch {
      goBack(to: start)
      throw error
    }
  }
}
