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

  /// A budget for a reply, less what its frame takes.
  init(_ bytes: Int64) {
    left = Int(bytes) - 512
  }

  /// Spends what a value of a list costs; false if there is no room. The first one always has room,
  /// so that a list is never empty for its size alone.
  mutating func spend(_ value: JSON, isFirst: Bool) -> Bool {
    let bytes = value.encoded().count + 1
    guard bytes <= left || isFirst else { return false }
    left = max(0, left - bytes)
    return true
  }

  /// As many of the values as fit.
  mutating func prefix(of values: [JSON]) -> [JSON] {
    var shown: [JSON] = []
    for value in values {
      guard spend(value, isFirst: shown.isEmpty) else { break }
      shown.append(value)
    }
    return shown
  }

  /// A value, or how large it is where it is larger than a list should show.
  static func cut(_ value: JSON, to bytes: Int = valueBytes) -> JSON {
    let size = value.encoded().count
    guard size > bytes else { return value }
    switch value {
    case .object(let object):
      let share = max(16, bytes / max(1, object.count) - 16)
      // Many small members are as long as one large one.
      guard object.count * 32 <= bytes else { return ["$cut": .count(size)] }
      var result = JSON.Object()
      for (key, member) in object { result[key] = cut(member, to: share) }
      return result.count <= object.count ? .object(result) : ["$cut": .count(size)]
    case .string(let text):
      // A scalar has up to four bytes, and an escape of one up to twelve.
      let shown = String(text.unicodeScalars.prefix(max(8, bytes / 12)))
      return ["$cut": .count(size), "begins": .string(shown)]
    case .array, .null, .bool, .number:
      return ["$cut": .count(size)]
    }
  }
}
