import Foundation
import Recorder
import StatesCore

/// A machine whose reducer reads what it must not read, when an event requests it.
struct Wayward: Reducible, Codable {
  var total = 0
  var notes: [String] = []

  enum Event: Codable {
    case added(Int)
    /// Notes words in order, which depends on nothing else.
    case sorted([String])
    /// Notes what the time is.
    case clocked
    /// Notes a random number.
    case rolled
    /// Notes words in the order of a set, which the seed of its hashes decides.
    case listed([String])
    /// Notes words in the order of a dictionary's keys.
    case keyed([String])
    /// Notes how far the time zone is from Greenwich.
    case zoned
    /// Notes the locale's variable; Foundation's own looks at none of them here.
    case localized
  }

  static func reduce(state: Wayward, event: Event) -> Wayward {
    var next = state
    switch event {
    case .added(let number): next.total += number
    case .sorted(let words): next.notes.append(words.sorted().joined(separator: " "))
    case .clocked: next.notes.append("\(Date().timeIntervalSince1970)")
    case .rolled: next.notes.append("\(Int.random(in: 0...Int.max))")
    case .listed(let words): next.notes.append(Set(words).joined(separator: " "))
    case .keyed(let words):
      let lengths = Dictionary(words.map { ($0, $0.count) }) { $1 }
      next.notes.append(lengths.keys.joined(separator: " "))
    case .zoned: next.notes.append("\(TimeZone.current.secondsFromGMT(for: .distantPast))")
    case .localized: next.notes.append(ProcessInfo.processInfo.environment["LC_ALL"] ?? "none")
    }
    return next
  }

  static var outputs: Outputs<Wayward> { Output("count", \.notes.count) }
}
