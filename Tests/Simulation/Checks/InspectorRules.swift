import JSONCore
import Timelines
import Wire

/// What an inspector and the daemon may say to each other.
struct InspectorRules {
  /// The requests that must succeed in a run without faults.
  private static let succeeding: Set<String> = ["state", "entries", "fork"]

  /// Whether nothing goes wrong, so that no answer to those may be an error.
  private let isQuiet: Bool
  private var hasGreeted = false
  private var isWelcomed = false
  private var used: Set<Int64> = []
  /// The unanswered requests, by id.
  private(set) var open: [String: String] = [:]
  private var reported: [String: Int64] = [:]
  private var branches: Set<String> = []
  /// The slots of the requests that are not answered, and the last request of each slot.
  private var slots: [String: String] = [:]
  private var lastOfSlot: [String: String] = [:]
  /// The timelines of the forks that are not answered.
  private var forked: [String: String] = [:]

  init(isQuiet: Bool) {
    self.isQuiet = isQuiet
  }

  mutating func fromInspector(_ message: JSONSlice) -> String? {
    guard let type = message["type"]?.string else { return "a message without a type" }
    if type == "hello" {
      defer { hasGreeted = true }
      return hasGreeted ? "a second 'hello'" : nil
    }
    guard isWelcomed else { return "'\(type)' before 'welcome'" }
    guard let id = message["id"]?.int else { return "a request without an id" }
    guard used.insert(id).inserted else { return "the id \(id) a second time" }
    open["\(id)"] = type
    if let slot = message["slot"]?.string {
      slots["\(id)"] = slot
      lastOfSlot[slot] = "\(id)"
    }
    if type == "fork" { forked["\(id)"] = message["timeline"]?.string }
    if type == "watch", let timeline = message["timeline"]?.string { reported[timeline] = nil }
    return nil
  }

  /// What is wrong with a message of the daemon; `hasHost` says whether a host can run a timeline.
  mutating func fromDaemon(_ message: JSONSlice, hasHost: (String) -> Bool) -> String? {
    guard let type = message["type"]?.string else { return "a message without a type" }
    if type == "welcome" {
      guard hasGreeted, !isWelcomed else { return "'welcome' is not its turn" }
      isWelcomed = true
      return nil
    }
    if type == "error", !isWelcomed { return nil }
    guard isWelcomed else { return "'\(type)' before 'welcome'" }
    if let re = message["re"]?.int { return answer("\(re)", type, message, hasHost) }
    switch type {
    case "live":
      guard let timeline = message["timeline"]?.string, let last = message["last"]?.int else {
        return "an incomplete 'live'"
      }
      guard last > reported[timeline] ?? -1 else { return "'live' goes back to \(last)" }
      reported[timeline] = last
      return order(of: message)
    case "timeline", "gone", "control", "hosts", "notice": return nil
    case "error": return nil
    default: return "'\(type)' without 're'"
    }
  }

  private func order(of message: JSONSlice) -> String? {
    var last: Int64 = -1
    for entry in message["entries"]?.elements ?? JSONSlice.null.elements {
      guard let seq = entry["seq"]?.int, seq > last else { return "entries out of order" }
      last = seq
    }
    return nil
  }

  private mutating func answer(
    _ id: String, _ type: String, _ message: JSONSlice, _ hasHost: (String) -> Bool
  ) -> String? {
    if type == "progress" {
      return open[id] != nil || branches.contains(id) ? nil : "'progress' of \(id), which is over"
    }
    guard let asked = open.removeValue(forKey: id) else {
      guard branches.contains(id), type == "error" else { return "\(id) is answered a second time" }
      return isQuiet ? "the branch of \(id) fails without a fault" : nil
    }
    let timeline = forked.removeValue(forKey: id)
    let slot = slots.removeValue(forKey: id)
    if isQuiet, type == "error", Self.succeeding.contains(asked) {
      if message["code"]?.string == "no-host", let timeline, !hasHost(timeline) { return nil }
      // A later request of the same slot takes the place of one that waits.
      if message["code"]?.string == "superseded", let slot, lastOfSlot[slot] != id { return nil }
      return "'\(asked)' fails without a fault"
    }
    if asked == "fork", type == "fork" { branches.insert(id) }
    return type == "entries" ? order(of: message) : nil
  }
}
