internal import JSONCore
internal import Predicates
internal import Timelines

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// Finds a value in a stored line, without building anything.
struct LinePath: Sendable {
  enum Step: Sendable {
    case key([UInt8])
    /// The element of an array, or the member of an object with that key.
    case index(Int, key: [UInt8])
  }

  /// The result of a search in a line.
  enum Found {
    /// The place of the value.
    case at(Range<Int>)
    case nothing
    /// The line is written in a way that the bytes do not decide.
    case undecided
  }

  private let root: [UInt8]
  private let steps: [Step]

  /// The path of a predicate; `nil` if the line alone, or its bytes, cannot decide it.
  init?(_ path: Predicate.Path) {
    switch path.root {
    case .event, .seq, .t, .ns, .cause, .origin, .at, .error, .was, .omitted, .gap, .restored,
      .jump:
      root = Array(path.root.rawValue.utf8)
    case .name, .state, .outputs, .beforeState, .beforeOutputs, .redacted, .keyframe, .thinned:
      return nil
    }
    var steps: [Step] = []
    for step in path.steps {
      switch step {
      // In an array or a string it means the length.
      case .key("count"): return nil
      case .key(let key): steps.append(.key(Array(key.utf8)))
      case .each: return nil
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

  /// Searches a line.
  ///
  /// Nothing after the value is read, and nothing twice: on the way only the starts of values are
  /// known, and an object that ends early ends the search.
  @inline(__always)
  func find(_ bytes: UnsafeBufferPointer<UInt8>, line: Range<Int>) -> Found {
    var place = Self.member(root, bytes, line.lowerBound, line.upperBound)
    for step in steps {
      guard case .start(let start) = place else { break }
      switch step {
      case .key(let key):
        place = Self.member(key, bytes, start, line.upperBound)
      case .index(let index, let key):
        place =
          bytes[start] == UInt8(ascii: "[")
          ? Self.element(index, bytes, start, line.upperBound)
          : Self.member(key, bytes, start, line.upperBound)
      }
    }
    switch place {
    case .start(let start):
      return .at(start..<JSONSkip.value(bytes, from: start, before: line.upperBound))
    case .nothing: return .nothing
    case .undecided: return .undecided
    }
  }

  /// The start of a value.
  private enum Place {
    case start(Int)
    case nothing
    case undecided
  }

  @inline(__always)
  private static func member(
    _ key: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>, _ object: Int, _ limit: Int
  ) -> Place {
    guard object < limit, bytes[object] == UInt8(ascii: "{") else { return .nothing }
    var index = object + 1
    while true {
      let start = JSONSkip.separators(bytes, from: index, before: limit)
      guard start < limit, bytes[start] == UInt8(ascii: "\"") else { return .nothing }
      let end = JSONSkip.string(bytes, from: start, before: limit)
      let value = JSONSkip.separators(bytes, from: end, before: limit)
      guard end - start >= 2, value < limit else { return .nothing }
      let name = start + 1..<end - 1
      if bytes.has(key, at: name) { return .start(value) }
      // An escape has more bytes than its character.
      if name.count > key.count, bytes.hasEscape(name) { return .undecided }
      index = JSONSkip.value(bytes, from: value, before: limit)
    }
  }

  private static func element(
    _ place: Int, _ bytes: UnsafeBufferPointer<UInt8>, _ array: Int, _ limit: Int
  ) -> Place {
    var index = array + 1
    var rest = place
    while true {
      let start = JSONSkip.separators(bytes, from: index, before: limit)
      guard start < limit, bytes[start] != UInt8(ascii: "]") else { return .nothing }
      if rest == 0 { return .start(start) }
      rest -= 1
      index = JSONSkip.value(bytes, from: start, before: limit)
    }
  }
}
