/// The position of each value of a text, in one flat list, so that a decoder finds members and
/// elements without scanning the text between them again.
///
/// Values are in the order of the text; an array or object is followed by its children, and an
/// object's keys count as values.
struct DecodingIndex {
  /// A value of the text.
  struct Node {
    /// The value's first byte.
    var start: UInt32
    /// The byte after its last.
    var end: UInt32
    /// The index of the first node after its children.
    var next: UInt32
    /// Cached information. For a string: 1 if it has escapes. For an object: the key at which the
    /// next search begins. For an array: the number of its elements plus 1, once they were counted.
    var note: UInt32 = 0
  }

  /// The text that the nodes point into.
  private(set) var bytes: [UInt8]

  private(set) var nodes: [Node] = []

  /// Texts of 4 GiB and more do not fit the nodes.
  private static let largest = Int(UInt32.max) - 64

  /// Finds the values of a text that was validated.
  init(
    of text: [UInt8], _ range: Range<Int>, limits: JSONLimits
  ) throws(JSONError) {
    guard range.count <= Self.largest else { throw JSONError(.tooLong(limit: Self.largest), at: 0) }
    bytes = range == text.indices ? text : Array(text[range])
    nodes.reserveCapacity(bytes.count / 8 + 8)
    try bytes.withUnsafeBufferPointer { buffer throws(JSONError) in
      try Self.find(in: buffer, limits: limits, into: &nodes)
    }
  }

  /// Safe: the text was validated, so every string and bracket that begins also ends; and no read
  /// is at or beyond the buffer's count.
  private static func find(
    in bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits, into nodes: inout [Node]
  ) throws(JSONError) {
    var open: [Int] = []
    var index = 0
    while index < bytes.count {
      let start = index
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09, UInt8(ascii: ","), UInt8(ascii: ":"):
        index += 1
        continue
      case UInt8(ascii: "]"), UInt8(ascii: "}"):
        index += 1
        guard let container = open.popLast() else { continue }
        nodes[container].end = UInt32(truncatingIfNeeded: index)
        nodes[container].next = UInt32(truncatingIfNeeded: nodes.count)
        continue
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        guard open.count < limits.depth else {
          throw JSONError(.tooDeep(limit: limits.depth), at: index)
        }
        open.append(nodes.count)
        index += 1
        append(&nodes, start..<index, note: bytes[start] == UInt8(ascii: "{") ? nodes.count + 1 : 0)
      case UInt8(ascii: "\""):
        var hasEscapes = false
        index += 1
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          if bytes[index] == UInt8(ascii: "\\") {
            hasEscapes = true
            index += 1
          }
          index += 1
        }
        index = min(index + 1, bytes.count)
        append(&nodes, start..<index, note: hasEscapes ? 1 : 0)
      default:
        index += 1
        while index < bytes.count, !endsWord(bytes[index]) { index += 1 }
        append(&nodes, start..<index, note: 0)
      }
    }
  }

  @inline(__always)
  private static func append(_ nodes: inout [Node], _ range: Range<Int>, note: Int) {
    nodes.append(
      Node(
        start: UInt32(truncatingIfNeeded: range.lowerBound),
        end: UInt32(truncatingIfNeeded: range.upperBound),
        next: UInt32(truncatingIfNeeded: nodes.count + 1),
        note: UInt32(truncatingIfNeeded: note)))
  }

  @inline(__always)
  private static func endsWord(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "]"), UInt8(ascii: "}"), 0x20, 0x0A, 0x0D, 0x09: true
    default: false
    }
  }
}

extension DecodingIndex {
  /// Lays out a tree as if it had been read from a text.
  ///
  /// Strings are copied between quotes without escaping: their nodes say that they have no escapes,
  /// and nothing searches for their end.
  init(of tree: JSON, limits: JSONLimits) throws(JSONError) {
    bytes = []
    try add(tree, depth: 0, limits)
  }

  private mutating func add(
    _ value: JSON, depth: Int, _ limits: JSONLimits
  ) throws(JSONError) {
    guard bytes.count <= min(limits.bytes, Self.largest) else {
      throw JSONError(.tooLong(limit: min(limits.bytes, Self.largest)), at: bytes.count)
    }
    let node = nodes.count
    let start = bytes.count
    switch value {
    case .null: add("null")
    case .bool(let bool): add(bool ? "true" : "false")
    case .number(let number): add(number.text)
    case .string(let string): add(quoted: string)
    case .array(let elements):
      try open("[", depth, limits)
      for element in elements { try add(element, depth: depth + 1, limits) }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      try open("{", depth, limits)
      nodes[node].note = UInt32(truncatingIfNeeded: node + 1)
      for (key, value) in members {
        add(quoted: key)
        try add(value, depth: depth + 1, limits)
      }
      bytes.append(UInt8(ascii: "}"))
    }
    nodes[node].start = UInt32(truncatingIfNeeded: start)
    nodes[node].end = UInt32(truncatingIfNeeded: bytes.count)
    nodes[node].next = UInt32(truncatingIfNeeded: nodes.count)
  }

  private mutating func open(
    _ bracket: Unicode.Scalar, _ depth: Int, _ limits: JSONLimits
  ) throws(JSONError) {
    guard depth < limits.depth else {
      throw JSONError(.tooDeep(limit: limits.depth), at: bytes.count)
    }
    Self.append(&nodes, bytes.count..<bytes.count, note: 0)
    bytes.append(UInt8(ascii: bracket))
  }

  private mutating func add(_ text: String) {
    let start = bytes.count
    bytes.append(contentsOf: text.utf8)
    Self.append(&nodes, start..<bytes.count, note: 0)
  }

  private mutating func add(quoted text: String) {
    let start = bytes.count
    bytes.append(UInt8(ascii: "\""))
    bytes.append(contentsOf: text.utf8)
    bytes.append(UInt8(ascii: "\""))
    Self.append(&nodes, start..<bytes.count, note: 0)
  }
}
