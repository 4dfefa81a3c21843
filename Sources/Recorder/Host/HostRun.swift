import JSONCore
import Replaying
import Timelines
import Wire

/// Runs one request of a host.
struct HostRun {
  let request: ToRecorder.Reduce
  let id: RequestID
  let limits: HostLimits
  let environment: HostSessionEnvironment
  private let start: Duration
  private let firstMemory: Int64
  private let time: Duration
  private let memory: Int64

  var part: [JSONSlice] = []
  private var partBytes = 0
  private var lastMemoryCheck: Duration

  /// How often the memory is checked, which costs some microseconds. A fast allocator fills a few
  /// megabytes in that time.
  private static var memoryInterval: Duration { .milliseconds(5) }

  init(
    _ request: ToRecorder.Reduce, id: RequestID, limits: HostLimits,
    environment: HostSessionEnvironment
  ) {
    self.request = request
    self.id = id
    self.limits = limits
    self.environment = environment
    start = environment.now()
    firstMemory = environment.memory()
    lastMemoryCheck = start
    time = .milliseconds(Self.limit(request.milliseconds, limits.milliseconds))
    memory = Self.limit(request.bytes, limits.bytes)
  }

  private static func limit(_ asked: Int64?, _ most: Int64) -> Int64 {
    asked.map { min(max(0, $0), most) } ?? most
  }

  /// Runs all steps, and sends the resulting entries.
  mutating func perform(
    with replay: Replay, kept: KeptTimelines? = nil, send: (FromRecorder) -> Void
  ) throws(HostRefusal) {
    if let timeline = request.timeline {
      guard let kept else { throw Self.notKept("timeline") }
      return try performKept(timeline, replay, kept, send)
    }
    let planned = try plan()
    var canceled = false
    do throws(ReplayError) {
      environment.willRun(id, request.seq)
      let replayer = try replay.makeReplayer()
      try begin(replayer)
      // Entry 0 is the start, which is not one of the steps.
      let firstWanted = max(request.seq, 1) + max(0, request.quiet ?? 0)
      for step in planned {
        canceled = environment.isCancelled(id)
        if canceled { break }
        let isQuiet = step.seq > 0 && step.seq < firstWanted
        guard let end = try run(step, isQuiet, replayer, send) else { continue }
        return flush(more: false, end, send)
      }
      if !canceled, request.snapshot {
        return try flush(with: try replayer.snapshot(), send)
      }
    } catch {
      try refuse(error, send)
      return
    }
    if canceled {
      throw HostRefusal(code: .canceled, sentence: "The request was canceled.", path: nil)
    }
    flush(more: false, nil, send)
  }

  /// A problem with a step ends the answer early; a problem with the machine fails the request.
  mutating func refuse(
    _ error: ReplayError, _ send: (FromRecorder) -> Void
  ) throws(HostRefusal) {
    switch error.reason {
    case .undecodableEvent, .undecodableState, .unencodableState:
      let end = Self.end(.undecodable, error.seq ?? request.seq, "\(error.reason)")
      flush(more: false, end, send)
    case .noFirstState, .noState, .stateMissing:
      throw HostRefusal(code: .missing, sentence: "\(error.reason)", path: "state")
    case .notMade, .recordedWithoutMake, .notCodable, .notReplayable:
      throw HostRefusal(code: .failed, sentence: "\(error.reason)", path: "make")
    }
  }

  /// Runs a step; returns why the answer ends before it, if it does.
  mutating func run(
    _ step: PlannedStep, _ isQuiet: Bool, _ replayer: any Replayer,
    _ send: (FromRecorder) -> Void
  ) throws(ReplayError) -> EarlyEnd? {
    if let end = exceeded(before: step.seq) { return end }
    environment.willRun(id, step.seq)
    if isQuiet {
      try replayer.pass(step)
      return nil
    }
    return try append(replayer.run(step), send)
  }

  /// Adds a computed entry to the answer; returns why the answer ends before it, if it does.
  mutating func append(
    _ draft: EntryDraft, _ send: (FromRecorder) -> Void
  ) throws(ReplayError) -> EarlyEnd? {
    let (line, seq) = (draft.line, draft.seq)
    guard line.count + Self.envelopeBytes <= limits.messageBytes else {
      let sentence = """
        Entry \(seq) has \(line.count) bytes; the limit of a message is \(limits.messageBytes).
        """
      return Self.end(.limit, seq, sentence)
    }
    if partBytes + line.count > limits.partBytes || part.count >= limits.partEntries {
      flush(more: true, nil, send)
      environment.willRun(id, seq)
    }
    try collect(line, seq)
    return nil
  }

  /// Room for everything in a `reduced` but the entries: its keys, and the message of an early end.
  private static var envelopeBytes: Int { 4_096 }

  private mutating func collect(_ line: [UInt8], _ seq: Int64) throws(ReplayError) {
    // The encoder writes valid JSON, and the event was validated when it arrived; but a custom
    // appearance or redaction may return anything.
    do {
      part.append(try JSONSlice(validating: line))
    } catch {
      throw ReplayError(.unencodableState(why: "\(error)"), at: seq)
    }
    partBytes += line.count
    environment.didCollect(line)
  }

  mutating func flush(more: Bool, _ end: EarlyEnd?, _ send: (FromRecorder) -> Void) {
    let reduced = FromRecorder.Reduced {
      $0.entries = part
      $0.more = more
      $0.ended = end
    }
    part = []
    partBytes = 0
    environment.didSend()
    send(.reduced(reduced))
  }

  /// Sends the remaining entries, with the state after them.
  mutating func flush(
    with snapshot: Snapshot, _ send: (FromRecorder) -> Void
  ) throws(ReplayError) {
    let (state, outputs) = (try slice(snapshot.state), try slice(snapshot.outputs))
    let bytes = partBytes + state.range.count + outputs.range.count
    if !part.isEmpty, bytes > limits.partBytes { flush(more: true, nil, send) }
    let reduced = FromRecorder.Reduced {
      $0.entries = part
      // A state that does not fit into a message is omitted; the peer has the entries.
      if bytes + Self.envelopeBytes <= limits.messageBytes {
        $0.state = state
        $0.outputState = outputs
      }
    }
    part = []
    partBytes = 0
    environment.didSend()
    send(.reduced(reduced))
  }

  mutating func exceeded(before seq: Int64) -> EarlyEnd? {
    let now = environment.now()
    if now - start > time {
      return Self.end(.limit, seq, "The request took longer than \(Self.milliseconds(time)) ms.")
    }
    guard now - lastMemoryCheck >= Self.memoryInterval || lastMemoryCheck == start else {
      return nil
    }
    lastMemoryCheck = now
    let grown = environment.memory() - firstMemory
    guard grown > memory else { return nil }
    return Self.end(.limit, seq, "The memory grew by \(grown) bytes; the limit is \(memory).")
  }

  private static func milliseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000 + attoseconds / 1_000_000_000_000_000
  }

  private static func end(_ why: BranchEnd, _ seq: Int64, _ sentence: String) -> EarlyEnd {
    EarlyEnd {
      $0.why = why
      $0.seq = seq
      $0.message = sentence
    }
  }

  // MARK: Planning

  /// Begins with the state of the request, or with a fresh machine.
  private mutating func begin(_ replayer: any Replayer) throws(ReplayError) {
    try load(replayer)
    for known in request.remembered ?? [] {
      try replayer.remember(known.state, as: known.was, seq: known.seq)
    }
  }

  private mutating func load(_ replayer: any Replayer) throws(ReplayError) {
    if let state = request.state {
      // Entry 0 is the start, and a step of its own.
      guard request.seq > 0 else { return }
      // The state gets no seq as an undo target: in a branch that seq may be another entry's than
      // in the recording. Undo targets are in `remembered`.
      try replayer.load(state: state, outputs: request.outputState, seq: nil)
    } else if request.seq == 0 {
      try collect(try replayer.begin(seq: 0, t: 0).line, 0)
    } else {
      _ = try replayer.begin(seq: request.seq - 1, t: 0)
      // The peer does not receive the entry of the start, so the next one carries the full state.
      let snapshot = try replayer.snapshot()
      try replayer.load(
        state: try slice(snapshot.state), outputs: try slice(snapshot.outputs), seq: nil)
    }
  }

  func slice(_ value: JSON) throws(ReplayError) -> JSONSlice {
    do {
      return try JSONSlice(validating: value.encoded())
    } catch {
      throw ReplayError(.unencodableState(why: "\(error)"))
    }
  }

  /// The greatest integer of the protocol.
  static var lastSeq: Int64 { 1 << 53 - 1 }

  private func plan() throws(HostRefusal) -> [PlannedStep] {
    guard request.seq >= 0, request.seq <= Self.lastSeq - Int64(request.steps.count) else {
      throw HostRefusal(
        code: .wrongValue, sentence: "The seq \(request.seq) is out of range.", path: "seq")
    }
    var planned: [PlannedStep] = []
    planned.reserveCapacity(request.steps.count + 1)
    var seq = request.seq
    if seq == 0 {
      if let first = try firstStep() { planned.append(first) }
      seq = 1
    }
    for (index, step) in request.steps.enumerated() {
      planned.append(try plan(step, index, seq))
      seq += 1
    }
    return planned
  }

  private func firstStep() throws(HostRefusal) -> PlannedStep? {
    guard let state = request.state else { return nil }
    let entry = try entry(state, request.outputState, seq: 0, t: 0, isJump: false, path: "state")
    return PlannedStep(seq: 0, t: 0, action: .take(entry))
  }

  func plan(
    _ step: ToRecorder.ReduceStep, _ index: Int, _ seq: Int64
  ) throws(HostRefusal) -> PlannedStep {
    let path = "steps[\(index)]"
    guard step.t >= 0, step.was ?? 0 >= 0 else {
      throw HostRefusal(
        code: .wrongValue, sentence: "The step has a negative t or was.", path: path)
    }
    let action: PlannedStep.Action
    if let event = step.event {
      action = .reduce(event)
    } else if let state = step.state {
      action = .take(
        try entry(
          state, step.outputState, seq: seq, t: step.t, isJump: true, path: path + ".state"))
    } else {
      throw HostRefusal(
        code: .missing, sentence: "A step needs an event or a state.", path: path)
    }
    return PlannedStep(
      seq: seq, was: step.was, t: step.t, action: action, cause: try cause(step, path, seq),
      origin: step.origin.map { EntryOrigin($0) }, at: step.at)
  }

  private func cause(
    _ step: ToRecorder.ReduceStep, _ path: String, _ seq: Int64
  ) throws(HostRefusal) -> EntryCause? {
    guard let slice = step.cause, !slice.isNull else { return nil }
    if let cause = slice.int, cause >= 0, cause < seq { return .here(cause) }
    if let reference = slice.string.flatMap({ EntryReference($0) }) { return .elsewhere(reference) }
    throw HostRefusal(
      code: .wrongValue, sentence: "A cause must be an earlier seq or \"<timeline>:<seq>\".",
      path: path + ".cause")
  }

  private func entry(
    _ state: JSONSlice, _ outputs: JSONSlice?, seq: Int64, t: Int64, isJump: Bool, path: String
  ) throws(HostRefusal) -> Entry {
    var draft = EntryDraft(seq: seq, t: t)
    draft.state = state.bytes
    draft.outputState = outputs?.bytes
    draft.isJump = isJump
    do {
      return try draft.entry()
    } catch {
      throw HostRefusal(code: .wrongValue, sentence: "\(error)", path: path)
    }
  }
}
