package import JSONCore

/// An entry as lists show it: without the full states, long values cut to `{"$cut":bytes}`.
///
/// The event keeps its name and its small fields, a patch its paths. Whatever the entry holds, what
/// comes out is bounded.
package struct EntryCut {
  /// The bytes that a value may have.
  private let valueBytes: Int

  /// The bytes that all of an entry may have; what comes when they are used up is cut at once.
  private var budget: Int

  private var bytes: [UInt8] = []

  /// How deep values are opened to cut inside: entry, event, case, argument; entry, patch,
  /// operation, value.
  private static let levels = 4

  /// The members or elements that a value may have to be opened.
  private static let opened = 64

  private init(valueBytes: Int) {
    self.valueBytes = valueBytes
    budget = 16 * valueBytes
  }

  /// Cuts the line of an entry.
  package static func line(_ line: JSONSlice, valueBytes: Int) -> JSONSlice {
    var cut = EntryCut(valueBytes: valueBytes)
    cut.object(line, level: 0) { $0 != "state" && $0 != "outputState" }
    return slice(cut.bytes)
  }

  /// What a value of that many bytes is cut to.
  package static func placeholder(_ bytes: Int) -> JSON { ["$cut": .number(JSON.Number(Int64(bytes)))] }

  private mutating func value(_ value: JSONSlice, level: Int) {
    let count = value.range.count
    if count <= valueBytes, count <= budget {
      budget -= count
      return bytes.append(contentsOf: value.bytes)
    }
    guard level < Self.levels, budget > 0 else { return cut(count) }
    switch value.kind {
    case .object where Self.isShort(value.members): object(value, level: level) { _ in true }
    case .array where Self.isShort(value.elements): array(value, level: level)
    default: cut(count)
    }
  }

  private static func isShort(_ values: some Sequence) -> Bool {
    values.prefix(opened + 1).reduce(0) { count, _ in count + 1 } <= opened
  }

  private mutating func object(
    _ object: JSONSlice, level: Int, where isKept: (String) -> Bool
  ) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for member in object.members where isKept(member.key) {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      // A name of a thousand letters is not worth more than the value behind it.
      guard member.name.range.count <= valueBytes else {
        bytes.append(contentsOf: "\"$cut\":\(member.name.range.count)".utf8)
        break
      }
      budget -= member.name.range.count
      bytes.append(contentsOf: member.name.bytes)
      bytes.append(UInt8(ascii: ":"))
      value(member.value, level: level + 1)
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func array(_ array: JSONSlice, level: Int) {
    bytes.append(UInt8(ascii: "["))
    var isFirst = true
    for element in array.elements {
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      value(element, level: level + 1)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func cut(_ count: Int) {
    bytes.append(contentsOf: #"{"$cut":\#(count)}"#.utf8)
  }
}

extension EntryCut {
  /// Text that was put together from checked pieces.
  static func slice(_ bytes: [UInt8]) -> JSONSlice {
    do {
      return try JSONSlice(validating: bytes)
    } catch {
      preconditionFailure("pieces of checked JSON make checked JSON: \(error)")
    }
  }
}

extension JSON {
  /// The value with arrays and objects deeper than some levels cut; the value itself is level 1.
  func cut(below depth: Int64) -> JSON {
    switch self {
    case .array(let elements):
      if elements.isEmpty { return self }
      guard depth > 1 else { return EntryCut.placeholder(encoded().count) }
      return .array(elements.map { $0.cut(below: depth - 1) })
    case .object(let object):
      if object.isEmpty { return self }
      guard depth > 1 else { return EntryCut.placeholder(encoded().count) }
      var result = JSON.Object()
      for (key, value) in object { result[key] = value.cut(below: depth - 1) }
      return .object(result)
    case .null, .bool, .number, .string: return self
    }
  }

  /// The value as text that is checked.
  var slice: JSONSlice {
    get throws(Refusal) {
      do {
        return try JSONSlice(validating: encoded())
      } catch {
        throw Refusal(.failed, "A value cannot be written: \(error).")
      }
    }
  }
}
