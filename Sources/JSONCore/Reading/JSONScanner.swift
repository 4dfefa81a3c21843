/// Validates in one pass that a text is exactly one JSON value according to RFC 8259, without
/// building anything.
///
/// It refuses what readers disagree on: duplicate keys (compared after their escapes are resolved)
/// and lone surrogates. Nesting is a stack of its own, so that depth never becomes recursion.
///
/// Safe: every read through the buffer is behind a check of `index` against its count, and the
/// buffer is lent by `withUnsafeBufferPointer` for the whole walk.
struct JSONScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private let limits: JSONLimits
  private var index: Int
  private var keys = JSONKeySet()

  /// The innermost array or object that is open, and those around it.
  private var frame = Frame(isObject: false, firstKey: 0)
  private var frames: [Frame] = []
  private var depth = 0

  /// The places of values down to `recordedDepth`, which is negative unless they were requested.
  private var scanned = JSONOutline.ScannedPlaces()
  private var recordedDepth = -1
  private var listed: StaticString = ""

  private struct Frame {
    var isObject: Bool
    /// The number of keys in the set when it was opened.
    var firstKey: Int
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
    self.bytes = bytes
    self.limits = limits
    index = 0
  }

  /// The range of the value, without the white space around it.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits
  ) throws(JSONError) -> Range<Int> {
    var scanner = JSONScanner(bytes, limits: limits)
    return try scanner.scan()
  }

  /// The same, with the places of an object's members and of the elements in them.
  static func outline(
    _ bytes: UnsafeBufferPointer<UInt8>, elementsOf listed: StaticString, limits: JSONLimits
  ) throws(JSONError) -> (Range<Int>, JSONOutline.ScannedPlaces) {
    var scanner = JSONScanner(bytes, limits: limits)
    (scanner.recordedDepth, scanner.listed) = (2, listed)
    let range = try scanner.scan()
    return (range, scanner.scanned)
  }

  private mutating func scan() throws(JSONError) -> Range<Int> {
    guard bytes.count <= limits.bytes else {
      throw JSONError(.tooLong(limit: limits.bytes), at: limits.bytes)
    }
    skipSpace()
    let start = index
    try value()
    let end = index
    skipSpace()
    guard index == bytes.count else { throw JSONError(.trailing, at: index) }
    return start..<end
  }

  private mutating func value() throws(JSONError) {
    while true {
      let first = try nextByte()
      if depth <= recordedDepth { scanned.begin(depth, at: index) }
      switch first {
      case UInt8(ascii: "{"):
        try open(isObject: true)
        if try nextByte() == UInt8(ascii: "}") {
          close()
        } else {
          try key()
          continue
        }
      case UInt8(ascii: "["):
        try open(isObject: false)
        guard try nextByte() == UInt8(ascii: "]") else { continue }
        close()
      case UInt8(ascii: "\""): _ = try string()
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): try number()
      case UInt8(ascii: "t"): try word("true")
      case UInt8(ascii: "f"): try word("false")
      case UInt8(ascii: "n"): try word("null")
      case let byte: throw JSONError(.unexpected(byte, expected: "a value"), at: index)
      }
      try afterValue()
      if depth == 0 { return }
    }
  }

  /// Skips the brackets that close after a value, up to the next value or the end.
  @inline(__always)
  private mutating func afterValue() throws(JSONError) {
    while depth > 0 {
      if depth <= recordedDepth { scanned.end(depth, inObject: frame.isObject, at: index) }
      let byte = try nextByte()
      if byte == UInt8(ascii: ",") {
        index += 1
        if frame.isObject {
          _ = try nextByte()
          try key()
        }
        return
      }
      guard byte == (frame.isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
        throw JSONError(
          .unexpected(byte, expected: frame.isObject ? "',' or '}'" : "',' or ']'"), at: index)
      }
      try keys.check(from: frame.firstKey, in: bytes)
      close()
    }
  }

  private mutating func open(isObject: Bool) throws(JSONError) {
    guard depth < limits.depth else {
      throw JSONError(.tooDeep(limit: limits.depth), at: index)
    }
    frames.append(frame)
    frame = Frame(isObject: isObject, firstKey: keys.count)
    depth += 1
    index += 1
  }

  private mutating func close() {
    keys.removeAll(from: frame.firstKey)
    if let outer = frames.popLast() { frame = outer }
    depth -= 1
    index += 1
  }

  /// Skips white space and returns the byte after it.
  @inline(__always)
  private mutating func nextByte() throws(JSONError) -> UInt8 {
    skipSpace()
    guard index < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
    return bytes[index]
  }

  @inline(__always)
  private mutating func key() throws(JSONError) {
    guard bytes[index] == UInt8(ascii: "\"") else {
      throw JSONError(.unexpected(bytes[index], expected: "a key"), at: index)
    }
    let start = index + 1
    let hasEscapes = try string()
    let end = index - 1
    if depth == 1, recordedDepth > 0 {
      scanned.recordKey(start - 1..<end + 1, isListed: isListed(start..<end))
    }
    try keys.insert(start..<end, hasEscapes: hasEscapes, in: bytes, from: frame.firstKey)
    let byte = try nextByte()
    guard byte == UInt8(ascii: ":") else {
      throw JSONError(.unexpected(byte, expected: "':'"), at: index)
    }
    index += 1
  }

  /// Whether a key is that of the listed array.
  private func isListed(_ key: Range<Int>) -> Bool {
    guard key.count == listed.utf8CodeUnitCount else { return false }
    for offset in 0..<key.count
    where bytes[key.lowerBound + offset] != listed.utf8Start[offset] { return false }
    return true
  }

  private mutating func word(_ word: StaticString) throws(JSONError) {
    for offset in 0..<word.utf8CodeUnitCount {
      guard index + offset < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
      guard bytes[index + offset] == word.utf8Start[offset] else {
        throw JSONError(.literal, at: index)
      }
    }
    index += word.utf8CodeUnitCount
  }

  private mutating func number() throws(JSONError) {
    guard let length = JSONNumberGrammar.length(of: bytes, from: index) else {
      if isCutNumber() { throw JSONError(.truncated, at: bytes.count) }
      throw JSONError(.number, at: index)
    }
    guard length <= limits.numberBytes else {
      throw JSONError(.numberTooLong(limit: limits.numberBytes), at: index)
    }
    let text = UnsafeBufferPointer(rebasing: bytes[index..<index + length])
    // An exponent beyond a billion takes 12 bytes at least: `1e1000000001`.
    guard
      length < 12 || !text.contains(where: { $0 | 0x20 == UInt8(ascii: "e") })
        || JSON.Number.Decimal(validated: text) != nil
    else {
      throw JSONError(.exponentTooLarge, at: index)
    }
    index += length
  }

  /// Whether the text ends where one more digit would make it a number.
  private func isCutNumber() -> Bool {
    guard bytes.count - index <= limits.numberBytes else { return false }
    let longer = Array(bytes[index...]) + [UInt8(ascii: "0")]
    return longer.withUnsafeBufferPointer { JSONNumberGrammar.length(of: $0, from: 0) == $0.count }
  }

  /// Skips a string with its quotes; returns whether it has escapes.
  @inline(__always)
  private mutating func string() throws(JSONError) -> Bool {
    var hasEscapes = false
    var position = index + 1
    let raw = UnsafeRawBufferPointer(bytes)
    while position < bytes.count {
      if position + 8 <= bytes.count, let base = raw.baseAddress {
        let marks = JSONWord(base, at: position).unplain
        if marks == 0 {
          position += 8
          continue
        }
        position += JSONWord.before(marks)
      }
      let byte = bytes[position]
      switch byte {
      case UInt8(ascii: "\""):
        index = position + 1
        return hasEscapes
      case UInt8(ascii: "\\"):
        hasEscapes = true
        position = try escape(at: position)
      case 0..<0x20:
        throw JSONError(.controlCharacter(byte), at: position)
      case 0x20..<0x80:
        position += 1
      default:
        // Multibyte characters come in runs.
        repeat {
          position = try multibyte(at: position)
        } while position < bytes.count && bytes[position] >= 0x80
      }
    }
    throw JSONError(.truncated, at: bytes.count)
  }

  /// The byte after the escape that begins at `position`.
  private func escape(at position: Int) throws(JSONError) -> Int {
    guard position + 1 < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
    switch bytes[position + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return position + 2
    case UInt8(ascii: "u"):
      let unit = try hexUnit(at: position)
      switch unit {
      case 0xD800..<0xDC00:
        let second = position + 6
        guard second < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
        guard bytes[second] == UInt8(ascii: "\\"),
          second + 1 >= bytes.count
            || bytes[second + 1] == UInt8(ascii: "u")
        else { throw JSONError(.loneSurrogate, at: position) }
        guard (0xDC00..<0xE000).contains(try hexUnit(at: second)) else {
          throw JSONError(.loneSurrogate, at: position)
        }
        return position + 12
      case 0xDC00..<0xE000:
        throw JSONError(.loneSurrogate, at: position)
      default:
        return position + 6
      }
    default:
      throw JSONError(.escape, at: position)
    }
  }

  /// The value of the `\uXXXX` that begins at `position`.
  private func hexUnit(at position: Int) throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for digit in position + 2..<position + 6 {
      guard digit < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
      guard let value = Character(Unicode.Scalar(bytes[digit])).hexDigitValue else {
        throw JSONError(.escape, at: position)
      }
      unit = unit << 4 | UInt32(value)
    }
    return unit
  }

  /// The byte after the multibyte character that begins at `position`.
  private func multibyte(at position: Int) throws(JSONError) -> Int {
    let first = bytes[position]
    let length: Int
    var allowed: ClosedRange<UInt8> = 0x80...0xBF
    switch first {
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if first == 0xE0 { allowed = 0xA0...0xBF }
      if first == 0xED { allowed = 0x80...0x9F }
    case 0xF0...0xF4:
      length = 4
      if first == 0xF0 { allowed = 0x90...0xBF }
      if first == 0xF4 { allowed = 0x80...0x8F }
    default: throw JSONError(.utf8, at: position)
    }
    for offset in 1..<length {
      guard position + offset < bytes.count else { throw JSONError(.truncated, at: bytes.count) }
      guard allowed.contains(bytes[position + offset]) else {
        throw JSONError(.utf8, at: position)
      }
      allowed = 0x80...0xBF
    }
    return position + length
  }

  @inline(__always)
  private mutating func skipSpace() {
    while index < bytes.count, bytes[index] <= 0x20 {
      switch bytes[index] {
      case 0x20, 0x0A, 0x0D, 0x09: index += 1
      default: return
      }
    }
  }
}
