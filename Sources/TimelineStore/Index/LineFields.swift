internal import JSONCore

// Safe: the run that holds the bytes lends them for the length of a call; the places in them are
// those of lines that were checked when they were stored, and nothing reads beyond the end.

/// The ranges of the values in a stored line that index and search need; an absent one is empty.
struct LineFields {
  private(set) var seq = 0..<0
  private(set) var t = 0..<0
  private(set) var event = 0..<0
  private(set) var state = 0..<0
  private(set) var outputState = 0..<0
  private(set) var patch = 0..<0
  private(set) var outputs = 0..<0
  private(set) var gap = 0..<0
  private(set) var error = 0..<0
  private(set) var redacted = 0..<0

  /// Finds the values of the line at `range`.
  init(_ bytes: UnsafeBufferPointer<UInt8>, line range: Range<Int>) {
    var members = LineMembers(bytes, object: range)
    while let member = members.next() {
      if bytes.hasEscape(member.key) {
        assign(member.value, under: bytes.text(inside: member.key))
      } else {
        assign(member.value, bytes, member.key)
      }
    }
  }

  @inline(__always)
  private mutating func assign(
    _ value: Range<Int>, _ bytes: UnsafeBufferPointer<UInt8>, _ key: Range<Int>
  ) {
    switch key.count {
    case 1: if bytes.has("t", at: key) { t = value }
    case 3:
      if bytes.has("seq", at: key) { seq = value } else if bytes.has("gap", at: key) { gap = value }
    case 5:
      if bytes.has("event", at: key) {
        event = value
      } else if bytes.has("patch", at: key) {
        patch = value
      } else if bytes.has("state", at: key) {
        state = value
      } else if bytes.has("error", at: key) {
        error = value
      }
    case 7: if bytes.has("outputs", at: key) { outputs = value }
    case 8: if bytes.has("redacted", at: key) { redacted = value }
    case 11: if bytes.has("outputState", at: key) { outputState = value }
    default: break
    }
  }

  /// The slow path, for keys that were written with escapes.
  private mutating func assign(_ value: Range<Int>, under key: String) {
    switch key {
    case "t": t = value
    case "seq": seq = value
    case "gap": gap = value
    case "event": event = value
    case "patch": patch = value
    case "state": state = value
    case "error": error = value
    case "outputs": outputs = value
    case "redacted": redacted = value
    case "outputState": outputState = value
    default: break
    }
  }

  /// Whether it has the full state.
  var isKeyframe: Bool { !state.isEmpty }

  /// Whether its state was not captured.
  var isThinned: Bool { state.isEmpty && patch.isEmpty }
}

extension UnsafeBufferPointer<UInt8> {
  /// The name of the event at a place, like ``Entry/name(of:)``.
  func eventName(at event: Range<Int>) -> String? {
    guard !event.isEmpty else { return nil }
    if self[event.lowerBound] == UInt8(ascii: "\"") {
      return text(inside: event.lowerBound + 1..<event.upperBound - 1)
    }
    var members = LineMembers(self, object: event)
    guard let first = members.next() else { return nil }
    guard let second = members.next() else {
      return typeName(first) ?? text(inside: first.key)
    }
    if let name = typeName(first) ?? typeName(second) { return name }
    while let member = members.next() {
      if let name = typeName(member) { return name }
    }
    return nil
  }

  /// How many entries the `gap` at a place reports as lost.
  func lost(in gap: Range<Int>) -> Int64 {
    var members = LineMembers(self, object: gap)
    while let member = members.next() {
      if text(inside: member.key) == "lost" { return integer(at: member.value) ?? 0 }
    }
    return 0
  }

  /// The value of the member `type`, if it is a string.
  private func typeName(_ member: LineMembers.Member) -> String? {
    guard self[member.value.lowerBound] == UInt8(ascii: "\""),
      hasEscape(member.key) ? text(inside: member.key) == "type" : has("type", at: member.key)
    else { return nil }
    return text(inside: member.value.lowerBound + 1..<member.value.upperBound - 1)
  }
}
