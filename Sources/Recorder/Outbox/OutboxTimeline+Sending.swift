import JSONCore
import Timelines

extension OutboxTimeline {
  /// The next thing to do for a timeline.
  enum Next: Sendable {
    /// Send an `append` with these entries.
    case frame([UInt8], through: Int64, count: Int)
    /// Read a part of the spill file first.
    case fetch(SpillPlace)
    /// Nothing can be sent now.
    case nothing
  }

  /// Returns the next thing to do, and the number of entries that were dropped because they can
  /// never be sent.
  mutating func next(limits: OutboxLimits, maxMessage: Int) -> (next: Next, dropped: Int) {
    var dropped = 0
    while let index = groups.firstIndex(where: { $0.last > position }) {
      switch groups[index].contents {
      case .spilling: return (.nothing, dropped)
      case .spilled(let place): return (.fetch(place), dropped)
      case .memory: break
      }
      var frame = AppendFrame(id, maxMessage: maxMessage, limits: limits)
      let problem = fill(&frame, from: index)
      if frame.count > 0 {
        let (through, count) = (frame.through, frame.count)
        return (.frame(frame.encoded(), through: through, count: count), dropped)
      }
      switch problem {
      case .baseless: dropped += discardBaseless(at: index)
      case .tooLarge(let seq):
        let before = count
        shrink(seq, at: index)
        dropped += before - count
      case .unreadable(let seq):
        let before = count
        change(at: index) { buffer in
          buffer.replace(after: seq - 1) { $0.seq == seq ? .nothing : .stop }
        }
        dropped += before - count
      case nil: return (.nothing, dropped)
      }
    }
    return (.nothing, dropped)
  }

  /// Why the next entry does not fit into a frame as it is.
  private enum FillProblem {
    case baseless
    case tooLarge(Int64)
    case unreadable(Int64)
  }

  private mutating func fill(_ frame: inout AppendFrame, from index: Int) -> FillProblem? {
    var through = position
    for group in groups[index...] {
      guard case .memory(let buffer) = group.contents else { return nil }
      for entry in buffer.entries(after: position) {
        guard !frame.isFull else { return nil }
        var line = entry.line
        if entry.previous != through {
          guard entry.kind != .change else { return .baseless }
          let lost = entry.seq - through - 1
          if lost > 0 {
            guard let gapped = entry.line(afterLosing: lost, why: lossReason) else {
              return .unreadable(entry.seq)
            }
            line = gapped
          }
        }
        switch frame.append(line, seq: entry.seq) {
        case .taken: through = entry.seq
        case .full: return nil
        case .tooLarge: return .tooLarge(entry.seq)
        }
        if entry.kind != .thinned { resetOmissions() }
      }
    }
    return nil
  }

  /// Makes the `append` of entries from the spill file; `nil` if they cannot be used.
  func frame(
    of group: EvictionGroup, _ bytes: [UInt8], limits: OutboxLimits, maxMessage: Int
  ) -> (bytes: [UInt8], count: Int)? {
    var frame = AppendFrame(id, maxMessage: maxMessage, limits: limits, isBounded: false)
    if group.previous == position {
      guard case .taken = frame.append(bytes, seq: group.last) else { return nil }
      return (frame.encoded(), group.count)
    }
    // The file is private, but its contents are validated before they are split.
    guard let lines = try? JSONSlice(validating: [0x5B] + bytes + [0x5D]) else { return nil }
    var through = position
    for slice in lines.elements {
      guard let entry = try? Entry(reading: slice) else { return nil }
      guard entry.seq > position else { continue }
      var line = Array(slice.bytes)
      let (lost, overflow) = (entry.seq - 1).subtractingReportingOverflow(through)
      if through == position, lost > 0, !overflow {
        line = BufferedEntry.line(of: entry, afterLosing: lost, why: lossReason)
      }
      guard case .taken = frame.append(line, seq: entry.seq) else { return nil }
      through = entry.seq
    }
    let count = frame.count
    return count > 0 ? (frame.encoded(), count) : nil
  }
}

/// Builds an `append` message from lines that are already JSON.
struct AppendFrame {
  private var bytes: [UInt8]
  private let maxMessage: Int
  private let limits: OutboxLimits
  private let isBounded: Bool
  private(set) var count = 0
  /// The seq of the last entry.
  private(set) var through: Int64 = -1

  /// The outcome of adding a line.
  enum Outcome {
    /// It was added.
    case taken
    /// It belongs into the next message.
    case full
    /// It fits into no message.
    case tooLarge
  }

  /// Creates an empty message. One that is not bounded may exceed the limits of a batch.
  init(_ timeline: TimelineID, maxMessage: Int, limits: OutboxLimits, isBounded: Bool = true) {
    bytes = Array("{\"type\":\"append\",\"timeline\":\"\(timeline.text)\",\"entries\":[".utf8)
    self.maxMessage = maxMessage
    self.limits = limits
    self.isBounded = isBounded
  }

  /// Whether the message has reached the limits of a batch.
  var isFull: Bool {
    isBounded && (count >= limits.batchEntries || bytes.count >= limits.batchBytes)
  }

  /// Returns the finished message.
  consuming func encoded() -> [UInt8] {
    bytes += Array("]}".utf8)
    return bytes
  }

  mutating func append(_ line: [UInt8], seq: Int64) -> Outcome {
    // Plus a comma, and the two closing brackets.
    guard bytes.count + line.count + 3 <= maxMessage else { return count > 0 ? .full : .tooLarge }
    if count > 0 {
      guard !isBounded || bytes.count + line.count <= limits.batchBytes else { return .full }
      bytes.append(UInt8(ascii: ","))
    }
    bytes += line
    count += 1
    through = seq
    return .taken
  }
}
