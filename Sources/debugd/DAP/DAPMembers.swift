import JSONCore

/// The members of a value as the daemon answers it: of a long one the first, and a marker for the
/// rest.
struct DAPMembers {
  /// Those in the answer, by their indices or keys.
  let shown: [(name: String, value: JSON)]
  let count: Int

  var isCut: Bool { shown.count < count }

  /// What there is of those that the value has.
  var cutText: String {
    "the first \(Amounts.count(Int64(shown.count))) of \(Amounts.count(Int64(count)))"
  }

  /// `nil` for a value without members.
  init?(_ value: JSON) {
    let all: [(name: String, value: JSON)]
    let marker: JSON?
    switch value {
    case .array(let elements):
      all = elements.enumerated().map { ("\($0.offset)", $0.element) }
      marker = elements.last
    case .object(let object):
      all = object.map { ($0.key, $0.value) }
      marker = object["$more"]
    case .null, .bool, .number, .string: return nil
    }
    guard let more = marker.flatMap(Self.more), let last = all.last, last.value == marker else {
      (shown, count) = (all, all.count)
      return
    }
    shown = all.dropLast()
    count = shown.count.addingReportingOverflow(more).partialValue
  }

  /// How many members a marker replaces; `nil` for another value.
  private static func more(_ marker: JSON) -> Int? {
    guard let object = marker.object, object.count == 2, object["$cut"]?.int != nil,
      let more = object["$more"]?.int, 1...Int64(Int32.max) ~= more
    else { return nil }
    return Int(more)
  }
}
