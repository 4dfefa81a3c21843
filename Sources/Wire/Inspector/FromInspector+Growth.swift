package import JSONCore
package import Timelines

extension FromInspector {
  /// Requests which parts of the state grow over a stretch, in bytes.
  package struct Growth: Message {
    package static let type = "growth"
    package static let role = MessageRole.request
    /// The timeline.
    package var timeline = TimelineID.zero
    /// The first entry (default: the first one of the timeline).
    package var from: Int64?
    /// The last, included (default: the last one of the timeline).
    package var to: Int64?
    /// At how many entries to measure, 2 to 64 (default: 24).
    package var samples: Int64?
    /// The maximum number of paths, 1 to 200 (default: 20).
    package var limit: Int64?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("timeline", &timeline)
      try fields.field("from", &from)
      try fields.field("to", &to)
      try fields.field("samples", &samples)
      try fields.field("limit", &limit)
    }
  }
}

extension ToInspector {
  /// A part of the state that grew.
  package struct GrowthPath: MessagePart {
    /// Where it is, `/state/…`.
    package var path = Pointer.root
    /// Its bytes as JSON at each of the measured entries; 0 where it is absent.
    package var bytes = [Int64]()
    /// How many elements or members it has at each of them; absent for scalars.
    package var elements: [Int64]?

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("path", &path)
      try fields.field("bytes", &bytes)
      try fields.field("elements", &elements)
    }
  }

  /// Answers `growth`.
  package struct Growth: Message {
    package static let type = "growth"
    package static let role = MessageRole.reply
    /// The measured entries, rising.
    package var seqs = [Int64]()
    /// The bytes of the whole state at each of them, as JSON.
    package var bytes = [Int64]()
    /// The parts that are larger at the last of them than at the first, the greatest growth first.
    package var paths = [GrowthPath]()
    /// How many entries could not be measured, because their states are not known.
    package var unknown: Int64?
    /// More parts grew than the limit.
    package var more = false

    package init() {}

    package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
      try fields.field("seqs", &seqs)
      try fields.field("bytes", &bytes)
      try fields.field("paths", &paths)
      try fields.field("unknown", &unknown)
      try fields.flag("more", &more)
    }
  }
}
