package import JSONCore
import Predicates
package import Timelines

extension TimelineID: MessageValue {
  /// What a key holds before it is filled in: the name of no timeline.
  package static let zero = TimelineID(high: 0, low: 0)

  package init(reading slice: JSONSlice) throws(MessageError) {
    let text = try String(reading: slice)
    guard let id = TimelineID(text) else {
      throw MessageError(.wrongValue("a timeline's name is a UUID"))
    }
    self = id
  }

  package func write(to writer: inout JSONText) { writer.string(text) }
}

/// `{"timeline":"…","seq":7}`.
extension EntryReference: MessagePart {
  package init() { self.init(timeline: .zero, seq: 0) }

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("timeline", &timeline)
    try fields.field("seq", &seq)
  }
}

/// `{"lost":3,"why":"…"}`.
extension Gap: MessagePart {
  package init() { self.init(lost: 0, why: "") }

  package mutating func fields<F: MessageFields>(_ fields: inout F) throws(F.Failure) {
    try fields.field("lost", &lost)
    try fields.field("why", &why)
  }
}

extension Pointer: MessageValue {
  package init(reading slice: JSONSlice) throws(MessageError) {
    let text = try String(reading: slice)
    do { try self.init(text) } catch { throw MessageError(.wrongValue("\(error)")) }
  }

  package func write(to writer: inout JSONText) { writer.string(description) }
}

extension Predicate: MessageValue {
  package init(reading slice: JSONSlice) throws(MessageError) {
    let text = try String(reading: slice)
    do { try self.init(text) } catch { throw MessageError(.wrongPredicate(error)) }
  }

  package func write(to writer: inout JSONText) { writer.string(description) }
}

/// Seqs from the first to the last, both included: `[3,9]`.
package struct SeqRange: Hashable, Sendable, MessageValue {
  /// The first and the last.
  package var seqs: ClosedRange<Int64>

  package init(_ seqs: ClosedRange<Int64>) {
    self.seqs = seqs
  }

  package init(reading slice: JSONSlice) throws(MessageError) {
    let ends = try [Int64](reading: slice)
    guard ends.count == 2, ends[0] <= ends[1] else {
      throw MessageError(.wrongValue("a range is written [first,last]"))
    }
    seqs = ends[0]...ends[1]
  }

  package func write(to writer: inout JSONText) {
    writer.array([seqs.lowerBound, seqs.upperBound]) { $0.integer($1) }
  }
}

/// The last durable seqs of timelines: `{"<uuid>":1041,"<uuid>":null}`.
package struct DurableSeqs: Sendable, MessageValue {
  /// The timelines with their last durable seq; `nil` for unknown timelines.
  package var seqs: [(timeline: TimelineID, last: Int64?)] = []

  package init() {}

  package init(reading slice: JSONSlice) throws(MessageError) {
    guard slice.kind == .object else { throw .wrongType("an object", slice) }
    for member in slice.members {
      guard let timeline = TimelineID(member.key) else {
        throw MessageError(.wrongValue("a timeline's name is a UUID"), path: member.key)
      }
      do {
        let last = member.value.isNull ? nil : try Int64(reading: member.value)
        seqs.append((timeline, last))
      } catch {
        throw error.inside(member.key)
      }
    }
  }

  package func write(to writer: inout JSONText) {
    writer.object { writer in
      for (timeline, last) in seqs {
        writer.key(timeline.text)
        if let last { last.write(to: &writer) } else { writer.raw("null".utf8) }
      }
    }
  }
}
