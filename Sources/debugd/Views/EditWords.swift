import JSONCore
import Timelines

/// Edit scripts in words, as the page shows them: "without 12, 40 changed".
///
/// Numbers have no separators, so that they can be copied into a command.
struct EditWords {
  private let edits: [Edit]
  private let names: [Int64: String]

  /// Numbers that a description names; it only counts the rest.
  private static let maximumNamed = 3
  /// Numbers of kept events that a description names.
  private static let maximumKept: Int64 = 8

  /// Characters of an event's name.
  private static let maximumEventName = 24

  /// - Parameter names: names of the parent's events, where they are known.
  init(_ edits: [Edit], names: [Int64: String] = [:]) {
    (self.edits, self.names) = (edits, names)
  }

  /// The entries of the parent whose events a description names.
  static func named(_ edits: [Edit]) -> [Int64] {
    edits.compactMap { edit in
      switch edit {
      case .drop(let seqs): seqs.lowerBound == seqs.upperBound ? seqs.lowerBound : nil
      case .replace(let seq, _), .move(let seq, _): seq
      case .startAt, .start, .cut, .insert, .append: nil
      }
    }
  }

  /// What a branch does differently from its parent.
  var text: String {
    let words = stretches + changes + additions
    return words.isEmpty ? "computed again" : words.joined(separator: ", ")
  }

  /// Where the branch begins and ends.
  private var stretches: [String] {
    edits.compactMap { edit in
      switch edit {
      case .startAt(let seq): "from \(seq) on"
      case .start: "from another state"
      case .cut(let seq): "up to \(seq)"
      case .drop, .replace, .insert, .move, .append: nil
      }
    }
  }

  private var changes: [String] {
    var (dropped, replaced): ([String], [String]) = ([], [])
    for edit in edits {
      switch edit {
      case .drop(let seqs): dropped.append(text(seqs))
      case .replace(let seq, _): replaced.append(entry(seq))
      case .startAt, .start, .cut, .insert, .move, .append: break
      }
    }
    return (dropped.isEmpty ? [] : ["without \(Self.listed(dropped))"])
      + (replaced.isEmpty ? [] : ["\(Self.listed(replaced)) changed"])
  }

  private var additions: [String] {
    edits.compactMap { edit in
      switch edit {
      case .insert(let event, let before): "\(Self.name(of: event)) before \(before)"
      case .move(let seq, let before): "\(entry(seq)) moved before \(before)"
      case .append(let event): "\(Self.name(of: event)) at the end"
      case .drop, .replace, .startAt, .start, .cut: nil
      }
    }
  }

  /// A minimized branch: "3 of 44 events kept (7, 16, 44), 1 simplified".
  ///
  /// What an exploration found keeps no events; it appends others.
  ///
  /// - Parameter through: the parent's last entry that takes part.
  func minimizedText(through: Int64) -> String {
    let isExplored = edits.contains { if case .append = $0 { true } else { false } }
    guard !isExplored else { return text }
    var (first, last, simplified) = (Int64(0), max(0, through), 0)
    var drops: [ClosedRange<Int64>] = []
    for edit in edits {
      switch edit {
      case .startAt(let seq): first = seq
      case .cut(let seq): last = seq
      case .drop(let seqs): drops.append(seqs)
      case .replace: simplified += 1
      case .insert, .move, .append, .start: break
      }
    }
    let kept = Self.kept(after: first, through: last, without: drops)
    let names = kept.count <= Self.maximumKept ? kept.seqs.map { "\($0)" } : []
    let all = "\(kept.count) of \(max(0, last - first)) events kept"
    return all + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))")
      + (simplified == 0 ? "" : ", \(simplified) simplified")
  }

  /// How many seqs are left, and the first few of them: a header can name any number of entries.
  private static func kept(
    after first: Int64, through last: Int64, without drops: [ClosedRange<Int64>]
  ) -> (count: Int64, seqs: [Int64]) {
    var (count, seqs): (Int64, [Int64]) = (0, [])
    var before = first
    func keep(through end: Int64) {
      guard end > before else { return }
      count += end - before
      let room = maximumKept + 1 - Int64(seqs.count)
      seqs += (0..<min(room, end - before)).map { before + 1 + $0 }
    }
    for drop in drops.sorted(by: { $0.lowerBound < $1.lowerBound }) {
      keep(through: min(drop.lowerBound - 1, last))
      before = max(before, drop.upperBound)
    }
    keep(through: last)
    return (count, seqs)
  }

  private func text(_ seqs: ClosedRange<Int64>) -> String {
    seqs.lowerBound == seqs.upperBound
      ? entry(seqs.lowerBound) : "\(seqs.lowerBound) to \(seqs.upperBound)"
  }

  private func entry(_ seq: Int64) -> String {
    guard let name = names[seq] else { return "\(seq)" }
    return "\(name.cut(toScalars: Self.maximumEventName)) \(seq)"
  }

  private static func listed(_ parts: [String]) -> String {
    guard parts.count <= maximumNamed else {
      let named = parts.prefix(maximumNamed - 1).joined(separator: ", ")
      return "\(named) and \(parts.count - maximumNamed + 1) more"
    }
    guard let last = parts.last, parts.count > 1 else { return parts.joined() }
    return parts.dropLast().joined(separator: ", ") + " and \(last)"
  }

  private static func name(of event: JSONSlice) -> String { Entry.name(of: event) ?? "an event" }
}
