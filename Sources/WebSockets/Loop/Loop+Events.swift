internal import CLibWebsockets

extension Loop {
  /// Handles a callback of the library.
  func handle(_ call: TransportCall) -> Int32 {
    if case .accepted = call.event { return accept(call) }
    guard let connection = connections[call.handle.id] else { return TransportAnswer.proceed }
    switch call.event {
    case .accepted: return TransportAnswer.proceed
    case .request: return request(on: connection, call)
    case .body: return body(on: connection, call)
    case .bodyEnd: return bodyEnd(on: connection)
    case .responseWritable: return writeResponse(on: connection, call)
    case .upgradeAsked: return upgradeAsked(on: connection, call)
    case .upgradeChosen: return upgradeChosen(on: connection)
    case .serverOpened: return serverOpened(connection)
    case .clientHeaders: return clientHeaders(on: connection, call)
    case .clientAgreed: return clientAgreed(on: connection, call)
    case .clientOpened: return clientOpened(connection, call)
    case .clientFailed: return clientFailed(connection, call)
    case .received: return received(on: connection, call)
    case .pong:
      connection.live?.idle?.frameArrived(now: lws_now_usecs())
      return TransportAnswer.proceed
    case .writable: return writable(connection, call)
    case .peerCloses: return peerCloses(connection, call)
    case .closing: return closingBegins(connection, call)
    case .closed:
      recordLibraryClose(connection, call)
      ended(connection)
      return TransportAnswer.proceed
    case .destroyed:
      ended(connection)
      connection.handle = nil
      connections[connection.id] = nil
      discount(connection)
      endIfStopped()
      return TransportAnswer.proceed
    }
  }

  /// Notifies the handler of the end of its session, once.
  func ended(_ connection: Connection) {
    guard let live = connection.live else { return }
    connection.stage = .over
    count(0, of: live)
    for timer in live.timers { cancel(timer) }
    if let timer = live.idleTimer { cancel(timer) }
    live.session.withOutgoing { $0.end() }
    live.handler.closed(live.session, live.ending(at: lws_now_usecs()), on: self)
  }

  /// Runs a closure on the loop: immediately if the caller is on it, otherwise soon.
  nonisolated func onLoop(_ work: @escaping @Sendable (isolated Loop) -> Void) {
    if isCurrent { assumeIsolated { work($0) } } else { enqueue(work) }
  }

  /// Lets a session write as soon as its socket is writable.
  nonisolated func requestTurn(_ id: UInt64) {
    onLoop { $0.connections[id]?.handle?.requestTurn() }
  }

  /// Starts closing a session whose queue is already closing.
  func beginClosing(_ id: UInt64) {
    guard let connection = connections[id], let live = connection.live,
      let handle = connection.handle
    else { return }
    if case .connecting = connection.stage {
      live.end = .lost("it was closed before it began")
      return handle.kill()
    }
    // While paused, the loop would not see the peer's confirmation. Other messages are dropped.
    setReading(id, true)
    handle.requestTurn()
    let timer = schedule(after: live.session.options.closeWithin) { loop in
      guard let live = loop.connections[id]?.live else { return }
      live.wasCut = true
      loop.connections[id]?.handle?.kill()
    }
    live.timers.append(timer)
  }

  /// Stops or resumes reading from the peer.
  func setReading(_ id: UInt64, _ isReading: Bool) {
    guard let connection = connections[id], case .live(let live) = connection.stage,
      let handle = connection.handle, live.isReading != isReading
    else { return }
    live.isReading = isReading
    lws_rx_flow_control(handle.pointer, isReading ? 1 : 0)
  }
}

extension LiveSession {
  func ending(at now: Int64) -> SessionEnd {
    if let end { return end }
    guard let ownClose else {
      return .lost(wasCut ? "the peer did not read in time" : "the connection was lost")
    }
    // The library waits five seconds for the confirmation, and does not report whether it came.
    let isInTime = now &- ownClose.time < 4_900_000
    return SessionEnd(
      code: ownClose.code, reason: ownClose.reason, side: .local, wasClean: isInTime && !wasCut)
  }
}
