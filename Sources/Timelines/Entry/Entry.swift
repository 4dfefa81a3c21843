public import JSONCore

/// One line of a timeline: an event, and the state after it.
///
/// An entry *is* its line. Reading one validates the line and finds the places of the values. The
/// bytes never change, including unknown keys.
///
/// ```swift
/// let line = #"{"seq":1042,"t":52811,"event":{"tappedFavorite":{"_0":0}},"patch":[]}"#
/// let entry = try Entry(reading: line)
/// entry.seq            // 1042
/// entry.eventName      // "tappedFavorite"
/// entry.patch?.text    // []
/// ```
public struct Entry: Sendable {
  /// The line as it was read, without surrounding whitespace.
  public let line: JSONSlice

  /// The number of the entry, which alone decides the order.
  public let seq: Int64

  /// Microseconds since the timeline's start.
  public let t: Int64

  /// The start and end offsets in the line of the values of all keys but `seq` and `t`.
  ///
  /// Two vectors instead of a slice for each key, so that an entry has one reference, and copying it
  /// costs one retain. A missing key ends at zero.
  private let starts: SIMD16<UInt32>
  private let ends: SIMD16<UInt32>

  init(line: JSONSlice, seq: Int64, t: Int64, starts: SIMD16<UInt32>, ends: SIMD16<UInt32>) {
    self.line = line
    self.seq = seq
    self.t = t
    self.starts = starts
    self.ends = ends
  }

  /// The value of a key, if the entry has it.
  subscript(key: EntryKey) -> JSONSlice? {
    guard let place = key.place else { return line[key.text] }
    let end = Int(ends[place])
    guard end > 0 else { return nil }
    let base = line.range.lowerBound
    return line.slice(at: base + Int(starts[place])..<base + end)
  }

  /// The place of a key's value in the line.
  private func place(_ key: EntryKey) -> ValuePlace? {
    guard let place = key.place, ends[place] > 0 else { return nil }
    return ValuePlace(start: starts[place], end: ends[place])
  }

  /// The places of the values that describe the moment after the entry.
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

  /// The full state after the event, if the entry is a keyframe.
  public var state: JSONSlice? { self[.state] }

  /// The full outputs after the event, if the entry is a keyframe of a machine with outputs.
  public var outputState: JSONSlice? { self[.outputState] }

  /// The change from the preceding entry's state.
  public var patch: JSONSlice? { self[.patch] }

  /// The change from the preceding entry's outputs; absent if no output changed.
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

  /// The loss right before this entry.
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

  /// The error that the reducer or a hook threw, or `trapped`.
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

  /// The size of a state that was too long to send.
  public var omitted: Int64? { self[.omitted]?.int }
}

extension Entry {
  /// Whether the entry has the full state.
  public var isKeyframe: Bool { has(.state) }

  /// Whether its state was not captured.
  public var isThinned: Bool { !has(.state) && !has(.patch) }

  /// Whether its event is a stand-in that cannot be run, because the recorder could not encode it.
  package var isUnwritten: Bool {
    isThinned && error?.hasPrefix(Self.failure(of: "event")) == true
  }

  /// Whether it cannot be run from the previous entry, because entries or its event are missing.
  package var isBroken: Bool { gap != nil || isUnwritten }

  /// The prefix of the error of an entry with a part that could not be encoded. Part of the format.
  package static func failure(of what: String) -> String {
    "The \(what) cannot be written as JSON: "
  }

  /// Whether its state came from outside: a restored state, or a jump.
  ///
  /// Changes before such an entry have no effect after it.
  public var isFixedPoint: Bool { has(.restored) || has(.jump) }

  /// The name of the event, if the event has one.
  public var eventName: String? { event.flatMap(Self.name(of:)) }

  /// The name in an event: the value of `type`, if that is a string; the key of an object with one
  /// key; or the string itself.
  ///
  /// If it is `nil`, use the name of the event's type.
  public static func name(of event: JSONSlice) -> String? {
    switch event.kind {
    case .string: return event.string
    case .object:
      // An action of another library may have only the key `type`. Swift never encodes a case like
      // this, because the value of a case's name is an object.
      if let type = event["type"]?.string { return type }
      var members = event.members
      guard let first = members.next(), members.next() == nil else { return nil }
      return first.key
    default: return nil
    }
  }
}

extension Entry: Equatable {
  /// Whether both lines are equal, byte for byte.
  public static func == (left: Entry, right: Entry) -> Bool {
    left.line.bytes == right.line.bytes
  }
}
