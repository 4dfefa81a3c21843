import JSONCore
import Replaying
import Timelines
import Wire

/// Reruns recorded entries, and counts how many come out with the recorded bytes.
///
/// Only the number is sent, which makes this fast. The first entry without equal bytes ends the
/// count; the daemon then checks it with `reduce`, which reports what differs.
struct HostConfirmation {
  private let request: ToRecorder.Confirm
  private let id: RequestID
  private let environment: HostSessionEnvironment
  private let time: Duration
  private let memory: Int64

  init(
    _ request: ToRecorder.Confirm, id: RequestID, limits: HostLimits,
    environment: HostSessionEnvironment
  ) {
    self.request = request
    self.id = id
    self.environment = environment
    time = .milliseconds(min(max(0, request.milliseconds ?? .max), limits.milliseconds))
    memory = min(max(0, request.bytes ?? .max), limits.bytes)
  }

  /// Clock, memory, and cancellation are checked once in this many entries: together the checks
  /// cost as much as an entry of a small machine, and the parent process watches all three as well.
  private static let checkInterval: Int64 = 64

  /// Reruns the entries until one is not confirmed.
  func perform(with replay: Replay) throws(HostRefusal) -> FromRecorder.Confirmed {
    guard request.seq > 0, request.seq <= Self.lastSeq else {
      throw HostRefusal(
        code: .wrongValue,
        sentence: "The seq \(request.seq) is invalid: entry 0 cannot be confirmed.", path: "seq")
    }
    guard request.lines.kind == .array else {
      throw HostRefusal(code: .wrongType, sentence: "The lines must be an array.", path: "lines")
    }
    var confirmed = FromRecorder.Confirmed()
    var isCancelled = false
    do throws(ReplayError) {
      environment.willRun(id, request.seq)
      let replayer = try replay.makeReplayer()
      try replayer.load(
        state: request.state, outputs: request.outputState, seq: request.seq - 1)
      let (start, firstMemory) = (environment.now(), environment.memory())
      for line in request.lines.elements {
        if confirmed.entries % Self.checkInterval == Self.checkInterval - 1 {
          isCancelled = environment.isCancelled(id)
          if isCancelled || environment.now() - start > time
            || environment.memory() - firstMemory > memory
          {
            break
          }
        }
        let seq = request.seq + confirmed.entries
        guard let entry = try? Entry(reading: line), entry.seq == seq else { break }
        environment.willRun(id, seq)
        guard try replayer.confirms(entry) else { break }
        confirmed.entries += 1
        if !confirmed.redacted { confirmed.redacted = !entry.redacted.isEmpty }
      }
    } catch {
      // For example, an event that cannot be decoded. `reduce` will find and report it.
    }
    if isCancelled {
      throw HostRefusal(code: .canceled, sentence: "The request was canceled.", path: nil)
    }
    return confirmed
  }

  /// The greatest integer of the protocol, with room for the entries of one more message.
  private static var lastSeq: Int64 { 1 << 52 }
}

extension HostSession {
  /// Answers a request with the number of confirmed entries.
  func confirm(_ confirm: ToRecorder.Confirm, id: RequestID) -> FromRecorder {
    defer { environment.didSend() }
    guard let replay = machines[confirm.make] else { return .error(unknownMachine(confirm.make)) }
    let work = HostConfirmation(confirm, id: id, limits: limits, environment: environment)
    do throws(HostRefusal) {
      return .confirmed(try work.perform(with: replay))
    } catch {
      return .error(Self.reply(error.code, error.sentence, path: error.path))
    }
  }
}
