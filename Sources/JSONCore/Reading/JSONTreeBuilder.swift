/// Builds the tree of a validated text in one pass.
///
/// The recursion is bounded by the depth that the text was validated for.
///
/// Safe: every place comes from `JSONSkip`, which stays inside the buffer, and the buffer is lent
/// for the whole walk.
struct JSONTreeBuilder {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limit: Int
  private var index: Int

  /// A builder for the value in `range`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    self.bytes = bytes
    index = range.lowerBound
    limit = range.upperBound
  }

  /// Builds the value at the current position, and advances past it.
  mutating func value() -> JSON {
    let start = index
    guard start < limit else { return .null }
    switch bytes[start] {
    case UInt8(ascii: "\""): return .string(string())
    case UInt8(ascii: "["): return .array(elements())
    case UInt8(ascii: "{"): return .object(members())
    default:
      index = JSONSkip.word(bytes, from: start, before: limit)
      switch bytes[start] {
      case UInt8(ascii: "t"): return .bool(true)
      case UInt8(ascii: "f"): return .bool(false)
      case UInt8(ascii: "n"): return .null
      default:
        let text = UnsafeBufferPointer(rebasing: bytes[start..<index])
        return JSON.Number(validated: text).map(JSON.number) ?? .null
      }
    }
  }

  private mutating func string() -> String {
    let start = index + 1
    var hasEscapes = false
    index = JSONSkip.string(bytes, from: index, before: limit, &hasEscapes)
    let inner = start..<max(start, index - 1)
    return hasEscapes
      ? String(decoding: JSONEscapes.resolve(bytes, inner), as: UTF8.self)
      : String(decoding: UnsafeBufferPointer(rebasing: bytes[inner]), as: UTF8.self)
  }

  /// Advances to the next child or past the closing bracket; returns whether there is a child.
  @inline(__always)
  private mutating func isAtChild() -> Bool {
    index = JSONSkip.separators(bytes, from: index, before: limit)
    guard index < limit, bytes[index] | 0x20 != UInt8(ascii: "}") else {
      index += 1
      return false
    }
    return true
  }

  private mutating func elements() -> [JSON] {
    var elements: [JSON] = []
    index += 1
    while isAtChild() { elements.append(value()) }
    return elements
  }

  private mutating func members() -> JSON.Object {
    var members: [JSON.Object.Member] = []
    index += 1
    while isAtChild() {
      let key = string()
      index = JSONSkip.separators(bytes, from: index, before: limit)
      members.append(JSON.Object.Member(key: key, value: value()))
    }
    return JSON.Object(distinct: members)
  }
}
