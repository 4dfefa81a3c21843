import DebugServer
import JSONCore
import Timelines
import Wire

// What people see of a branch: its name, and what it changes.
extension Inquiry {
  /// Below it, the values of a state are not named.
  private static let depth: Int64 = 8
  /// Longer names do not fit a list.
  private static let maximumName = 60
  /// Events that a name looks up; it only names a few of them.
  private static let maximumLookups = 12

  /// How the last moments of two timelines differ; `nil` if it is not known, such as for states that
  /// were not captured.
  func endDifference(_ a: TimelineID, _ b: TimelineID) async -> String? {
    guard let one = try? await asking.timelines(named: a.text),
      let other = try? await asking.timelines(named: b.text), case let all = one + other,
      let first = Self.end(of: a, seenFrom: b, in: all),
      let second = Self.end(of: b, seenFrom: a, in: all)
    else { return nil }
    let before = FromInspector.State {
      $0.timeline = first.timeline
      $0.seq = first.seq
      $0.depth = Self.depth
    }
    let between = FromInspector.Diff {
      $0.a = first
      $0.b = second
    }
    guard let value = try? await asking.ask(before).value?.value,
      let slice = try? await asking.ask(between).patch, let patch = try? Patch(slice)
    else { return nil }
    return EndDifference(patch, before: value).text
  }

  /// The last moment of a timeline; if the other one is its branch, the last from which it was computed.
  private static func end(
    of timeline: TimelineID, seenFrom other: TimelineID, in all: [ToInspector.TimelineSummary]
  ) -> EntryReference? {
    let summary = { (id: TimelineID) in all.first { $0.header["timeline"]?.string == id.text } }
    guard let own = summary(timeline), own.computing == nil, let last = own.last else { return nil }
    let parent = summary(other)?.header["parent"]
    let through = parent?["timeline"]?.string == timeline.text ? parent?["through"]?.int : nil
    return EntryReference(timeline: timeline, seq: min(last, through ?? last))
  }

  /// The name of a branch that was given none: its edits, as the page calls it; `nil` for a script that
  /// the daemon will refuse.
  func defaultName(for script: JSONSlice, of timeline: TimelineID) async throws -> String? {
    guard let edits = try? EditScript(reading: script).edits else { return nil }
    var names: [Int64: String] = [:]
    for seq in EditWords.named(edits).prefix(Self.maximumLookups) {
      let request = FromInspector.Entries {
        $0.timeline = timeline
        $0.from = seq
        $0.count = 1
      }
      let entry = try? await asking.ask(request).entries.first { $0["seq"]?.int == seq }
      names[seq] = entry?["event"].flatMap { Entry.name(of: $0) }
    }
    let name = EditWords(edits, names: names).text
    return try await unusedName(name.cut(toScalars: Self.maximumName))
  }

  /// A name, with a number if a timeline has it.
  func unusedName(_ name: String) async throws -> String {
    var (fresh, count) = (name, 1)
    while try await isTaken(fresh) {
      count += 1
      fresh = "\(name) (\(count))"
    }
    return fresh
  }

  private func isTaken(_ name: String) async throws -> Bool {
    try await asking.timelines(named: name).contains {
      ($0.name ?? $0.header["parent"]?["name"]?.string) == name
    }
  }

  /// How a command names a timeline: its name if that means it, or the beginning of its id.
  func word(for summary: ToInspector.TimelineSummary, _ id: TimelineID) async throws -> String {
    let short = "\(id.text.prefix(8))"
    guard let name = summary.name ?? summary.header["parent"]?["name"]?.string,
      let word = ShellWord.text(name)
    else { return short }
    let meant = try? TimelineChoice(await asking.timelines(named: name))(name)
    return meant == id ? word : short
  }
}
