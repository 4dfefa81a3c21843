internal import JSONCore
package import Predicates
package import Timelines

/// Composes an explanation from queries: the values, who set them, and the recorded causes.
///
/// ```swift
/// let explanation = try await Explainer(facts, predicate).explanation(of: place)
/// ```
package struct Explainer<Facts: RecordedFacts>: Sendable {
  private let facts: Facts
  private let predicate: Predicate?

  /// The maximum number of values, of links, and of recorded causes in a row.
  private let limits = (values: 16, links: 64, causes: 8)

  /// - Parameter predicate: what to explain; `nil` for what the entry changed.
  package init(_ facts: Facts, _ predicate: Predicate?) {
    self.facts = facts
    self.predicate = predicate
  }

  /// Why an entry is as it is; `nil` if it is not stored.
  package func explanation(of place: EntryReference) async throws -> Explanation? {
    guard let entry = try await facts.entry(place) else { return nil }
    let after = try await facts.moment(after: place)
    var earlier = place
    earlier.seq = place.seq > .min ? place.seq - 1 : place.seq
    let before = place.seq > 0 ? try await facts.moment(after: earlier) : nil
    var explanation = Explanation()
    try await addCauses(of: entry, at: place, to: &explanation)
    let reads = self.reads(entry, before, after)
    if reads.count > limits.values { explanation.isCut = true }
    let subject = EntrySubject(entry, before: before, after: after)
    for read in reads.prefix(limits.values) {
      try await add(read, of: subject, at: place, to: &explanation)
    }
    return explanation
  }

  private func reads(_ entry: Entry, _ before: Moment?, _ after: Moment?) -> [ReadPath] {
    func known(_ moment: Moment?) -> Snapshot? {
      if case .known(let known)? = moment { known } else { nil }
    }
    let (old, new) = (known(before), known(after))
    if let predicate { return predicate.paths.map { ReadPath($0, in: new) } }
    return changed("state", entry.patch, from: old?.state, to: new?.state)
      + changed("outputs", entry.outputs, from: old?.outputs, to: new?.outputs)
  }

  private func changed(
    _ root: String, _ patch: JSONSlice?, from old: JSON?, to new: JSON?
  ) -> [ReadPath] {
    var pointers = (patch.map { Array($0.elements) } ?? []).compactMap { operation in
      operation["op"]?.string == "test" ? nil : operation["path"]?.string
    }.compactMap { try? Pointer($0) }
    // A patch that replaces the whole does not say what is different.
    if pointers.contains(where: \.isRoot), let old, let new {
      pointers = Patch.differingPaths(from: old, to: new)
    }
    var seen: Set<ReadPath> = []
    return pointers.map { ReadPath(root, changed: $0) }.filter { seen.insert($0).inserted }
  }

  private func add(
    _ read: ReadPath, of subject: EntrySubject, at place: EntryReference,
    to explanation: inout Explanation
  ) async throws {
    let (value, before) = values(of: read, in: subject)
    var found = Explanation.Value(
      path: read.text, value: value, before: before, setter: place, certainty: .recorded)
    guard let pointer = read.pointer else { return explanation.values.append(found) }
    let last = read.isBefore ? place.seq &- 1 : place.seq
    let changes = try await facts.changes(
      of: pointer, upTo: EntryReference(timeline: place.timeline, seq: last), limit: 2)
    let setter = changes.seqs.first.map { EntryReference(timeline: place.timeline, seq: $0) }
    found.setter = setter
    found.certainty = changes.isCertain(after: setter?.seq) ? .recorded : .inferred
    explanation.values.append(found)
    guard let setter else { return }
    if setter != place {
      add(setter, place, .value(read.text), found.certainty, to: &explanation)
      if let entry = try await facts.entry(setter) {
        try await addCauses(of: entry, at: setter, to: &explanation)
      }
    }
    if let earlier = changes.seqs.dropFirst().first {
      add(
        EntryReference(timeline: place.timeline, seq: earlier), setter, .earlierValue(read.text),
        .inferred, to: &explanation)
    }
  }

  private func values(of read: ReadPath, in subject: EntrySubject) -> (JSON?, JSON?) {
    if let predicate {
      let reading = predicate.readings(at: subject).first { $0.path == read.text }
      return (reading?.value, reading?.before)
    }
    return (value(at: read.pointer, subject.after), value(at: read.pointer, subject.before))
  }

  private func value(at pointer: Pointer?, _ side: SideValues?) -> JSON? {
    guard let pointer, let root = pointer.tokens.first,
      case .known(let state, let outputs)? = side
    else { return nil }
    let whole = (root == "state" ? state : outputs).tree
    return whole[Pointer(tokens: Array(pointer.tokens.dropFirst()))] ?? .null
  }

  private func addCauses(
    of entry: Entry, at place: EntryReference, to explanation: inout Explanation
  ) async throws {
    var (entry, place) = (entry, place)
    for _ in 0..<limits.causes {
      let cause: EntryReference
      switch entry.cause {
      case nil: return
      case .here(let seq): cause = EntryReference(timeline: place.timeline, seq: seq)
      case .elsewhere(let reference): cause = reference
      }
      add(cause, place, .cause, .recorded, to: &explanation)
      guard let next = try await facts.entry(cause) else { return }
      (entry, place) = (next, cause)
    }
    if entry.cause != nil { explanation.isCut = true }
  }

  private func add(
    _ entry: EntryReference, _ target: EntryReference, _ reason: Explanation.Reason,
    _ certainty: Explanation.Certainty, to explanation: inout Explanation
  ) {
    let link = Explanation.Link(
      entry: entry, target: target, reason: reason, certainty: certainty)
    guard !explanation.links.contains(link) else { return }
    guard explanation.links.count < limits.links else { return explanation.isCut = true }
    explanation.links.append(link)
  }
}
