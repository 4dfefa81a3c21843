internal import CLibWebsockets

// Pings silent sessions, and closes those that do not answer.
extension Loop {
  /// Starts to watch an open session.
  func beginIdleWatch(of id: UInt64, _ live: LiveSession) {
    live.idle = IdleWatch(live.session.options, now: lws_now_usecs())
    checkIdleness(of: id, live)
  }

  private func checkIdleness(of id: UInt64, _ live: LiveSession) {
    guard let handle = connections[id]?.handle else { return }
    let step = live.idle?.check(now: lws_now_usecs()) {
      var signs = IdleWatch.Signs()
      signs.isExempt = !live.isReading || live.handler.isBusy(live.session, on: self)
      signs.socket = SocketSigns(of: handle.descriptor)
      return signs
    }
    switch step {
    case .wait(let time): scheduleIdleCheck(after: time, of: id, live)
    case .ping(let payload, let time):
      live.ping = payload
      handle.requestTurn()
      scheduleIdleCheck(after: time, of: id, live)
    case .close:
      return live.session.close(
        code: live.session.options.idleCloseCode, reason: Self.timeoutReason, discarding: true)
    case nil: break
    }
    // The library's own idle timeout, five minutes without a pong, ignores pauses and requests in
    // progress. Confirming validity restarts it, so that only this watch decides.
    lws_validity_confirmed(handle.pointer)
  }

  private func scheduleIdleCheck(after time: Int64, of id: UInt64, _ live: LiveSession) {
    live.idleTimer = schedule(after: .microseconds(time)) { loop in
      guard case .live(let live) = loop.connections[id]?.stage else { return }
      loop.checkIdleness(of: id, live)
    }
  }

  private static let timeoutReason = "The peer did not answer a ping."

  func write(ping payload: [UInt8], to handle: ConnectionHandle) -> Bool {
    scratch.fill(with: payload, payload.indices)
    return shim_write(
      handle.pointer, scratch.payload, payload.count, Int32(LWS_WRITE_PING.rawValue), 1, 1) >= 0
  }
}
