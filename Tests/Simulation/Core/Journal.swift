/// What happened in a run, a line each.
///
/// Safe: the simulation has one thread.
final class Journal: @unchecked Sendable {
  private let scheduler: Scheduler
  private let prints: Bool
  private var lines: [String] = []
  /// A fingerprint of all lines: the same seed gives the same one.
  private(set) var fingerprint: UInt64 = 0xcbf2_9ce4_8422_2325
  private(set) var count = 0

  init(_ scheduler: Scheduler, prints: Bool) {
    self.scheduler = scheduler
    self.prints = prints
  }

  /// Writes a line.
  func note(_ who: String, _ what: String) {
    let text = String(scheduler.now)
    let padded = String(repeating: "0", count: max(0, 7 - text.utf8.count)) + text
    let line = "\(padded.dropLast(6)).\(padded.suffix(6)) \(who): \(what)"
    for byte in line.utf8 { fingerprint = (fingerprint ^ UInt64(byte)) &* 0x100_0000_01b3 }
    count += 1
    if prints { print(line) }
    if lines.count >= 400 { lines.removeFirst(200) }
    lines.append(line)
  }

  /// The last lines.
  func last(_ count: Int) -> [String] { Array(lines.suffix(count)) }
}

/// What must not be, was.
public struct Violation: Error, Sendable {
  /// A short word for the rule that was broken.
  public let rule: String
  /// What happened.
  public let sentence: String
}
