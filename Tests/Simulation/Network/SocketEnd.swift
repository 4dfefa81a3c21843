import WebSockets

/// One end of a simulated WebSocket: the real queue and the real idle watch, on a simulated wire.
///
/// It behaves as the transport library does: it answers pings by itself and does not report them,
/// drops pongs without payload, answers a close with a close, and sends one frame a turn.
///
/// Safe: the simulation has one thread.
final class SocketEnd: @unchecked Sendable {
  /// What its owner wants to know.
  struct Owner {
    var received: (SocketMessage) -> Void = { _ in }
    var drained: () -> Void = {}
    var isBusy: () -> Bool = { false }
    var closed: (SessionEnd) -> Void = { _ in }
  }

  let name: String
  let options: SessionOptions
  private let scheduler: Scheduler
  /// Called for each frame that leaves, before it does.
  private let tap: (Frame) -> Void
  /// Whether the system counts received bytes, as for TCP; a Unix socket reports unread bytes.
  private let countsBytes: Bool
  var owner = Owner()
  var out: Wire?
  var incoming: Wire?

  private(set) var queue: OutgoingQueue
  private var idle: IdleWatch?
  /// The payload bytes that have left so far.
  private(set) var sentBytes = 0
  private var pendingPing: [UInt8]?
  private var pendingPongs: [[UInt8]] = []
  private var message: [UInt8] = []
  private var ownClose: (code: UInt16, reason: String)?
  private var peerEnd: SessionEnd?
  private var receivedBytes: UInt64 = 0
  private var messageLimit: Int
  private var isTurnPlanned = false
  /// Whether the connection is established.
  private(set) var isOver = false
  private(set) var isReading = true
  /// Whether its process is frozen.
  var isFrozen = false {
    didSet {
      guard !isFrozen, oldValue else { return }
      incoming?.setReading(isReading)
      planTurn()
    }
  }

  init(
    _ name: String, _ options: SessionOptions, _ scheduler: Scheduler, countsBytes: Bool,
    tap: @escaping (Frame) -> Void
  ) {
    self.name = name
    self.options = options
    self.scheduler = scheduler
    self.countsBytes = countsBytes
    self.tap = tap
    messageLimit = options.maxMessageBytes
    queue = OutgoingQueue(options)
  }

  /// The connection is established.
  func begin() {
    idle = IdleWatch(options, now: scheduler.now)
    checkIdleness()
  }

  func limitMessages(to bytes: Int) { messageLimit = bytes }

  func setReading(_ reads: Bool) {
    isReading = reads
    if !isFrozen { incoming?.setReading(reads) }
  }

  func freeze() {
    isFrozen = true
    incoming?.setReading(false)
  }

  // MARK: Sending

  func send(_ message: SocketMessage) -> SendResult {
    guard !isOver else { return .closed }
    let (result, needsTurn) = queue.push(message)
    if needsTurn { planTurn() }
    return result
  }

  func close(code: UInt16, reason: String, discarding: Bool) {
    guard !isOver else { return }
    let code = SessionCloseCode(rawValue: code)
    guard queue.close(code, reason, discarding: discarding).isFirst else { return }
    planTurn()
    scheduler.after(options.closeWithin.wholeMicroseconds) { [self] in
      if !isOver { cut(SessionEnd(code: code, reason: reason, side: .local, wasClean: false)) }
    }
  }

  private func planTurn() {
    guard !isTurnPlanned, !isOver else { return }
    isTurnPlanned = true
    scheduler.soon { [self] in
      isTurnPlanned = false
      turn()
    }
  }

  /// One frame at most, then another turn.
  private func turn() {
    guard !isOver, ownClose == nil, !isFrozen, let out, !out.isFull else { return }
    if !pendingPongs.isEmpty {
      transmit(.pong(pendingPongs.removeFirst()))
      return planTurn()
    }
    if let ping = pendingPing {
      pendingPing = nil
      transmit(.ping(ping))
      return planTurn()
    }
    guard peerEnd == nil else { return }
    switch queue.turn() {
    case .nothing: return
    case .close(let code, let reason):
      ownClose = (code.rawValue, reason)
      transmit(.close(code: code.rawValue, reason: reason))
    case .fragment(let fragment):
      message += fragment.message.bytes[fragment.range]
      sentBytes += fragment.range.count
      if fragment.isLast {
        let whole = message
        message = []
        if case .binary = fragment.message {
          transmit(.binary(whole))
        } else {
          transmit(.text(whole))
        }
      }
      if queue.wantsTurn() { planTurn() }
      if queue.consumeDrained() { owner.drained() }
    }
  }

  private func transmit(_ frame: Frame) {
    tap(frame)
    out?.send(frame)
  }

  /// The wire takes frames again.
  func hasRoom() { planTurn() }

  // MARK: Receiving

  func receive(_ frame: Frame) {
    guard !isOver else { return }
    receivedBytes &+= UInt64(frame.byteCount)
    switch frame {
    case .text(let bytes): receiveMessage(.text(bytes))
    case .binary(let bytes): receiveMessage(.binary(bytes))
    case .ping(let payload):
      pendingPongs.append(payload)
      planTurn()
    case .pong(let payload):
      // The library drops one without payload.
      if !payload.isEmpty { idle?.frameArrived(now: scheduler.now) }
    case .close(let code, let reason):
      if let ownClose {
        return finish(
          SessionEnd(
            code: SessionCloseCode(rawValue: ownClose.code), reason: ownClose.reason, side: .local,
            wasClean: true))
      }
      let end = SessionEnd(
        code: SessionCloseCode(rawValue: code), reason: reason, side: .peer, wasClean: true)
      peerEnd = end
      transmit(.close(code: code, reason: ""))
      finish(end)
    case .end:
      finish(
        ownClose.map {
          SessionEnd(
            code: SessionCloseCode(rawValue: $0.code), reason: $0.reason, side: .local,
            wasClean: false)
        }
          ?? SessionEnd(
            code: .abnormal, reason: "The connection was lost.", side: .neither, wasClean: false))
    }
  }

  private func receiveMessage(_ message: SocketMessage) {
    idle?.frameArrived(now: scheduler.now)
    guard !queue.isClosing, ownClose == nil else { return }
    guard message.bytes.count <= messageLimit else {
      let reason = "The message exceeds the limit of \(messageLimit) bytes."
      return close(code: SessionCloseCode.tooBig.rawValue, reason: reason, discarding: true)
    }
    owner.received(message)
  }

  /// Ends the connection at once; the other end learns of it through its wire.
  func cut(_ end: SessionEnd) {
    guard !isOver else { return }
    out?.send(.end)
    finish(end)
  }

  /// Its process is gone: the system closes the connection.
  func die() {
    guard !isOver else { return }
    owner = Owner()
    out?.send(.end)
    finish(SessionEnd(code: .abnormal, reason: "", side: .local, wasClean: false))
  }

  private func finish(_ end: SessionEnd) {
    guard !isOver else { return }
    isOver = true
    queue.end()
    let owner = owner
    self.owner = Owner()
    owner.closed(end)
  }

  // MARK: Idling

  private func checkIdleness() {
    guard !isOver, idle != nil else { return }
    guard !isFrozen else {
      return scheduler.after(1_000_000) { [weak self] in self?.checkIdleness() }
    }
    let step = idle?.check(now: scheduler.now) {
      var signs = IdleWatch.Signs()
      signs.isExempt = !isReading || owner.isBusy()
      signs.socket =
        countsBytes
        ? SocketSigns(receivedBytes: receivedBytes) : SocketSigns(unreadBytes: out?.unreadBytes)
      return signs
    }
    switch step {
    case .wait(let time): lookAgain(time)
    case .ping(let payload, let time):
      pendingPing = payload
      planTurn()
      lookAgain(time)
    case .close:
      close(
        code: options.idleCloseCode.rawValue, reason: "The peer did not answer a ping.",
        discarding: true)
    case nil: break
    }
  }

  private func lookAgain(_ time: Int64) {
    scheduler.after(time) { [weak self] in self?.checkIdleness() }
  }
}
