import DebugServer
import JSONCore
import Predicates
import Timelines
import Wire

// Answers that look negative because a name is misspelled.
extension Inquiry {
  /// A predicate about a timeline; an unknown word is explained with the names of its last entry.
  func predicate(_ text: String, of timeline: TimelineID) async throws -> Predicates.Predicate {
    if text.hasPrefix("@") { return try await namedFilter(text.dropFirst(), of: timeline) }
    do {
      return try Predicates.Predicate(text)
    } catch {
      var error = error
      if let word = KnownNames.unknownWord(in: error.message) {
        error.message = await names(of: timeline).explanation(of: word, in: text)
      }
      throw notPredicate(text, error)
    }
  }

  /// Why the answer of a predicate may not be what was meant: a path that no entry has, an event that
  /// the machine does not have, or nothing that it reads. `nil` when there is nothing to correct, or
  /// the recording does not say.
  func misspelling(in predicate: Predicates.Predicate, of timeline: TimelineID) async -> String? {
    if let remark = predicate.remarkOnConstant { return remark }
    for tokens in predicate.readPaths {
      if let absent = await absence(of: tokens, in: timeline), absent.isExplained {
        return absent.sentence(.predicate)
      }
    }
    for tokens in predicate.countPaths {
      // Only an object has keys.
      if let absent = await absence(of: tokens, in: timeline), !absent.keys.isEmpty {
        return absent.sentence(.predicate)
      }
    }
    guard let schema = try? await schema(of: timeline), schema.isComplete, !schema.cases.isEmpty
    else { return nil }
    let missing = (predicate.eventNames ?? []).sorted().first { schema[case: $0] == nil }
    return missing.map { EventText.unknownEvent($0, schema) }
  }

  /// Whether no entry of a timeline has a path; `nil` when one has it, or states are not known.
  func absence(of tokens: [String], in timeline: TimelineID) async -> AbsentPath? {
    guard tokens.count > 1, let last = try? await summary(of: timeline).last,
      case .absent = await value(at: tokens, after: last, of: timeline)
    else { return nil }
    let changes = FromInspector.Changes {
      $0.timeline = timeline
      $0.path = Pointer(tokens: tokens)
      $0.before = last + 1
      $0.limit = 1
    }
    let changed = try? await asking.ask(changes)
    // What never changed is everywhere as it is at the end.
    guard let changed, changed.changes.isEmpty, changed.unknown?.isEmpty != false else {
      return nil
    }
    let other = [tokens[0] == "state" ? "outputs" : "state"] + tokens[1...]
    let isElsewhere = await occurrence(of: other, through: last, in: timeline) != nil
    for known in (1..<tokens.count).reversed() {
      let parent = Array(tokens[..<known])
      guard let keys = await keys(everAt: parent, through: last, of: timeline) else { continue }
      // The header names an output that was never set.
      guard !keys.contains(tokens[known]) else { return nil }
      return AbsentPath(
        tokens: tokens, known: known, keys: keys, other: isElsewhere ? other : nil)
    }
    return AbsentPath(tokens: tokens, known: 1, keys: [])
  }

  /// Fails if a path of some predicates is misspelled, and says so if it leads to no value.
  func expectPaths(of predicates: [Predicates.Predicate], in timeline: TimelineID) async throws {
    if let remark = try await remark(on: predicates, in: timeline) { terminal.complain(remark) }
  }

  /// Fails if a path of some predicates is misspelled. What to say about one that leads to no value.
  func remark(
    on predicates: [Predicates.Predicate], in timeline: TimelineID
  ) async throws -> String? {
    try await remark(on: predicates.flatMap(\.readPaths), .predicate, in: timeline)
  }

  /// Fails if a path into states or outputs is misspelled, and says so if it leads to no value.
  func expectPaths(_ paths: [Pointer], in timeline: TimelineID) async throws {
    let tokens = paths.map(\.tokens).filter { ["state", "outputs"].contains($0.first) }
    if let remark = try await remark(on: tokens, .pointer, in: timeline) {
      terminal.complain(remark)
    }
  }

  /// Fails if a path is misspelled.
  func expectSpelling(_ path: Pointer, in timeline: TimelineID) async throws {
    guard ["state", "outputs"].contains(path.tokens.first),
      let absent = await absence(of: path.tokens, in: timeline), absent.meant != nil
    else { return }
    throw arguments.error(absent.sentence(.pointer))
  }

  /// A path without a similar one may be right: an optional that was never set is not recorded.
  private func remark(
    on paths: [[String]], _ form: AbsentPath.Form, in timeline: TimelineID
  ) async throws -> String? {
    var remark: String?
    for tokens in paths {
      guard let absent = await absence(of: tokens, in: timeline) else { continue }
      guard absent.meant == nil else { throw arguments.error(absent.sentence(form)) }
      if remark == nil, absent.isExplained { remark = absent.sentence(form) }
    }
    return remark
  }

  private func names(of timeline: TimelineID) async -> KnownNames {
    var names = KnownNames()
    if let last = try? await summary(of: timeline).last {
      names.state = await keys(everAt: ["state"], through: last, of: timeline) ?? []
      names.outputs = await keys(everAt: ["outputs"], through: last, of: timeline) ?? []
    }
    if let schema = try? await schema(of: timeline) { names.events = schema.cases.map(\.name) }
    return names
  }

  /// What the daemon knows of the value at a path.
  private enum Known {
    case found(JSONSlice)
    case absent
    /// The state was not captured, or the daemon refused.
    case unknown

    var keys: [String] {
      if case .found(let value) = self { value.keys } else { [] }
    }
  }

  /// At how many entries a value is read for the keys that it had.
  private static let maximumSamples: Int64 = 12

  /// The keys of the object at a path, the last entry's first, also those that only some earlier
  /// entries have; `nil` if no entry has the path.
  private func keys(
    everAt tokens: [String], through last: Int64, of timeline: TimelineID
  ) async -> [String]? {
    guard let occurrence = await occurrence(of: tokens, through: last, in: timeline) else {
      return nil
    }
    var keys = occurrence.now.keys
    if tokens == ["outputs"] { keys += await declaredOutputs(of: timeline) }
    if let changed = occurrence.changed {
      let step = max(1, last / Self.maximumSamples)
      let samples = stride(from: last, through: 0, by: Int(clamping: -step))
      for seq in [changed, changed &- 1] + samples {
        keys += await value(at: tokens, after: seq, of: timeline).keys
      }
    }
    var seen: Set<String> = []
    return keys.filter { seen.insert($0).inserted }
  }

  /// The value at a path after the last entry, and the newest entry that changed it; `nil` if no entry
  /// has the path.
  private func occurrence(
    of tokens: [String], through last: Int64, in timeline: TimelineID
  ) async -> (now: Known, changed: Int64?)? {
    let now = await value(at: tokens, after: last, of: timeline)
    let request = FromInspector.Changes {
      $0.timeline = timeline
      $0.path = Pointer(tokens: tokens)
      $0.before = last + 1
      $0.limit = 1
    }
    let changed = (try? await asking.ask(request))?.changes.first?.seq
    if case .found = now { return (now, changed) }
    return changed == nil ? nil : (now, changed)
  }

  /// The outputs that a header names: entries lack those that are `nil`.
  private func declaredOutputs(of timeline: TimelineID) async -> [String] {
    guard let header = try? Header(reading: await summary(of: timeline).header) else { return [] }
    return header.fields.outputs.map(\.name)
  }

  /// The value at a path after an entry, cut below its members.
  private func value(
    at tokens: [String], after seq: Int64, of timeline: TimelineID
  ) async -> Known {
    let request = FromInspector.State {
      $0.timeline = timeline
      $0.seq = seq
      $0.path = Pointer(tokens: tokens)
      $0.depth = 2
    }
    let answer = try? await asking.ask(request)
    guard let answer else { return .unknown }
    return answer.value.map(Known.found) ?? .absent
  }
}

extension JSONSlice {
  /// The keys of an object; none of another value.
  fileprivate var keys: [String] { kind == .object ? members.map(\.key) : [] }
}
