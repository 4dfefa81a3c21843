import JSONCore

/// Writes the keys of a message.
package struct MessageWriter: MessageFields {
  private(set) var bytes: [UInt8] = []

  /// Whether the innermost object has no key yet.
  private var isFirst = true

  /// Writes a key that must be there.
  package mutating func field<Value: MessageValue>(_ key: String, _ value: inout Value) {
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a key that may be absent.
  package mutating func field<Value: MessageValue>(_ key: String, _ value: inout Value?) {
    guard let value else { return }
    self.key(key)
    value.write(to: &self)
  }

  /// Writes a key that is only there to be `true`.
  package mutating func flag(_ key: String, _ value: inout Bool) {
    if value { field(key, &value) }
  }
}

extension MessageWriter {
  /// Writes an object whose keys the closure writes.
  mutating func object(_ body: (inout MessageWriter) -> Void) {
    let outer = isFirst
    bytes.append(UInt8(ascii: "{"))
    isFirst = true
    body(&self)
    bytes.append(UInt8(ascii: "}"))
    isFirst = outer
  }

  /// Writes an array, a comma between the elements.
  mutating func array(_ elements: some Sequence<some MessageValue>) {
    bytes.append(UInt8(ascii: "["))
    var needsComma = false
    for element in elements {
      if needsComma { bytes.append(UInt8(ascii: ",")) }
      needsComma = true
      element.write(to: &self)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  /// Writes the comma that is due, the key and the colon.
  mutating func key(_ key: String) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    string(key)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes text that is JSON already.
  mutating func raw(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
  }

  /// Writes a string.
  mutating func string(_ string: String) {
    // The bytes are moved, so that appending does not copy what is there.
    let written = bytes
    bytes = []
    var text = JSONText(appendingTo: consume written)
    text.string(string)
    bytes = text.bytes
  }
}
