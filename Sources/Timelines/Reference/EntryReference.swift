/// An entry of a named timeline.
public struct EntryReference: Hashable, Sendable {
  /// The timeline.
  public var timeline: TimelineID

  /// The entry in it.
  public var seq: Int64

  /// Creates a reference.
  public init(timeline: TimelineID, seq: Int64) {
    self.timeline = timeline
    self.seq = seq
  }

  /// Parses `<timeline>:<seq>`; `nil` for other text.
  public init?(_ text: String) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      let timeline = TimelineID(String(text[..<colon]))
    else { return nil }
    let digits = text.utf8[text.utf8.index(after: colon)...]
    guard digits.allSatisfy({ $0 &- UInt8(ascii: "0") <= 9 }),
      digits.first != UInt8(ascii: "0") || digits.count == 1, let seq = Int64(Substring(digits))
    else { return nil }
    self.init(timeline: timeline, seq: seq)
  }

  /// `<timeline>:<seq>`.
  public var text: String { "\(timeline.text):\(seq)" }
}

extension EntryReference: CustomStringConvertible {
  /// `<timeline>:<seq>`.
  public var description: String { text }
}
