internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// The operations of a patch in stored text, as far as index and search need them.
struct PatchOperations {
  struct Operation {
    /// What it does; entries contain no other kinds.
    enum Kind {
      case add
      case remove
      case replace
    }

    let kind: Kind

    /// The content of the string with the pointer.
    let path: Range<Int>

    /// The value; empty for `remove`.
    let value: Range<Int>
  }

  private let bytes: UnsafeBufferPointer<UInt8>
  private var elements: LineElements

  /// The operations of the patch at `range`.
  @inline(__always)
  init(_ bytes: UnsafeBufferPointer<UInt8>, patch range: Range<Int>) {
    self.bytes = bytes
    elements = LineElements(bytes, array: range)
  }

  /// The next operation, or `nil` at the end.
  mutating func next() -> Operation? {
    guard let element = elements.next() else { return nil }
    var kind: Operation.Kind?
    var path: Range<Int>?
    var value = 0..<0
    var members = LineMembers(bytes, object: element)
    while let member = members.next() {
      if bytes.has("op", at: member.key) {
        kind = self.kind(at: member.value)
      } else if bytes.has("path", at: member.key) {
        path = member.value.lowerBound + 1..<member.value.upperBound - 1
      } else if bytes.has("value", at: member.key) {
        value = member.value
      } else if bytes.hasEscape(member.key) {
        switch bytes.text(inside: member.key) {
        case "op": kind = self.kind(at: member.value)
        case "path": path = member.value.lowerBound + 1..<member.value.upperBound - 1
        case "value": value = member.value
        default: break
        }
      }
    }
    guard let kind, let path, path.lowerBound <= path.upperBound else { return nil }
    return Operation(kind: kind, path: path, value: value)
  }

  private func kind(at range: Range<Int>) -> Operation.Kind? {
    guard range.count >= 2 else { return nil }
    let inside = range.lowerBound + 1..<range.upperBound - 1
    if bytes.has("replace", at: inside) { return .replace }
    if bytes.has("add", at: inside) { return .add }
    if bytes.has("remove", at: inside) { return .remove }
    guard bytes.hasEscape(inside) else { return nil }
    switch bytes.text(inside: inside) {
    case "replace": return .replace
    case "add": return .add
    case "remove": return .remove
    default: return nil
    }
  }
}
