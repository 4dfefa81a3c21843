internal import JSONCore
import Timelines

/// The edits that a file contains branches of, around one entry.
struct WhatIfScripts {
  /// The entries whose events are left out, exchanged, and repeated.
  let window: ClosedRange<Int64>
  let scripts: [EditScript]

  /// The maximum number of branches.
  static let maximum = 200

  /// Entries in the window before the entry, with it, and after it.
  private static let before: Int64 = 31
  private static let after: Int64 = 16

  /// - Parameters:
  ///   - events: the recorded events of at least the window, by their seqs.
  ///   - insertable: events without a payload, which are inserted.
  init?(
    around seq: Int64, last: Int64, events: [Int64: JSONSlice], insertable: [JSONSlice]
  ) {
    let first = max(1, min(seq, last) - Self.before)
    let end = min(last, seq + Self.after)
    guard first <= end else { return nil }
    window = first...end
    var scripts: [[Edit]] = []
    let near = window.filter { events[$0] != nil }.sorted { Self.isNearer($0, $1, to: seq) }
    for one in near { scripts.append([.drop(one...one)]) }
    for one in near where events[one - 1] != nil { scripts.append([.move(one, before: one - 1)]) }
    for one in near {
      if let event = events[one] { scripts.append([.insert(event: event, before: one + 1)]) }
    }
    for one in near {
      for event in insertable where event.bytes != events[one]?.bytes {
        guard scripts.count < Self.maximum else { break }
        scripts.append([.insert(event: event, before: one + 1)])
      }
    }
    self.scripts = scripts.prefix(Self.maximum).map { EditScript($0) }
  }

  private static func isNearer(_ left: Int64, _ right: Int64, to seq: Int64) -> Bool {
    let (a, b) = (abs(left - seq), abs(right - seq))
    return a != b ? a < b : left < right
  }
}

extension JSONSlice {
  /// Whether an event has no payload: a name alone, or a name with an empty object.
  var isEventWithoutPayload: Bool {
    switch kind {
    case .string: return true
    case .object:
      var members = self.members
      guard let only = members.next(), members.next() == nil, only.value.kind == .object else {
        return false
      }
      var inside = only.value.members
      return inside.next() == nil
    case .array, .null, .bool, .number: return false
    }
  }
}
