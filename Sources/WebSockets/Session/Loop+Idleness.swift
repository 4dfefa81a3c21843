internal import CLibWebsockets

// Pings for silent sessions, and the end of those that do not answer.
extension Loop {
  /// Begins to watch a session that has just opened.
  func beginIdleWatch(of id: UInt64, _ live: LiveSession) {
    live.idle = IdleWatch(live.session.options, now: lws_now_usecs())
    look(at: id, live)
  }

  private func look(at id: UInt64, _ live: LiveSession) {
    guard let wire = connections[id]?.wire else { return }
    let step = live.idle?.look(now: lws_now_usecs()) {
      var signs = IdleWatch.Signs()
      signs.isExempt = !live.isReading || live.handler.isBusy(live.session, on: self)
      signs.socket = SocketSigns(of: wire.descriptor)
      return signs
    }
    switch step {
    case .wait(let time): look(again: time, at: id, live)
    case .ping(let payload, let time):
      live.ping = payload
      wire.requestTurn()
      look(again: time, at: id, live)
    case .close:
      return live.session.close(
        code: live.session.options.idleCloseCode, reason: Self.silence, discarding: true)
    case nil: break
    }
    // The library has an idle timeout of its own, five minutes without a pong, which knows neither
    // pauses nor requests in progress. Confirming restarts it; this watch decides instead.
    lws_validity_confirmed(wire.pointer)
  }

  private func look(again time: Int64, at id: UInt64, _ live: LiveSession) {
    live.idleAlarm = schedule(after: .microseconds(time)) { loop in
      guard case .live(let live) = loop.connections[id]?.stage else { return }
      loop.look(at: id, live)
    }
  }

  private static let silence = "The peer did not answer a ping."

  /// Sends a ping.
  func write(ping payload: [UInt8], to wire: Wire) -> Bool {
    scratch.fill(with: payload, payload.indices)
    return shim_write(
      wire.pointer, scratch.payload, payload.count, Int32(LWS_WRITE_PING.rawValue), 1, 1) >= 0
  }
}
