extension JSONWriter {
  /// Writes a string with its quotes.
  ///
  /// Only `"`, `\`, and control characters are escaped (`\n`, `\t`, `\r`, `\b`, `\f`, otherwise
  /// `\u00xx`); everything else is plain UTF-8.
  @inline(__always)
  package mutating func write(_ string: String) {
    append(UInt8(ascii: "\""))
    writeEscaped(string)
    append(UInt8(ascii: "\""))
  }

  /// Writes a string like `write`, without the quotes.
  package mutating func writeEscaped(_ string: String) {
    let done: Void? = string.utf8.withContiguousStorageIfAvailable { writeEscaped($0) }
    if done == nil {
      // A string bridged from Foundation: make it native first.
      var native = string
      native.makeContiguousUTF8()
      native.withUTF8 { writeEscaped($0) }
    }
  }

  /// Writes UTF-8 text, escaped, without quotes.
  ///
  /// Safe: `reserve` precedes every store, and words are read only where eight bytes are left.
  package mutating func writeEscaped(_ text: UnsafeBufferPointer<UInt8>) {
    guard let source = text.baseAddress else { return }
    let length = text.count
    reserve(length)
    let clean = Self.cleanPrefix(source, length)
    cursor.update(from: source, count: clean)
    advance(by: clean)
    if clean < length {
      writeEscapedSlowly(UnsafeBufferPointer(start: source + clean, count: length - clean))
    }
  }

  /// The number of bytes, rounded down to whole words, before the first that needs an escape.
  @inline(__always)
  private static func cleanPrefix(_ source: UnsafePointer<UInt8>, _ length: Int) -> Int {
    let raw = UnsafeRawPointer(source)
    var position = 0
    while position &+ 8 <= length {
      let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
      if needsEscape(word) { return position }
      position &+= 8
    }
    while position < length {
      let byte = source[position]
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return position }
      position &+= 1
    }
    return length
  }

  /// True when one of eight bytes is below 0x20, a quote or a backslash.
  ///
  /// The usual zero-byte test. It may report a clean byte after a dirty one as dirty, but never the
  /// reverse, so false is certain.
  @inline(__always)
  private static func needsEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let highs: UInt64 = 0x8080_8080_8080_8080
    let control = (word &- ones &* 0x20) & ~word
    let quotes = word ^ (ones &* 0x22)
    let quote = (quotes &- ones) & ~quotes
    let slashes = word ^ (ones &* 0x5C)
    let backslash = (slashes &- ones) & ~slashes
    return (control | quote | backslash) & highs != 0
  }

  @inline(never)
  private mutating func writeEscapedSlowly(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text {
      switch byte {
      case UInt8(ascii: "\""): append(literal: "\\\"")
      case UInt8(ascii: "\\"): append(literal: "\\\\")
      case 0x0A: append(literal: "\\n")
      case 0x09: append(literal: "\\t")
      case 0x0D: append(literal: "\\r")
      case 0x08: append(literal: "\\b")
      case 0x0C: append(literal: "\\f")
      case 0..<0x20:
        append(literal: "\\u00")
        append(Self.hexDigit(byte >> 4, isUppercase: false))
        append(Self.hexDigit(byte & 0xF, isUppercase: false))
      default: append(byte)
      }
    }
  }

  /// Appends text that needs no escape, without quotes.
  package mutating func writeText(of text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { append($0) }
    if done == nil { for byte in text.utf8 { append(byte) } }
  }

  /// The digit for a value below sixteen.
  static func hexDigit(_ nibble: UInt8, isUppercase: Bool) -> UInt8 {
    nibble < 10
      ? UInt8(ascii: "0") + nibble
      : UInt8(ascii: isUppercase ? "A" : "a") + (nibble - 10)
  }

  /// Writes sixteen bytes as a UUID's string with its quotes, in capitals like Foundation.
  mutating func writeUUID(_ bytes: UnsafeRawBufferPointer) {
    // 32 digits, four hyphens, two quotes.
    reserve(38)
    var place = cursor
    @inline(__always) func put(_ byte: UInt8) {
      place.pointee = byte
      place += 1
    }
    put(UInt8(ascii: "\""))
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { put(UInt8(ascii: "-")) }
      put(Self.hexDigit(byte >> 4, isUppercase: true))
      put(Self.hexDigit(byte & 0xF, isUppercase: true))
    }
    put(UInt8(ascii: "\""))
    advance(by: 38)
  }

  /// Writes bytes as a base64 string with its quotes (RFC 4648, padded).
  package mutating func writeBase64(_ bytes: UnsafeRawBufferPointer) {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    let letters = alphabet.utf8Start
    reserve((bytes.count + 2) / 3 * 4 + 2)
    append(UInt8(ascii: "\""))
    var position = 0
    while position < bytes.count {
      let second = position + 1 < bytes.count ? bytes[position + 1] : 0
      let third = position + 2 < bytes.count ? bytes[position + 2] : 0
      let group = UInt32(bytes[position]) << 16 | UInt32(second) << 8 | UInt32(third)
      append(letters[Int(group >> 18)])
      append(letters[Int(group >> 12 & 63)])
      append(position + 1 < bytes.count ? letters[Int(group >> 6 & 63)] : UInt8(ascii: "="))
      append(position + 2 < bytes.count ? letters[Int(group & 63)] : UInt8(ascii: "="))
      position += 3
    }
    append(UInt8(ascii: "\""))
  }
}
