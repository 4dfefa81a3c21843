import JSONCore
import Replaying
import Timelines

/// Runs recorded entries again, and counts how far they come out in the bytes in which they were
/// recorded.
///
/// Nothing is written and sent but that number, which is what makes it fast. Whatever is not proven by
/// equal bytes ends the count: somebody else looks at it with `reduce`, and says what is wrong.
struct HostConfirmation {
  private let request: ToRecorder.Confirm
  private let id: RequestID
  private let surroundings: HostSurroundings
  private let time: Duration
  private let memory: Int64

  init(
    _ request: ToRecorder.Confirm, id: RequestID, limits: HostLimits,
    surroundings: HostSurroundings
  ) {
    self.request = request
    self.id = id
    self.surroundings = surroundings
    time = .milliseconds(min(max(0, request.milliseconds ?? .max), limits.milliseconds))
    memory = min(max(0, request.bytes ?? .max), limits.bytes)
  }

  /// Clock, memory and cancellation are looked at once in so many entries: together they cost as much
  /// as an entry of a small machine, and whoever started the process watches all three as well.
  private static let checkInterval: Int64 = 64

  /// Runs the entries as far as they are confirmed.
  func perform(with replay: Replay) throws(HostRefusal) -> FromRecorder.Confirmed {
    guard request.seq > 0, request.seq <= Self.lastSeq else {
      throw HostRefusal(
        code: .wrongValue, sentence: "What is confirmed has a state before it.", path: "seq")
    }
    guard request.lines.kind == .array else {
      throw HostRefusal(code: .wrongType, sentence: "The entries are an array.", path: "lines")
    }
    var confirmed = FromRecorder.Confirmed()
    var isCancelled = false
    do throws(ReplayError) {
      surroundings.willRun(id, request.seq)
      let replayer = try replay.makeReplayer()
      try replayer.load(
        state: request.state, outputs: request.outputState, seq: request.seq - 1)
      let (start, firstMemory) = (surroundings.now(), surroundings.memory())
      for line in request.lines.elements {
        if confirmed.entries % Self.checkInterval == Self.checkInterval - 1 {
          isCancelled = surroundings.isCancelled(id)
          if isCancelled || surroundings.now() - start > time
            || surroundings.memory() - firstMemory > memory
          {
            break
          }
        }
        let seq = request.seq + confirmed.entries
        guard let entry = try? Entry(reading: line), entry.seq == seq else { break }
        surroundings.willRun(id, seq)
        guard try replayer.confirms(entry) else { break }
        confirmed.entries += 1
        if !confirmed.redacted { confirmed.redacted = !entry.redacted.isEmpty }
      }
    } catch {
      // An event that does not decode, say: `reduce` will find it there, and tell of it.
    }
    if isCancelled {
      throw HostRefusal(code: .cancelled, sentence: "The request was cancelled.", path: nil)
    }
    return confirmed
  }

  /// The greatest whole number of the protocol, with room for the entries of a message after it.
  private static var lastSeq: Int64 { 1 << 52 }
}

extension HostSession {
  /// Answers how far entries are confirmed.
  func confirm(_ confirm: ToRecorder.Confirm, id: RequestID) -> FromRecorder {
    defer { surroundings.didSend() }
    guard let replay = machines[confirm.make] else { return .error(unknownMachine(confirm.make)) }
    let work = HostConfirmation(confirm, id: id, limits: limits, surroundings: surroundings)
    do throws(HostRefusal) {
      return .confirmed(try work.perform(with: replay))
    } catch {
      return .error(Self.reply(error.code, error.sentence, path: error.path))
    }
  }
}
