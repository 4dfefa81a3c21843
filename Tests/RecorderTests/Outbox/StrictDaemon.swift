import JSONCore
import Timelines
import Wire

@testable import Recorder

/// A daemon that keeps what it is sent by the letter of the protocol, and refuses everything else.
struct StrictDaemon {
  /// A message that no daemon would take.
  struct Complaint: Error, CustomStringConvertible {
    let description: String
  }

  /// What it has of a timeline.
  struct Kept {
    var timeline: Timeline
    var durable: Int64?
    var isOpen = false
    var end: FromRecorder.Close?
  }

  var kept: [TimelineID: Kept] = [:]
  /// Entries that came although they were there already.
  var duplicates = 0
  var credit: Int64 = 0
  let maxMessage: Int

  init(maxMessage: Int = 16 << 20) {
    self.maxMessage = maxMessage
  }

  /// What `welcome` says of the timelines of `hello`; what was not durable is forgotten.
  mutating func welcome(_ timelines: [TimelineID]) throws -> [(timeline: TimelineID, last: Int64?)]
  {
    for id in kept.keys {
      kept[id]?.isOpen = false
      guard let durable = kept[id]?.durable else {
        kept[id] = nil
        continue
      }
      if let old = kept[id]?.timeline {
        var shorter = Timeline(old.header)
        for entry in old.entries where entry.seq <= durable { try shorter.append(entry) }
        kept[id]?.timeline = shorter
        kept[id]?.end = nil
      }
    }
    return timelines.map { ($0, kept[$0]?.durable) }
  }

  /// Handles a message of the recorder.
  mutating func receive(_ frame: [UInt8]) throws {
    guard frame.count <= maxMessage else { throw Complaint(description: "a message too long") }
    let envelope = try Envelope<FromRecorder>(reading: frame, maxMessage: maxMessage)
    switch envelope.body {
    case .open(let open):
      let header = try Header(reading: open.header)
      kept[header.timeline, default: Kept(timeline: Timeline(header))].isOpen = true
    case .append(let append):
      guard credit > 0 else { throw Complaint(description: "beyond the credit") }
      credit -= Int64(frame.count)
      guard var own = kept[append.timeline], own.isOpen, own.end == nil else {
        throw Complaint(description: "an append without open")
      }
      kept[append.timeline] = nil
      guard !append.entries.isEmpty else { throw Complaint(description: "an empty append") }
      for slice in append.entries {
        let entry = try Entry(reading: slice)
        if let last = own.timeline.lastSeq, entry.seq <= last {
          duplicates += 1
        } else {
          try own.timeline.append(entry)
        }
      }
      kept[append.timeline] = own
    case .close(let close):
      guard kept[close.timeline]?.isOpen == true, kept[close.timeline]?.end == nil else {
        throw Complaint(description: "a close without open")
      }
      kept[close.timeline]?.end = close
    default: throw Complaint(description: "nothing that an outbox sends: \(envelope.body)")
    }
  }

  /// Makes what it has of a timeline durable, up to the nth entry from the end.
  mutating func commit(_ id: TimelineID, but last: Int = 0) -> Int64? {
    guard let own = kept[id], let seq = own.timeline.entries.dropLast(last).last?.seq,
      seq >= own.durable ?? -1
    else { return nil }
    kept[id]?.durable = seq
    return seq
  }
}
