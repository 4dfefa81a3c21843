/// One direction of a connection: frames arrive in order, late, or never.
///
/// Safe: the simulation has one thread.
final class Wire: @unchecked Sendable {
  /// What a socket's buffers hold: a sender that is faster than its peer stops there.
  static let bufferBytes = 200_000

  private let scheduler: Scheduler
  private var chance: Chance
  private let deliver: (Frame) -> Void
  private let hasRoom: () -> Void
  private var lastArrival: Int64 = 0
  private var flying = 0
  private var held: [Frame] = []
  private var heldBytes = 0
  /// Whether frames wait because nothing gets through for a while.
  private var isStalled = false
  /// Whether frames vanish silently.
  private(set) var isLost = false
  /// Whether the receiver takes what arrives.
  private var isRead = true
  private var arrived: [Frame] = []
  private var arrivedBytes = 0

  init(
    _ scheduler: Scheduler, _ chance: Chance, deliver: @escaping (Frame) -> Void,
    hasRoom: @escaping () -> Void
  ) {
    self.scheduler = scheduler
    self.chance = chance
    self.deliver = deliver
    self.hasRoom = hasRoom
  }

  /// Whether the sender's system takes no more for now.
  var isFull: Bool { unreadBytes >= Self.bufferBytes }

  /// What was sent and has not been read.
  var unreadBytes: Int { flying + heldBytes + arrivedBytes }

  func send(_ frame: Frame) {
    guard !isLost else { return }
    guard !isStalled else {
      held.append(frame)
      heldBytes += frame.byteCount
      return
    }
    let latency = Int64(chance.once(in: 20) ? chance.pick(1_000...40_000) : chance.pick(20...400))
    lastArrival = max(scheduler.now + latency, lastArrival)
    flying += frame.byteCount
    scheduler.after(lastArrival - scheduler.now) { [self] in arrive(frame) }
  }

  private func arrive(_ frame: Frame) {
    flying -= frame.byteCount
    guard !isLost else { return }
    guard isRead, arrived.isEmpty else {
      arrived.append(frame)
      arrivedBytes += frame.byteCount
      return
    }
    pass(frame)
  }

  private func pass(_ frame: Frame) {
    deliver(frame)
    hasRoom()
  }

  /// Nothing gets through until `resume()`.
  func stall() { isStalled = true }

  /// Delivers the held frames.
  func resume() {
    guard isStalled else { return }
    isStalled = false
    let frames = held
    (held, heldBytes) = ([], 0)
    for frame in frames { send(frame) }
  }

  /// Everything on it vanishes, and whatever is sent from now on.
  func lose() {
    isLost = true
    (held, heldBytes, arrived, arrivedBytes) = ([], 0, [], 0)
  }

  /// Whether the receiver reads.
  func setReading(_ reads: Bool) {
    isRead = reads
    guard reads else { return }
    scheduler.soon { [self] in
      while isRead, !arrived.isEmpty {
        let frame = arrived.removeFirst()
        arrivedBytes -= frame.byteCount
        pass(frame)
      }
    }
  }
}
