internal import JSONCore
internal import Reruns
internal import TimelineStore
internal import Timelines
internal import Wire

extension QueryService {
  func raw(_ asked: FromInspector.Raw) async throws -> ToInspector.Raw {
    await wait(for: asked.timeline, upTo: asked.seq)
    let entry = try await store.read { reader in
      let lineage = try reader.lineage(of: asked.timeline)
      return try Self.entry(reader, lineage, at: asked.seq)
    }
    return ToInspector.Raw {
      $0.timeline = asked.timeline
      $0.entry = entry.line
    }
  }

  func state(_ asked: FromInspector.State) async throws -> ToInspector.State {
    let moment = EntryReference(timeline: asked.timeline, seq: asked.seq)
    let path = asked.path ?? .root
    var found = try await found(at: moment, path)
    if case .thinned? = found, asked.compute {
      guard let branches else { throw Refusal.needsDaemon(.compute(FromInspector.Compute())) }
      try await branches.compute(moment)
      found = try await self.found(at: moment, path)
    }
    guard let found else { throw Self.noEntry(moment.seq, of: moment.timeline) }
    let value = try found.value(moment)
    let shown =
      switch (asked.depth, asked.bytes) {
      case (nil, nil): value
      case (let depth?, nil): value?.cut(below: depth)
      case (let depth, let bytes?):
        value?.cut(below: depth ?? .max, within: Int(clamping: bytes))
      }
    let slice = try shown?.slice
    return ToInspector.State {
      $0.timeline = asked.timeline
      $0.seq = asked.seq
      $0.path = asked.path
      $0.value = slice
      if case .computed = found { $0.computed = true }
    }
  }

  /// The value at a moment, as far as it is known; `nil` if the entry does not exist.
  private func found(at moment: EntryReference, _ path: Pointer) async throws -> LocatedValue? {
    if let value = try await hostValue(at: moment, path) { return value }
    await wait(for: moment.timeline, upTo: moment.seq)
    return try await store.read { [computed = branches?.computed] reader in
      try Self.find(reader, at: moment, path: path, computed)
    }
  }

  /// The value at a moment; `nil` if it is not known, or does not exist.
  func knownValue(at moment: EntryReference, _ path: Pointer) async throws -> JSON? {
    do {
      switch try await found(at: moment, path) {
      case .stored(let value)?, .computed(let value)?: return value
      case .thinned?, nil: return nil
      }
    } catch let refusal as Refusal where refusal.reply.code == .notFound {
      return nil
    }
  }

  private func value(at moment: EntryReference, _ path: Pointer) async throws -> JSON? {
    guard let found = try await found(at: moment, path) else {
      throw Self.noEntry(moment.seq, of: moment.timeline)
    }
    return try found.value(moment)
  }

  /// The value at a moment of a branch that is not durable yet, from a host.
  private func hostValue(at moment: EntryReference, _ path: Pointer) async throws -> LocatedValue? {
    guard path.isRoot || ["state", "outputs"].contains(path.tokens.first),
      let base = try await branches?.moment(moment), let state = base.state
    else { return nil }
    let whole: JSON = ["state": state.value, "outputs": base.outputs?.value ?? [:]]
    return .stored(whole[path])
  }

  func diff(_ asked: FromInspector.Diff) async throws -> ToInspector.Diff {
    let path = asked.path ?? .root
    let (a, b) = (try await value(at: asked.a, path), try await value(at: asked.b, path))
    let patch =
      switch (a, b) {
      case (nil, nil): Patch()
      case (_?, nil): Patch([.remove(path)])
      case (nil, let b?): Patch([.add(path, b)])
      case (let a?, let b?): Patch.difference(from: a, to: b, at: path)
      }
    let slice = try patch.json.slice
    return ToInspector.Diff { $0.patch = slice }
  }

  /// The state to restore in a live app, computed if it was not captured; refused if it holds
  /// stand-ins.
  func stateToRestore(_ moment: EntryReference) async throws -> ToInspector.State {
    let value = try await store.read { [computed = branches?.computed] reader in
      let lineage = try reader.lineage(of: moment.timeline)
      let entry = try Self.entry(reader, lineage, at: moment.seq)
      let known = computed?.entry(of: moment.timeline, at: moment.seq)
      let redacted = entry.redacted + (known?.redacted ?? [])
      guard !redacted.contains(where: { $0.pointer.tokens.first == "state" }) else {
        throw Refusal(
          .forbidden, "The state holds stand-ins for redacted values, so it cannot be restored.",
          path: "from", timeline: moment.timeline)
      }
      return try Self.value(
        reader, at: moment, path: Pointer(tokens: ["state"]), computed)
    }
    let slice = try (value ?? .null).slice
    return ToInspector.State {
      $0.timeline = moment.timeline
      $0.seq = moment.seq
      $0.value = slice
    }
  }

  private static func entry(
    _ reader: StoreReader, _ lineage: Lineage, at seq: Int64
  ) throws -> Entry {
    if let entry = try reader.entry(of: lineage, at: seq) { return entry }
    if case .lost(let lost)? = try reader.moment(of: lineage, at: seq) {
      throw Self.lost(lost, of: lineage.id)
    }
    throw Self.noEntry(seq, of: lineage.id)
  }

  /// The value at a path into a moment; `nil` if there is none.
  private static func value(
    _ reader: StoreReader, at moment: EntryReference, path: Pointer, _ computed: ComputedStates?
  ) throws -> JSON? {
    guard let found = try find(reader, at: moment, path: path, computed) else {
      throw noEntry(moment.seq, of: moment.timeline)
    }
    return try found.value(moment)
  }

  private static func find(
    _ reader: StoreReader, at moment: EntryReference, path: Pointer, _ computed: ComputedStates?
  ) throws -> LocatedValue? {
    let lineage = try reader.lineage(of: moment.timeline)
    if path.tokens.first == "event" {
      let event = try entry(reader, lineage, at: moment.seq).event
      return .stored(event?[Pointer(tokens: Array(path.tokens.dropFirst()))]?.value)
    }
    guard path.isRoot || ["state", "outputs"].contains(path.tokens.first) else {
      throw Refusal(
        .wrongValue, "A path into a moment must begin with /state, /outputs, or /event.",
        path: "path",
        timeline: moment.timeline)
    }
    switch try reader.value(of: lineage, at: moment.seq, path) {
    case .known(let value)?: return .stored(value)
    case .lost(let lost)?: throw Self.lost(lost, of: moment.timeline)
    case .thinned(let omitted)?:
      guard let snapshot = computed?.snapshot(of: moment.timeline, at: moment.seq) else {
        return .thinned(omitted: omitted)
      }
      let whole: JSON = ["state": snapshot.state, "outputs": snapshot.outputs]
      return .computed(whole[path])
    case nil: return nil
    }
  }

  private static func noEntry(_ seq: Int64, of timeline: TimelineID) -> Refusal {
    Refusal(
      .notFound, "The timeline \(timeline) has no entry \(seq).", path: "seq", timeline: timeline)
  }

  private static func lost(_ lost: LostRange, of timeline: TimelineID) -> Refusal {
    let (first, last) = (lost.seqs.lowerBound, lost.seqs.upperBound)
    return Refusal(
      .notFound, "The entries \(first) to \(last) were lost: \(lost.why).", path: "seq",
      timeline: timeline)
  }
}

/// A value at a moment, as far as it is known.
private enum LocatedValue: Sendable {
  case stored(JSON?)
  case computed(JSON?)
  case thinned(omitted: Int64?)

  /// The value; `nil` if there is none at the path.
  func value(_ moment: EntryReference) throws -> JSON? {
    switch self {
    case .stored(let value), .computed(let value): return value
    case .thinned(let omitted):
      let size = omitted.map { " It had \($0) bytes." } ?? ""
      throw Refusal(
        .thinned, "The state after entry \(moment.seq) was not captured." + size, path: "seq",
        timeline: moment.timeline)
    }
  }
}
