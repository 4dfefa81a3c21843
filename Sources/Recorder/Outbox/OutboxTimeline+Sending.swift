import JSONCore
import Timelines

extension OutboxTimeline {
  /// What a timeline has to send next.
  enum Next: Sendable {
    /// An `append`, with the entries that it carries.
    case frame([UInt8], through: Int64, count: Int)
    /// A piece of the spill file is needed first.
    case fetch(SpillPlace)
    /// Nothing that can be sent now; so many entries had to go.
    case nothing
  }

  /// The next `append`, and how many entries had to go because they can never be sent.
  mutating func next(limits: OutboxLimits, maxMessage: Int) -> (next: Next, dropped: Int) {
    var dropped = 0
    while let index = stretches.firstIndex(where: { $0.last > position }) {
      switch stretches[index].contents {
      case .spilling: return (.nothing, dropped)
      case .spilled(let place): return (.fetch(place), dropped)
      case .memory: break
      }
      var frame = AppendFrame(id, maxMessage: maxMessage, limits: limits)
      let obstacle = fill(&frame, from: index)
      if frame.count > 0 {
        let (through, count) = (frame.through, frame.count)
        return (.frame(frame.encoded(), through: through, count: count), dropped)
      }
      switch obstacle {
      case .baseless: dropped += discardBaseless(at: index)
      case .tooLarge(let seq):
        let before = count
        shrink(seq, at: index)
        dropped += before - count
      case .unreadable(let seq):
        let before = count
        change(at: index) { run in
          run.replace(after: seq - 1) { $0.seq == seq ? .nothing : .stop }
        }
        dropped += before - count
      case nil: return (.nothing, dropped)
      }
    }
    return (.nothing, dropped)
  }

  /// Why the next entry cannot go into a frame as it is.
  private enum Obstacle {
    case baseless
    case tooLarge(Int64)
    case unreadable(Int64)
  }

  private mutating func fill(_ frame: inout AppendFrame, from index: Int) -> Obstacle? {
    var through = position
    for stretch in stretches[index...] {
      guard case .memory(let run) = stretch.contents else { return nil }
      for entry in run.entries(after: position) {
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
        if entry.kind != .thinned { noteFitting() }
      }
    }
    return nil
  }

  /// The `append` of what was fetched from the spill file; `nil` when it cannot be used.
  func frame(
    of stretch: Stretch, _ bytes: [UInt8], limits: OutboxLimits, maxMessage: Int
  ) -> (bytes: [UInt8], count: Int)? {
    var frame = AppendFrame(id, maxMessage: maxMessage, limits: limits, isBounded: false)
    if stretch.previous == position {
      guard case .taken = frame.append(bytes, seq: stretch.last) else { return nil }
      return (frame.encoded(), stretch.count)
    }
    // The file is ours alone, and yet what comes out of it is checked before it is taken apart.
    guard let lines = try? JSONSlice(validating: [0x5B] + bytes + [0x5D]) else { return nil }
    var through = position
    for slice in lines.elements {
      guard let entry = try? Entry(reading: slice) else { return nil }
      guard entry.seq > position else { continue }
      var line = Array(slice.bytes)
      let (lost, overflow) = (entry.seq - 1).subtractingReportingOverflow(through)
      if through == position, lost > 0, !overflow {
        line = KeptEntry.line(of: entry, afterLosing: lost, why: lossReason)
      }
      guard case .taken = frame.append(line, seq: entry.seq) else { return nil }
      through = entry.seq
    }
    let count = frame.count
    return count > 0 ? (frame.encoded(), count) : nil
  }
}

/// An `append` message that is being put together from lines that are JSON already.
struct AppendFrame {
  /// The message so far.
  private var bytes: [UInt8]
  private let maxMessage: Int
  private let limits: OutboxLimits
  private let isBounded: Bool
  /// How many entries it has.
  private(set) var count = 0
  /// The last of them.
  private(set) var through: Int64 = -1

  /// What became of a line.
  enum Outcome {
    /// It is in.
    case taken
    /// It goes into the next one.
    case full
    /// It fits into none.
    case tooLarge
  }

  /// An empty message. One that is not bounded takes what fits into a message at all.
  init(_ timeline: TimelineID, maxMessage: Int, limits: OutboxLimits, isBounded: Bool = true) {
    bytes = Array("{\"type\":\"append\",\"timeline\":\"\(timeline.text)\",\"entries\":[".utf8)
    self.maxMessage = maxMessage
    self.limits = limits
    self.isBounded = isBounded
  }

  /// Whether a batch has no more than this.
  var isFull: Bool {
    isBounded && (count >= limits.batchEntries || bytes.count >= limits.batchBytes)
  }

  /// Ends the message.
  consuming func encoded() -> [UInt8] {
    bytes += Array("]}".utf8)
    return bytes
  }

  /// Adds a line.
  mutating func append(_ line: [UInt8], seq: Int64) -> Outcome {
    // A comma before it, and the two brackets at the end.
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
