internal import JSONCore

extension FuzzTarget {
  /// Any bytes are refused with a place inside them, or give slices that are valid JSON.
  static let scanner = FuzzTarget(name: "scanner") { bytes in
    let slice: JSONSlice
    do throws(JSONError) {
      slice = try JSONSlice(validating: bytes)
    } catch {
      promise((0...bytes.count).contains(error.offset), "an error's place is in the text: \(error)")
      promise(!error.description.isEmpty, "an error says what is wrong")
      return
    }
    // A validated text is also valid for itself, and for other parsers.
    promise(String(validating: bytes, as: UTF8.self) != nil, "what is accepted is UTF-8")
    walk(slice)
    let limits = JSONLimits(depth: 4, bytes: 64, numberBytes: 8)
    if let small = try? JSONSlice(validating: bytes, limits: limits) {
      promise(bytes.count <= limits.bytes, "a text longer than its limit is refused")
      promise(depth(small) <= limits.depth, "a text deeper than its limit is refused")
    }
  }

  private static func walk(_ slice: JSONSlice) {
    let again = try? JSONSlice(validating: Array(slice.bytes))
    promise(again?.range == 0..<slice.bytes.count, "a slice is one value without space around it")
    promise(again?.kind == slice.kind, "a slice is of the same kind by itself")
    switch slice.kind {
    case .null: promise(slice.text == "null" && slice.isNull, "null is null")
    case .bool: promise(slice.text == "\(slice.bool ?? false)", "a Boolean reads as it stands")
    case .number: promise(slice.number != nil, "a number that was accepted has a value")
    case .string: promise(slice.string != nil, "a string that was accepted has a value")
    case .array: for element in slice.elements { walk(element) }
    case .object:
      var keys: Set<[UInt8]> = []
      for member in slice.members {
        promise(keys.insert(Array(member.key.utf8)).inserted, "no key occurs twice")
        promise(slice[member.key]?.range == member.value.range, "a member is found by its key")
        walk(member.name)
        walk(member.value)
      }
    }
  }

  private static func depth(_ slice: JSONSlice) -> Int {
    switch slice.kind {
    case .array: 1 + (slice.elements.map(depth).max() ?? 0)
    case .object: 1 + (slice.members.map { depth($0.value) }.max() ?? 0)
    default: 0
    }
  }
}
