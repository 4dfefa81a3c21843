import JSONCore

/// Writes the small pieces of JSON in entries, headers, scripts, and messages.
///
/// Values from elsewhere (events, states, patches) are appended verbatim.
package struct JSONText {
  package private(set) var bytes: [UInt8]

  /// Whether the innermost object has no member yet.
  private var isFirst = true

  package init(appendingTo bytes: [UInt8] = []) {
    self.bytes = bytes
  }

  /// Writes an object whose members the closure writes.
  package mutating func object(_ body: (inout JSONText) -> Void) {
    let outer = isFirst
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    isFirst = outer
  }

  /// Writes an array, a comma between the elements.
  package mutating func array<Element>(
    _ elements: some Sequence<Element>, _ body: (inout JSONText, Element) -> Void
  ) {
    bytes.append(UInt8(ascii: "["))
    var needsComma = false
    for element in elements {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      needsComma = true
      body(&self, element)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes the comma, if needed, the key, and the colon.
  package mutating func key(_ key: String) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes a member with a JSON value.
  package mutating func member(_ key: String, raw value: String.UTF8View) {
    self.key(key)
    bytes.append(contentsOf: value)
  }

  /// Writes a member with a JSON value, unless it is `nil`.
  package mutating func member(_ key: String, raw value: ArraySlice<UInt8>?) {
    guard let value else { return }
    self.key(key)
    bytes.append(contentsOf: value)
  }

  /// Writes a member that names an entry of a timeline.
  package mutating func member(_ key: String, _ value: EntryReference) {
    member(key) { text in
      text.member("timeline", value.timeline.text)
      text.member("seq", value.seq)
    }
  }

  /// Writes a member with an integer, unless it is `nil`.
  package mutating func member(_ key: String, _ value: Int64?) {
    guard let value else { return }
    self.key(key)
    integer(value)
  }

  /// Writes a member with a string, unless it is `nil`.
  package mutating func member(_ key: String, _ value: String?) {
    guard let value else { return }
    self.key(key)
    string(value)
  }

  /// Writes a member that is an object.
  package mutating func member(_ key: String, object body: (inout JSONText) -> Void) {
    self.key(key)
    object(body)
  }

  /// Writes JSON text.
  package mutating func raw(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
  }

  package mutating func integer(_ value: Int64) {
    guard value >= 10 || value < 0 else {
      bytes.append(UInt8(ascii: "0") + UInt8(value))
      return
    }
    var rest = value.magnitude
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    while rest > 0 {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    bytes[start...].reverse()
  }

  /// Writes a string, with only the escapes that JSON requires.
  package mutating func string(_ value: String) {
    var value = value
    // Most strings are keys and names, which can be copied.
    let isPlain = value.withUTF8 { utf8 in
      guard !utf8.contains(where: Self.isEscaped) else { return false }
      bytes.append(UInt8(ascii: "\""))
      bytes.append(contentsOf: utf8)
      bytes.append(UInt8(ascii: "\""))
      return true
    }
    if !isPlain { escaped(value) }
  }

  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escaped(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    for byte in value.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0x0A: bytes += Array("\\n".utf8)
      case 0x0D: bytes += Array("\\r".utf8)
      case 0x09: bytes += Array("\\t".utf8)
      case 0..<0x20:
        bytes += Array("\\u00".utf8)
        bytes.append(UInt8(ascii: "0") + byte >> 4)
        let low = byte & 0xF
        bytes.append(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }
}
