public import JSONCore

/// One line of a timeline: an event, and the state after it.
///
/// An entry *is* its line. Reading one checks the line and notes where the values are; whoever
/// passes it on passes on the same bytes, unknown keys included.
///
/// ```swift
/// let entry = try Entry(reading: line)
/// entry.seq            // 1042
/// entry.eventName      // "tappedFavorite"
/// entry.patch?.text    // [{"op":"replace","path":"/favorites/0/on","value":true}]
/// ```
public struct Entry: Sendable {
  /// The line as it was read, without the white space around it.
  public let line: JSONSlice

  /// The number of the entry, the only truth about order.
  public let seq: Int64

  /// Microseconds since the timeline's start.
  public let t: Int64

  /// Where the values of all keys but `seq` and `t` begin and end, counted from the start of the
  /// line.
  ///
  /// Two vectors instead of a slice for each key: an entry then holds one reference, and copying it
  /// costs one retain. An absent key ends at zero.
  private let starts: SIMD16<UInt32>
  private let ends: SIMD16<UInt32>

  init(line: JSONSlice, seq: Int64, t: Int64, starts: SIMD16<UInt32>, ends: SIMD16<UInt32>) {
    self.line = line
    self.seq = seq
    self.t = t
    self.starts = starts
    self.ends = ends
  }

  /// The value of a key, when the entry has it.
  subscript(key: EntryKey) -> JSONSlice? {
    guard let place = key.place else { return line[key.text] }
    let end = Int(ends[place])
    guard end > 0 else { return nil }
    let base = line.range.lowerBound
    return line.slice(at: base + Int(starts[place])..<base + end)
  }

  /// Where a key's value is, from the start of the line.
  private func place(_ key: EntryKey) -> ValuePlace? {
    guard let place = key.place, ends[place] > 0 else { return nil }
    return ValuePlace(start: starts[place], end: ends[place])
  }

  /// Where the values are that say what holds after the entry.
  package var momentPlaces: MomentPlaces {
    MomentPlaces(
      state: place(.state), outputState: place(.outputState), patch: place(.patch),
      outputs: place(.outputs))
  }

  /// Whether the entry has a key.
  func has(_ key: EntryKey) -> Bool { key.place.map { ends[$0] > 0 } ?? true }
}

extension Entry {
  /// The event; absent in entry 0 and where a state came from outside.
  public var event: JSONSlice? { self[.event] }

  /// The full state after the event, when the entry is a keyframe.
  public var state: JSONSlice? { self[.state] }

  /// The full outputs after the event, when the entry is a keyframe of a machine that has outputs.
  public var outputState: JSONSlice? { self[.outputState] }

  /// The change from the preceding entry's state.
  public var patch: JSONSlice? { self[.patch] }

  /// The change from the preceding entry's outputs; absent when none changed.
  public var outputs: JSONSlice? { self[.outputs] }

  /// The nanoseconds spent in the reducer.
  public var ns: Int64? { self[.ns]?.int }

  /// The entry during which, or by whose effect, the event was sent.
  public var cause: EntryCause? {
    guard let slice = self[.cause] else { return nil }
    if let seq = slice.int { return .here(seq) }
    return slice.string.flatMap { EntryReference($0) }.map(EntryCause.elsewhere)
  }

  /// Where the event came from.
  public var origin: EntryOrigin? { self[.origin]?.string.map { EntryOrigin($0) } }

  /// The call site, `file:line`.
  public var at: String? { self[.at]?.string }

  /// What was lost right before this entry.
  public var gap: Gap? {
    guard let slice = self[.gap], let lost = slice["lost"]?.int else { return nil }
    return Gap(lost: lost, why: slice["why"]?.string ?? "")
  }

  /// The moment whose state replaced the live one.
  public var restored: EntryReference? {
    guard let slice = self[.restored], let seq = slice["seq"]?.int else { return nil }
    return slice["timeline"]?.string.flatMap { TimelineID($0) }
      .map { EntryReference(timeline: $0, seq: seq) }
  }

  /// Whether a reducer was called with a state that it had not returned.
  public var isJump: Bool { has(.jump) }

  /// What the reducer or a hook threw, or `trapped`.
  public var error: String? { self[.error]?.string }

  /// The entry of the parent that this one recomputes.
  public var was: Int64? { self[.was]?.int }

  /// The values that were replaced by stand-ins.
  public var redacted: [Redaction] {
    guard let slice = self[.redacted] else { return [] }
    return slice.members.compactMap { member in
      guard let pointer = try? Pointer(member.key) else { return nil }
      return Redaction(pointer, hash: member.value.string ?? "")
    }
  }

  /// The bytes of the state that was too long to send.
  public var omitted: Int64? { self[.omitted]?.int }
}

extension Entry {
  /// Whether it holds the full state.
  public var isKeyframe: Bool { has(.state) }

  /// Whether its state was not captured.
  public var isThinned: Bool { !has(.state) && !has(.patch) }

  /// Whether its event is a stand-in, because the recorder could not write it: nobody can run it.
  package var isUnwritten: Bool {
    isThinned && error?.hasPrefix(Self.failure(of: "event")) == true
  }

  /// Whether it can not be run from the entry before: entries are missing between, or its event is.
  package var isBroken: Bool { gap != nil || isUnwritten }

  /// How the error of an entry begins of which a part could not be written.
  package static func failure(of what: String) -> String {
    "The \(what) can not be written as JSON: "
  }

  /// Whether it takes its state as given: a restored state, or a jump.
  ///
  /// No reducer made that state, so nothing that is changed before it reaches beyond it.
  public var isFixedPoint: Bool { has(.restored) || has(.jump) }

  /// The name of the event, when the event itself tells it.
  public var eventName: String? { event.flatMap(Self.name(of:)) }

  /// The name that an event tells: the value of `type` when that is a string; the only key of an
  /// object with one key; a string itself.
  ///
  /// Where it is `nil`, the name of the event's type stands for it.
  public static func name(of event: JSONSlice) -> String? {
    switch event.kind {
    case .string: return event.string
    case .object:
      // An action of another library may have no key but `type`; Swift never writes a case so,
      // for what belongs to a case's name is an object.
      if let type = event["type"]?.string { return type }
      var members = event.members
      guard let first = members.next(), members.next() == nil else { return nil }
      return first.key
    default: return nil
    }
  }
}

extension Entry: Equatable {
  /// Whether both are the same line, byte by byte.
  public static func == (left: Entry, right: Entry) -> Bool {
    left.line.bytes == right.line.bytes
  }
}
