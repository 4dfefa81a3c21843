/// What happened in a run, a line each.
///
/// Safe: the simulation has one thread.
final class Journal: @unchecked Sendable {
  private let scheduler: Scheduler
  private let prints: Bool
  private var lines: [Line] = []
  private var hasher = Hasher()
  private(set) var count = 0

  init(_ scheduler: Scheduler, prints: Bool) {
    self.scheduler = scheduler
    self.prints = prints
  }

  /// A fingerprint of all lines: the same seed gives the same one, in processes that hash alike.
  var fingerprint: UInt64 { UInt64(bitPattern: Int64(hasher.finalize())) }

  func record(_ who: String, _ what: String) {
    let line = Line(time: scheduler.now, who: who, what: what)
    hasher.combine(line.time)
    hasher.combine(who)
    hasher.combine(what)
    count += 1
    if prints { print(line.text) }
    if lines.count >= 400 { lines.removeFirst(200) }
    lines.append(line)
  }

  func last(_ count: Int) -> [String] { lines.suffix(count).map(\.text) }
}

extension Journal {
  /// A line. Most are never read, so their text is made when it is.
  private struct Line {
    let time: Int64
    let who: String
    let what: String

    var text: String {
      let digits = String(time)
      let padded = String(repeating: "0", count: max(0, 7 - digits.utf8.count)) + digits
      return "\(padded.dropLast(6)).\(padded.suffix(6)) \(who): \(what)"
    }
  }
}

/// What must not be, was.
public struct Violation: Error, Sendable {
  /// A short word for the rule that was broken.
  public let rule: String
  /// What happened.
  public let sentence: String
}
