internal import JSONCore
internal import Timelines

/// Where a value stands in a stored line, found without building anything.
struct LinePath: Sendable {
  /// One step.
  enum Step: Sendable {
    /// The member of an object.
    case key([UInt8])
    /// The element of an array, or the member of an object with that key.
    case index(Int, key: [UInt8])
  }

  /// What a line says of the path.
  enum Found {
    /// The value stands here.
    case at(Range<Int>)
    /// There is none.
    case nothing
    /// The line is written in a way that takes a closer look.
    case undecided
  }

  private let root: [UInt8]
  private let steps: [Step]

  /// The path of a predicate; `nil` for what the line alone does not tell, or only by more than its
  /// bytes.
  init?(_ path: Predicate.Path) {
    switch path.root {
    case .event, .seq, .t, .ns, .cause, .origin, .at, .error, .was, .omitted, .gap, .restored, .jump:
      root = Array(path.root.rawValue.utf8)
    case .name, .state, .outputs, .beforeState, .beforeOutputs, .redacted, .keyframe, .thinned:
      return nil
    }
    var steps: [Step] = []
    for step in path.steps {
      switch step {
      // Of an array or a string it is the length.
      case .key("count"): return nil
      case .key(let key): steps.append(.key(Array(key.utf8)))
      case .index(let index): steps.append(.index(index, key: Array(String(index).utf8)))
      }
    }
    self.steps = steps
  }

  /// The path of a line's event.
  init(event: Void) {
    root = Array("event".utf8)
    steps = []
  }

  /// Looks in a line.
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Found {
    var found = Self.member(root, bytes, line)
    for step in steps {
      guard case .at(let range) = found else { return found }
      switch step {
      case .key(let key):
        found = Self.member(key, bytes, range)
      case .index(let index, let key):
        found =
          bytes[range.lowerBound] == UInt8(ascii: "[")
          ? Self.element(index, bytes, range) : Self.member(key, bytes, range)
      }
    }
    return found
  }

  @inline(__always)
  private static func member(
    _ key: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Found {
    var members = LineMembers(bytes, object: range)
    while let member = members.next() {
      if bytes.has(key, at: member.key) { return .at(member.value) }
      // An escape takes more bytes than it stands for.
      if member.key.count > key.count, bytes.hasEscape(member.key) { return .undecided }
    }
    return .nothing
  }

  private static func element(
    _ index: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>
  ) -> Found {
    var elements = LineElements(bytes, array: range)
    var rest = index
    while let element = elements.next() {
      if rest == 0 { return .at(element) }
      rest -= 1
    }
    return .nothing
  }
}
