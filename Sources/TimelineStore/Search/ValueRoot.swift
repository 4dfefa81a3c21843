internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// A place in a moment whose value is tracked through the entries.
///
/// It leads through objects only: array elements change their index, so a path is tracked up to the
/// first possible array, and resolved in that array's value from there.
struct ValueRoot: Hashable, Sendable {
  /// The part of the moment.
  enum Side: Hashable, Sendable {
    case state
    case outputs

    /// The first token of its paths.
    var token: String { self == .state ? "state" : "outputs" }
  }

  let side: Side

  /// The keys from there.
  let keys: [String]

  /// The keys as a pointer's text.
  let text: [UInt8]

  init(_ side: Side, _ keys: [String]) {
    self.side = side
    self.keys = keys
    text = Array(Pointer(tokens: keys).description.utf8)
  }

  /// The root of a path into a moment, and the rest of the path; `nil` if the path starts with
  /// neither `state` nor `outputs`.
  static func split(_ path: Pointer) -> (root: ValueRoot, rest: ArraySlice<String>)? {
    let side: Side
    switch path.tokens.first {
    case "state": side = .state
    case "outputs": side = .outputs
    default: return nil
    }
    let tokens = path.tokens.dropFirst()
    let keys = tokens.prefix { !isElement($0) }
    return (ValueRoot(side, Array(keys)), tokens.dropFirst(keys.count))
  }

  /// Whether a token can name an element of an array.
  static func isElement(_ token: String) -> Bool { token == "-" || Pointer.index(token) != nil }

  /// Whether the other root is this one or inside it.
  func holds(_ other: ValueRoot) -> Bool {
    side == other.side && Pointer(tokens: keys).isPrefix(of: Pointer(tokens: other.keys))
  }

  /// How an operation's path relates to the root.
  enum Relation {
    /// Neither leads to the other.
    case none
    /// The path leads to the root's value, or to a value that contains it.
    case outside
    /// The path leads into the root's value.
    case inside
  }

  /// How a path relates to the root, both as the texts of pointers.
  @inline(__always)
  func relation(to path: UnsafeBufferPointer<UInt8>) -> Relation {
    let shared = min(path.count, text.count)
    for index in 0..<shared where path[index] != text[index] { return .none }
    if path.count == text.count { return .outside }
    if path.count < text.count {
      return text[path.count] == UInt8(ascii: "/") ? .outside : .none
    }
    return path[text.count] == UInt8(ascii: "/") ? .inside : .none
  }

  /// The root's value in the full value of its side.
  func value(in slice: JSONSlice) -> JSON? {
    var slice = slice
    for key in keys {
      guard slice.kind == .object, let next = slice[key] else { return nil }
      slice = next
    }
    return slice.value
  }

  /// The root's value in a value after the first keys.
  func value(in json: JSON, after count: Int) -> JSON? {
    var json = json
    for key in keys.dropFirst(count) {
      guard case .object = json, let next = json[key] else { return nil }
      json = next
    }
    return json
  }
}
