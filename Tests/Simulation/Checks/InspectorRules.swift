import JSONCore
import Timelines

/// What an inspector and the daemon may say to each other.
struct InspectorRules {
  private var hasGreeted = false
  private var isWelcomed = false
  private var used: Set<Int64> = []
  /// The requests that are not answered, by id, and what they are.
  private(set) var open: [String: String] = [:]
  private var told: [String: Int64] = [:]
  private var branches: Set<String> = []

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
    if type == "watch", let timeline = message["timeline"]?.string { told[timeline] = nil }
    return nil
  }

  mutating func fromDaemon(_ message: JSONSlice) -> String? {
    guard let type = message["type"]?.string else { return "a message without a type" }
    if type == "welcome" {
      guard hasGreeted, !isWelcomed else { return "'welcome' is not its turn" }
      isWelcomed = true
      return nil
    }
    if type == "error", !isWelcomed { return nil }
    guard isWelcomed else { return "'\(type)' before 'welcome'" }
    if let re = message["re"]?.int { return answer("\(re)", type, message) }
    switch type {
    case "live":
      guard let timeline = message["timeline"]?.string, let last = message["last"]?.int else {
        return "an incomplete 'live'"
      }
      guard last > told[timeline] ?? -1 else { return "'live' goes back to \(last)" }
      told[timeline] = last
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

  private mutating func answer(_ id: String, _ type: String, _ message: JSONSlice) -> String? {
    if type == "progress" {
      return open[id] != nil || branches.contains(id) ? nil : "'progress' of \(id), which is over"
    }
    guard let asked = open.removeValue(forKey: id) else {
      return branches.contains(id) && type == "error" ? nil : "\(id) is answered a second time"
    }
    if asked == "fork", type == "fork" { branches.insert(id) }
    return type == "entries" ? order(of: message) : nil
  }
}
