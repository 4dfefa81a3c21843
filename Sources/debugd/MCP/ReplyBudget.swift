import JSONCore

/// How much a reply may still say.
///
/// A model pays for each byte that it reads, so replies are small, and say how to get the rest.
struct ReplyBudget {
  /// What a reply has unless the caller asks for more.
  static let standard: Int64 = 8192
  /// What a caller can ask for.
  static let range: ClosedRange<Int64> = 1024...262_144
  /// What a value within a list has before it is cut.
  static let valueBytes = 512

  private(set) var left: Int
  /// Whether a caller can ask for more.
  let canGrow: Bool

  /// A budget for a reply, less what its frame takes.
  init(_ bytes: Int64) {
    left = Int(bytes) - 512
    canGrow = bytes < Self.range.upperBound
  }

  /// The part of each of several lists.
  func divided(by parts: Int) -> ReplyBudget {
    var part = self
    part.left = left / max(1, parts)
    return part
  }

  /// Spends what a value of a list costs; false if there is no room.
  mutating func spend(_ value: JSON) -> Bool {
    let bytes = Self.bytes(of: value) + 1
    guard bytes <= left else { return false }
    left -= bytes
    return true
  }

  /// As many of the values as fit. The first one is cut if it is too large, so that a list is never
  /// empty for its size alone.
  mutating func prefix(of values: [JSON]) -> [JSON] {
    var shown: [JSON] = []
    for value in values {
      guard spend(value) else { break }
      shown.append(value)
    }
    if shown.isEmpty, let first = values.first { shown = [Self.cut(first, to: left)] }
    return shown
  }

  /// How long a value is in a reply, where some characters are escapes.
  static func bytes(of value: JSON) -> Int { Escaped.json(value.encoded()).count }
}

// MARK: - Cutting

extension ReplyBudget {
  /// A value, or how large it is where it is larger than a list should show.
  static func cut(_ value: JSON, to bytes: Int = valueBytes) -> JSON {
    let size = self.bytes(of: value)
    guard size > bytes else { return value }
    let shown: JSON? =
      switch value {
      case .object(let object):
        cut(members: object, to: bytes) ?? first(of: object, size: size, to: bytes)
      case .string(let text):
        // A scalar has up to four bytes, and an escape of one up to twelve.
        [
          "$cut": .count(size),
          "begins": .string(String(text.unicodeScalars.prefix(max(8, bytes / 12)))),
        ]
      case .array, .null, .bool, .number: nil
      }
    guard let shown, self.bytes(of: shown) <= bytes else { return ["$cut": .count(size)] }
    return shown
  }

  /// The members with values that are cut to equal shares; `nil` if their keys leave no room.
  private static func cut(members: JSON.Object, to bytes: Int) -> JSON? {
    // A key is followed by a colon, and a member by a comma.
    let keys = members.reduce(2) { $0 + self.bytes(of: .string($1.key)) + 2 }
    let share = (bytes - keys) / max(1, members.count)
    guard share >= cutBytes else { return nil }
    var result = JSON.Object()
    for (key, member) in members { result[key] = cut(member, to: share) }
    return .object(result)
  }

  /// The first members that fit, each cut to the shortest form, with the size of all.
  private static func first(of members: JSON.Object, size: Int, to bytes: Int) -> JSON {
    var result: JSON.Object = ["$cut": .count(size)]
    var left = bytes - cutBytes - 2
    for (key, member) in members {
      let shown = cut(member, to: cutBytes)
      left -= self.bytes(of: .string(key)) + self.bytes(of: shown) + 2
      guard left >= 0 else { break }
      result[key] = shown
    }
    return .object(result)
  }

  /// What the size of a cut value takes: `{"$cut":123456789}`.
  private static let cutBytes = 18

  /// A reply that is not longer than a limit: the largest members are cut until it fits.
  ///
  /// - Parameter canGrow: whether the caller can ask for a longer one.
  static func fit(_ reply: JSON, to limit: Int, canGrow: Bool = true) -> JSON {
    guard bytes(of: reply) > limit, case .object(var object) = reply else { return reply }
    let more = canGrow && limit < range.upperBound ? "; pass 'max_bytes' for more." : "."
    let advice = "The reply is cut\(more)"
    let note = object["note"]?.string ?? ""
    if !note.hasSuffix(advice) {
      object["note"] = .string(note.isEmpty ? advice : "\(note) \(advice)")
    }
    while true {
      let excess = bytes(of: .object(object)) - limit
      guard excess > 0 else { return .object(object) }
      let sizes = object.map { (key: $0.key, bytes: bytes(of: $0.value)) }
      guard let largest = sizes.max(by: { $0.bytes < $1.bytes }), largest.bytes > 2 * cutBytes,
        let member = object[largest.key]
      else { return ["note": .string("The reply is too long\(more)")] }
      object[largest.key] = shortened(member, to: max(largest.bytes - excess, largest.bytes / 2))
    }
  }

  /// A member that is shorter: the elements of a list stay, each cut to its share.
  private static func shortened(_ member: JSON, to bytes: Int) -> JSON {
    guard let elements = member.array, !elements.isEmpty else { return cut(member, to: bytes) }
    let share = (bytes - 2) / elements.count - 1
    guard share >= cutBytes else { return ["$cut": .count(self.bytes(of: member))] }
    return .array(elements.map { cut($0, to: share) })
  }
}
